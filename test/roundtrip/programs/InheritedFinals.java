import java.util.ArrayList;
import java.util.List;

/** What interfaces ask for is inherited from a class that has it as its last word; members of generic classes' objects. */
public class InheritedFinals {
    interface Named {
        Object name();
    }

    interface Told {
        String tell(int times);
    }

    static class Base {
        public final String name() {
            return "base";
        }
    }

    static class Derived extends Base implements Named {}

    interface First {
        First self();
    }

    interface Second {
        Second self();
    }

    static class Maker {
        public Both self() {
            System.out.println("made");
            return new Both();
        }
    }

    static class Both extends Maker implements First, Second {}

    static class Holder<T> {
        private final T held;

        Holder(T held) {
            this.held = held;
        }

        public final T tell(int times) {
            System.out.println("asked " + times);
            return held;
        }
    }

    static class Text extends Holder<String> implements Told {
        Text(String text) {
            super(text);
        }
    }

    static class Shelf<U> {
        final List<Object> all = new ArrayList<>();

        class Place<V> {
            final V value;

            Place(V value) {
                this.value = value;
                all.add(value);
            }
        }
    }

    static int put(Shelf<String> shelf) {
        Object first = shelf.new Place<>(1);
        Shelf<String>.Place<Long> second = shelf.new Place<>(2L);
        System.out.println(second.value + 1);
        return first == second ? 0 : shelf.all.size();
    }

    enum Kind {
        OPEN {
            @Override
            Part part() {
                return new Part() {
                    @Override
                    String said() {
                        return "open " + name() + ordinal();
                    }
                };
            }
        },
        SHUT {
            class Lock extends Part {
                @Override
                String said() {
                    return "lock of " + SHUT.name();
                }
            }

            @Override
            Part part() {
                return new Lock();
            }
        };

        abstract Part part();

        abstract class Part {
            abstract String said();
        }
    }

    public static void main(String[] args) {
        Named named = new Derived();
        System.out.println(named.name());
        First first = new Both();
        Second second = new Both();
        System.out.println(first.self() != null && second.self() != null);
        Told told = new Text("told");
        System.out.println(told.tell(3));
        System.out.println(put(new Shelf<>()));
        for (Kind kind : Kind.values()) System.out.println(kind.part().said());
    }
}
