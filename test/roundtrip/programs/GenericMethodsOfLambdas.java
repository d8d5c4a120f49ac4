import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Interfaces whose one method has type parameters: a lambda is none of these, a method reference may be. */
public class GenericMethodsOfLambdas {
    interface Chooser {
        <T> T choose(T first, T second);
    }

    interface Lister {
        <T extends Comparable<T>> List<T> listed(T one, T other);
    }

    static <T> T first(T one, T other) {
        return one;
    }

    static <T> T second(T one, T other) {
        return other;
    }

    static <T extends Comparable<T>> List<T> sorted(T one, T other) {
        List<T> found = Arrays.asList(one, other);
        Collections.sort(found);
        return found;
    }

    static class Named implements Chooser {
        @Override
        public <T> T choose(T first, T second) {
            return first == null ? second : first;
        }
    }

    static String both(Chooser chooser) {
        String text = chooser.choose("left", "right");
        int number = chooser.choose(1, 2);
        return text + number;
    }

    interface Joiner<T> {
        T joined(T one, T other);
    }

    /** What is taken for all above a generic type. */
    static void join(Joiner<? super List<?>> joiner) {
        List<String> one = Arrays.asList("x");
        java.util.ArrayList<Integer> other = new java.util.ArrayList<>();
        System.out.println(joiner.joined(one, other) == one);
    }

    public static void main(String[] args) {
        System.out.println(both(GenericMethodsOfLambdas::first));
        System.out.println(both(GenericMethodsOfLambdas::second));
        System.out.println(both(new Named()));
        Lister lister = GenericMethodsOfLambdas::sorted;
        System.out.println(lister.listed("b", "a") + "" + lister.listed(2, 1));
        join((one, other) -> one);
    }
}
