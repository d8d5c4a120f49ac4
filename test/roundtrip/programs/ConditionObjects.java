import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.Condition;

/** An inner class of the platform is made and extended with the object around it. */
public class ConditionObjects {
  static class Sync extends AbstractQueuedSynchronizer {
    @Override
    protected boolean isHeldExclusively() {
      return false;
    }

    Condition condition() {
      return new ConditionObject();
    }

    class Counted extends ConditionObject {
      final int number;

      Counted(int number) {
        this.number = number;
      }
    }
  }

  enum Ordered implements Comparable<Ordered> {
    FIRST,
    SECOND;

    Ordered[] $VALUES;
  }

  public static void main(String[] args) {
    Sync sync = new Sync();
    System.out.println(sync.condition() != null);
    System.out.println(sync.new Counted(7).number);
    System.out.println(Ordered.FIRST.compareTo(Ordered.SECOND) + " " + (Ordered.SECOND.$VALUES == null));
  }
}
