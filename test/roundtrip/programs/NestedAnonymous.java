import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

public class NestedAnonymous {
    static final List<Runnable> later = new ArrayList<>();
    int size = 2;

    static abstract class Base {
        protected String name = "base";
        String twice() { return name + name; }
        abstract Object make(int n);
    }

    static void show(Object value) { System.out.println(value); }
    static void show(Runnable value) { System.out.println("runnable"); value.run(); }

    // Captured by the one around, and asked for within.
    static Runnable captured(String text) {
        return new Runnable() {
            public void run() {
                later.add(new Runnable() { public void run() { show(text + "!"); } });
            }
        };
    }

    // Fields, private members, inherited members and the object itself of the one around.
    Base reached(String text) {
        return new Base() {
            int calls;
            private String secret() { return text + calls; }
            private int hidden = 5;
            Object make(int n) {
                calls += n;
                return new Object() {
                    String name = "inner";
                    public String toString() {
                        hidden++;
                        return secret() + name + hidden + twice() + size + calls++;
                    }
                };
            }
            @Override String twice() { return super.twice() + calls; }
        };
    }

    // The object around under another name and type than its own.
    static Base named(String text) {
        return new Base() {
            Object make(int n) {
                Base other = this;
                return new Object() {
                    public String toString() { return text + n + other.twice(); }
                };
            }
        };
    }

    // Three deep, each with the name of the one before.
    static Iterable<Iterable<String>> deep(String[] texts) {
        return new Iterable<Iterable<String>>() {
            int made = 10;
            public Iterator<Iterable<String>> iterator() {
                return new Iterator<Iterable<String>>() {
                    int at;
                    public boolean hasNext() { return at < texts.length; }
                    public Iterable<String> next() {
                        String text = texts[at++];
                        return new Iterable<String>() {
                            public Iterator<String> iterator() {
                                made++;
                                int[] left = {2};
                                return new Iterator<String>() {
                                    public boolean hasNext() { return left[0]-- > 0; }
                                    public String next() { return text + at + made; }
                                };
                            }
                        };
                    }
                };
            }
        };
    }

    // Where no statement can stand before: values of fields, blocks, loops, lambdas.
    static Base places() {
        return new Base() {
            int count = 3;
            final Runnable first = new Runnable() { public void run() { show("first " + count + name); } };
            Object make(int n) {
                for (Iterator<String> each = new Iterator<String>() {
                    int left = n;
                    public boolean hasNext() { return left > 0; }
                    public String next() { count++; return name + left--; }
                }; each.hasNext(); ) show(each.next());
                Runnable run = () -> show(new Object() { public String toString() { return "lambda " + count + twice(); } });
                run.run();
                first.run();
                return n > 1 ? this : new Base() { Object make(int m) { return make0(m); } Object make0(int m) { return count + m + name; } }.make(n);
            }
            @Override public String toString() { return "places"; }
        };
    }

    // The object around given on, and compared.
    static Base given() {
        return new Base() {
            Object make(int n) {
                Base own = this;
                return new Base() { Object make(int m) { return own.twice() + (own == outer()) ; } Base outer() { return itself(); } }.make(n);
            }
            Base itself() { return this; }
        };
    }

    public static void main(String[] arguments) {
        show(named("named").make(3));
        captured("a").run();
        captured("b").run();
        for (Runnable each : later) each.run();
        Base reached = new NestedAnonymous().reached("r");
        Object made = reached.make(4);
        show(made); show(reached.make(1)); show(made);
        for (Iterable<String> each : deep(new String[] {"x", "y"})) for (String text : each) show(text);
        Base places = places();
        show(places.make(2)); show(places.make(1));
        show(given().make(0));
    }
}
