import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/** Interfaces of the platform that say what type arguments another one has. */
public class DelayedElements {
  static class Due implements Delayed {
    final long at;

    Due(long at) {
      this.at = at;
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(at, TimeUnit.SECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(at, ((Due) other).at);
    }
  }

  public static void main(String[] args) {
    Due[] dues = {new Due(3), new Due(1), new Due(2)};
    java.util.Arrays.sort(dues);
    for (Due due : dues) System.out.println(due.getDelay(TimeUnit.MINUTES) + " " + due.at);
    Set<String> words = new HashSet<>(Set.of("one"));
    words.removeAll(List.of("one", "two"));
    System.out.println(words + " " + Collections.disjoint(List.of("a"), Set.of("b")));
  }
}
