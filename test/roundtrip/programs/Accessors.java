import java.util.ArrayList;
import java.util.List;

/** What nested classes reach of each other's private members, in every way that javac has an accessor for. */
public class Accessors {
  private int n = 1;
  private byte small = 120;
  private boolean on;
  private long wide = 1L << 40;
  private double real = 0.5;
  private char letter = 'a';
  private String text = "t";
  private int[] items = {1, 2, 3};
  private static int shared = 7;
  private static String trace = "";

  private Accessors() {}

  private Accessors(int n) {
    this.n = n;
  }

  private static int noted(String what, int value) {
    trace += what;
    return value;
  }

  private int twice(int k) throws java.io.IOException {
    if (k > 90) throw new java.io.IOException("k");
    return k * 2 + n;
  }

  private static Accessors maker(String what) {
    trace += what;
    return new Accessors(3);
  }

  static class Reader {
    private final String name;

    private Reader(String name) {
      this.name = name;
    }

    String all(Accessors o) {
      String out = "" + o.n + o.small + o.on + o.wide + o.real + o.letter + o.text + o.items[1] + shared;
      o.n++;
      ++o.n;
      o.n += 5;
      int old = o.n--;
      int now = --o.n;
      int sum = o.n *= 3;
      o.n <<= 2;
      o.n >>>= 1;
      o.small++;
      byte before = o.small++;
      byte after = ++o.small;
      o.small += 100;
      o.on = !o.on;
      boolean same = o.on = name.length() > 2;
      o.wide += o.n;
      long seen = o.wide -= 3;
      o.real /= 4;
      double halved = o.real--;
      o.letter++;
      char next = o.letter += 2;
      o.text += name;
      String both = o.text += 1 + 2;
      o.items[0]++;
      shared += 2;
      int first = shared++;
      return out + old + now + sum + before + after + same + seen + halved + next + both + o.n + o.small + o.on + o.wide
          + o.real + o.letter + o.text + o.items[0] + shared + first;
    }

    String ordered() {
      trace = "";
      maker("a").n = noted("b", 4);
      maker("c").n += noted("d", 5);
      int set = maker("e").n = noted("f", 6);
      int old = maker("g").n++ + noted("h", 1);
      int more = maker("i").n += noted("j", shared += 1);
      return trace + set + old + more;
    }

    String absent(Accessors o) {
      try {
        o.n = noted("late", 1);
        return "no";
      } catch (NullPointerException e) {
        return "npe " + trace;
      }
    }

    String failing(Accessors o) {
      try {
        return "" + o.twice(4) + o.twice(99);
      } catch (java.io.IOException e) {
        return e.getMessage();
      }
    }

    String counted(Accessors o) {
      List<Runnable> list = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        int by = i;
        list.add(() -> o.n += by);
        list.add(new Runnable() {
          public void run() {
            o.n -= 2 * by;
            shared++;
          }
        });
      }
      for (Runnable each : list) each.run();
      return o.n + "/" + shared;
    }
  }

  private static class Hidden extends Accessors {
    private int n = 50;

    private Hidden(int n) {
      super(n);
      this.n += ((Accessors) this).n;
    }

    private Hidden() {
      this(9);
    }
  }

  public static void main(String[] args) {
    Accessors o = new Accessors();
    Reader reader = new Reader("abc");
    System.out.println(reader.all(o));
    System.out.println(reader.all(o));
    System.out.println(reader.ordered());
    trace = "";
    System.out.println(reader.absent(null));
    System.out.println(reader.failing(o));
    System.out.println(reader.counted(o));
    Hidden hidden = new Hidden();
    System.out.println(hidden.n + " " + ((Accessors) hidden).n + " " + new Hidden(4).n + reader.name);
  }
}
