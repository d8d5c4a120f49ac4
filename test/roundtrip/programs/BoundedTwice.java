import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** Type variables with several bounds, of which code has the first one. */
public class BoundedTwice {
    interface Named {
        String name();
    }

    interface Sized {
        int size();
    }

    static class Crate implements Named, Sized {
        public String name() {
            return "crate";
        }

        public int size() {
            return 3;
        }
    }

    static class Label {
        final String text;

        <H extends Named & Sized> Label(H of) {
            text = of.name() + of.size();
        }

        static <H extends Named & Sized> Label label(H of) {
            return new Label(of);
        }
    }

    static class Shelf<T extends Named & Sized> {
        private final List<T> items = new ArrayList<>();

        Shelf<T> put(T item) {
            items.add(item);
            return this;
        }

        int total() {
            int sum = 0;
            for (T item : items) sum += item.size() + item.name().length();
            return sum;
        }
    }

    static class Printer {
        <T extends Appendable & CharSequence> String shown(T text) {
            return "printer " + text.length();
        }
    }

    static class OtherPrinter extends Printer {
        @Override
        <T extends CharSequence & Appendable> String shown(T text) {
            return "other " + text.length();
        }
    }

    /** In another order than what is called. */
    @SuppressWarnings("unchecked")
    static <H extends Sized & Named> void labels() {
        Function<H, Label> made = Label::new;
        Function<H, Label> called = of -> Label.label(of);
        H crate = (H) new Crate();
        System.out.println(made.apply(crate).text + called.apply(crate).text);
    }

    static <T extends Object & Comparable<? super T>> T most(List<? extends T> list) {
        T found = list.get(0);
        for (T each : list) if (each.compareTo(found) > 0) found = each;
        return found;
    }

    static <T extends Named & Iterable<String>> void each(T of) {
        for (String text : of) System.out.println(of.name() + text);
    }

    static class Words extends ArrayList<String> implements Named {
        public String name() {
            return "word ";
        }
    }

    public static void main(String[] args) {
        labels();
        System.out.println(new Shelf<Crate>().put(new Crate()).put(new Crate()).total());
        Printer printer = new OtherPrinter();
        System.out.println(printer.shown(new StringBuilder("four")) + new Printer().shown(new StringBuilder()));
        System.out.println(most(Arrays.asList(3, 9, 2)) + most(Arrays.asList("a", "c", "b")));
        Words words = new Words();
        words.add("one");
        each(words);
    }
}
