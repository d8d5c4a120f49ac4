import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Calls of generic methods with arrays of type variables where other arguments are raw. */
public class GenericArrays {
    interface Amount<T> {
        T plus(T other);

        double value();
    }

    record Euro(double value) implements Amount<Euro> {
        @Override
        public Euro plus(Euro other) {
            return new Euro(value + other.value);
        }
    }

    static class Box<T extends Amount<T>> {
        final T held;

        Box(T held) {
            this.held = held;
        }

        T get() {
            return held;
        }
    }

    static <S extends Amount<S>> Box<S> sum(Box<S> first, S second, S[] others, List list) {
        S all = first.get().plus(second);
        for (S other : others) all = all.plus(other);
        list.add(all);
        return new Box<>(all);
    }

    static class Till<T extends Amount<T>> {
        protected T[] items;
        protected Box raw;
        final List<Object> seen = new ArrayList<>();

        Till(T[] items, T first) {
            this.items = items;
            raw = new Box<>(first);
        }

        @SuppressWarnings("unchecked")
        T total() {
            Box<T> box = sum(raw, (T) raw.get(), items, seen);
            return box.get().plus(items[0]);
        }
    }

    public static void main(String[] args) {
        Euro[] euros = {new Euro(1), new Euro(2.5)};
        Till<Euro> till = new Till<>(euros, new Euro(10));
        System.out.println(till.total() + " " + till.seen + Arrays.toString(euros));
    }
}
