import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Delayed;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Members of which the class that is written knows more than the code. */
public class NarrowedMembers {
    static class Holder<T> {
        protected T held;

        T given() {
            return null;
        }
    }

    static class NumberHolder<T> extends Holder<Integer> {
        T held;
        Integer copy;

        NumberHolder() {
            copy = super.held = given();
        }

        int raised() {
            super.held = 10;
            super.held++;
            return super.held + 1;
        }
    }

    static class Chained extends Holder<String> {
        String last;

        void chain(Holder<String> from) {
            last = held = from.given();
        }
    }

    interface Secret {
        private String hidden() {
            return "hidden";
        }

        static String shown() {
            Secret secret = new Secret() {};
            return secret.hidden();
        }
    }

    interface Copied extends Cloneable {
        Object clone() throws CloneNotSupportedException;
    }

    static class Sheep implements Copied {
        int wool = 4;

        public Object clone() {
            try {
                return super.clone();
            } catch (CloneNotSupportedException e) {
                return null;
            }
        }
    }

    static void total(List<Iterable<Integer>> all) {
        System.out.println("list " + all.size());
    }

    static void total(ArrayList<Iterator<Integer>> all) {
        System.out.println("array list " + all.get(0).next());
    }

    static <T extends Comparable<T>> T[] turned(T[] all) {
        T[] copy = all.clone();
        Arrays.sort(copy);
        return filled(copy, all.clone());
    }

    static <T> T[] filled(T[] into, T[] from) {
        into[0] = from[0];
        return into;
    }

    @SuppressWarnings("unchecked")
    static final Deque<String>[] queues = (Deque<String>[]) new Deque[] {new ArrayDeque<String>(), new ArrayDeque<String>()};

    static <V> RunnableScheduledFuture<V> wrapped(int delay) {
        return new RunnableScheduledFuture<V>() {
            public boolean isPeriodic() {
                return false;
            }

            public long getDelay(TimeUnit unit) {
                return delay;
            }

            public int compareTo(Delayed other) {
                return Long.compare(delay, other.getDelay(TimeUnit.SECONDS));
            }

            public void run() {}

            public boolean cancel(boolean now) {
                return now;
            }

            public boolean isCancelled() {
                return false;
            }

            public boolean isDone() {
                return true;
            }

            public V get() {
                return null;
            }

            public V get(long time, TimeUnit unit) {
                return null;
            }
        };
    }

    static <T> T orElse(T given, Holder<T> other) {
        return given == null ? (other == null ? null : other.given()) : given;
    }

    NarrowedMembers before = null;

    class Around {
        int size = 5;
    }

    class Within extends Around {
        Within(NarrowedMembers other) {
            other.before.super();
        }
    }

    public static void main(String[] args) {
        NumberHolder<String> numbers = new NumberHolder<>();
        System.out.println(numbers.raised() + " " + numbers.held + numbers.copy);
        Chained chained = new Chained();
        chained.chain(new Chained());
        System.out.println(chained.last + chained.held);
        System.out.println(Secret.shown() + orElse("given", null) + orElse(null, chained) + orElse((Integer) null, null));
        try {
            Copied first = new Sheep();
            Copied second = (Copied) first.clone();
            Sheep third = (Sheep) new Sheep().clone();
            System.out.println(((Sheep) second).wool + third.wool);
        } catch (CloneNotSupportedException e) {
            System.out.println("not cloned");
        }
        ArrayList<Iterator<Integer>> iterators = new ArrayList<>();
        iterators.add(Arrays.asList(7).iterator());
        total(iterators);
        List<Iterable<Integer>> lists = new ArrayList<>();
        total(lists);
        System.out.println(Arrays.toString(turned(new String[] {"c", "a", "b"})));
        queues[1].add("queued");
        System.out.println(queues[0].size() + queues[1].peek());
        RunnableScheduledFuture<String> one = wrapped(1);
        RunnableScheduledFuture<String> other = wrapped(2);
        System.out.println(one.compareTo(other) + " " + one.cancel(true));
        NarrowedMembers outer = new NarrowedMembers();
        outer.before = new NarrowedMembers();
        System.out.println(outer.new Within(outer).size);
        try {
            outer.new Within(outer.before);
        } catch (NullPointerException e) {
            System.out.println("nothing around");
        }
    }
}
