import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/** Public classes of ones that are not: javac makes a method for each that they inherit. */
public class VisibleBridges {
    interface Walk<K, V> extends Iterator<K> {
        @Override
        K next();

        V value();
    }

    static class Nothing<E> {
        public boolean hasNext() {
            return false;
        }

        public E next() {
            throw new NoSuchElementException("nothing");
        }

        public void add(E element) {
            System.out.println("not added: " + element);
        }

        public int size() {
            return 0;
        }
    }

    public abstract static class NoWalk<K, V> extends Nothing<K> {
        public V value() {
            throw new IllegalStateException("no value");
        }
    }

    public static class EmptyWalk<K, V> extends NoWalk<K, V> implements Walk<K, V> {}

    public static class Strings extends Nothing<String> implements Iterator<String> {}

    public static void main(String[] args) {
        EmptyWalk<Integer, String> walk = new EmptyWalk<>();
        walk.add(4);
        for (Iterator<?> each : List.of(walk, new Strings()))
            try {
                System.out.println(each.hasNext());
                each.next();
            } catch (NoSuchElementException e) {
                System.out.println(e.getMessage());
            }
        try {
            Walk<Integer, String> other = walk;
            System.out.println(walk.size() + other.value().length() + other.next());
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        new Strings().add("a");
    }
}
