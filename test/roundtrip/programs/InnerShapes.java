import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;

/** Classes whose objects belong to one of the class around, in every place where the language lets one be made. */
public class InnerShapes {
  final String name;
  private int count;
  static String trace = "";

  InnerShapes(String name) {
    this.name = name;
  }

  /** Calls what classes below define before their constructors run. */
  abstract class Early {
    final String seen;

    Early(int... numbers) {
      seen = describe() + numbers.length;
    }

    abstract String describe();
  }

  class Late extends Early {
    final int own = 4;
    int set = 9;

    Late() {
      super(1, 2, 3);
    }

    Late(int set) {
      this();
      this.set += set;
    }

    String describe() {
      return name + own + set + count++;
    }
  }

  class Node implements Iterable<Node> {
    final int value;
    Node next;
    static int made;

    Node(int value) {
      this.value = value;
      made++;
      count += value;
    }

    Node push(int more) {
      Node node = new Node(more);
      node.next = this;
      return node;
    }

    public Iterator<Node> iterator() {
      return new Iterator<Node>() {
        Node at = Node.this;

        public boolean hasNext() {
          return at != null;
        }

        public Node next() {
          Node found = at;
          at = at.next;
          trace += name + found.value + count + ";";
          return found;
        }
      };
    }

    class Mark {
      final String text;

      Mark(String text) {
        this.text = text + value + name;
      }

      Node back() {
        return Node.this;
      }

      InnerShapes whole() {
        return InnerShapes.this;
      }

      class Deeper {
        int sum() {
          count += 1;
          return text.length() + value + count + new Node(2).value + new Mark("d").text.length();
        }
      }
    }
  }

  /** One of its own name hides the one above. */
  static class Below extends InnerShapes {
    Below(String name) {
      super(name);
    }

    class Node extends InnerShapes.Node {
      Node(int value) {
        super(value * 100);
      }

      Node(InnerShapes other) {
        other.super(7);
      }
    }

    String both() {
      return "" + new Node(1).value + ((InnerShapes) this).new Node(2).value + new Node(new InnerShapes("o")).value;
    }
  }

  /** An inner class that extends the class around has two of its members. */
  class Self extends InnerShapes {
    private int count = 50;

    Self() {
      super("self of " + InnerShapes.this.name);
    }

    String all() {
      return name + InnerShapes.this.name + count + InnerShapes.this.count + new Node(3).push(4).value
          + InnerShapes.this.new Node(5).value + ((InnerShapes) this).count;
    }
  }

  private class Hidden {
    private int kept;

    private Hidden() {
      kept = ++count;
    }

    private Hidden(int kept) {
      this.kept = kept;
    }
  }

  static class Outside extends InnerShapes.Node {
    Outside(InnerShapes around) {
      around.super(around.count);
    }

    Outside(InnerShapes around, String note) {
      around.super(note.length());
      trace += note;
    }
  }

  static InnerShapes noted(String what, InnerShapes found) {
    trace += what;
    return found;
  }

  static int number(int n) {
    trace += n;
    return n;
  }

  String suppliers() {
    List<Supplier<Object>> list = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      int by = i;
      list.add(() -> new Node(by).push(by + 1).value);
      list.add(Hidden::new);
      list.add(() -> new Late(by).seen);
    }
    String out = "";
    for (Supplier<Object> each : list) {
      Object made = each.get();
      out += made instanceof Hidden h ? "h" + h.kept : made;
    }
    return out;
  }

  String local(int p) {
    class Counter {
      int at = p;

      int step() {
        return at += count;
      }

      class Within {
        int both() {
          return at * p + name.length() + step();
        }
      }
    }
    Counter counter = new Counter();
    return counter.step() + "," + counter.new Within().both() + new Counter().at;
  }

  String absent(InnerShapes none) {
    trace = "";
    String out = "";
    try {
      out += none.new Node(number(1)).value;
    } catch (NullPointerException e) {
      out += "npe";
    }
    try {
      out += new Outside(none, null).value;
    } catch (NullPointerException e) {
      out += "npe";
    }
    Node[] nodes = {null};
    try {
      out += nodes[0].new Mark("x").text;
    } catch (NullPointerException e) {
      out += "npe";
    }
    return out + trace;
  }

  public static void main(String[] args) {
    InnerShapes a = new InnerShapes("a");
    InnerShapes b = new InnerShapes("b");
    System.out.println(a.new Late().seen + a.new Late(3).set + a.count);
    Node node = a.new Node(1).push(2).push(3);
    for (Node each : node) System.out.print(each.value);
    System.out.println(trace + Node.made);
    Node.Mark mark = node.new Mark("m");
    System.out.println(mark.text + mark.back().value + mark.whole().name + mark.new Deeper().sum());
    System.out.println(new Below("c").both());
    System.out.println(b.new Self().all() + b.count);
    System.out.println(a.new Hidden().kept + a.new Hidden(8).kept);
    System.out.println(new Outside(b).value + new Outside(b, "note").push(6).value + trace);
    System.out.println(a.suppliers() + b.local(5));
    trace = "";
    System.out.println(noted("p", a).new Node(number(2)).value + noted("q", b).new Node(number(3)).value + trace);
    System.out.println(a.absent(null) + a.absent(b));
  }
}
