import java.util.*;
import java.util.function.*;
public class ReferenceKinds {
  final String tag; ReferenceKinds(String tag) { this.tag = tag; System.out.print("new" + tag + " "); } ReferenceKinds() { this("none"); } ReferenceKinds(int a, long b) { this("" + (a + b)); }
  static String join(String... parts) { return String.join("-", parts); }
  static int boxed(Integer a) { return a + 1; }
  static Object wide(long l) { return l; }
  String add(String s) { return tag + s; }
  private String hidden(Object o) { return "h" + o; }
  class Inner { final int n; Inner(int n) { this.n = n; } public String toString() { return tag + n; } }
  IntFunction<Inner> maker() { return Inner::new; }
  static class Base { String hi() { return "base"; } }
  static class Derived extends Base { @Override String hi() { return "derived"; } Supplier<String> up() { return super::hi; } Supplier<String> own() { return this::hi; } }
  public static void main(String[] args) {
    Function<String, ReferenceKinds> make = ReferenceKinds::new; Supplier<ReferenceKinds> bare = ReferenceKinds::new; BiFunction<Integer, Long, ReferenceKinds> two = ReferenceKinds::new;
    System.out.println(make.apply("x").tag + bare.get().tag + two.apply(3, 4L).tag);
    BinaryOperator<String> v = ReferenceKinds::join; IntUnaryOperator u = ReferenceKinds::boxed; IntFunction<Object> w = ReferenceKinds::wide; System.out.println(v.apply("a", "b") + u.applyAsInt(4) + w.apply(7));
    BiFunction<ReferenceKinds, String, String> unbound = ReferenceKinds::add; ReferenceKinds r = make.apply("y"); UnaryOperator<String> bound = r::add; Function<Object, String> priv = r::hidden; r = null;
    System.out.println(unbound.apply(make.apply("z"), "!") + bound.apply("?") + priv.apply(1));
    System.out.println(new ReferenceKinds("o").maker().apply(6) + new Derived().up().get() + new Derived().own().get());
    IntFunction<int[][]> arrays = int[][]::new; Function<Integer, String[]> strings = String[]::new; System.out.println(arrays.apply(3).length + strings.apply(2).length);
    Supplier<Integer> len = "four"::length; System.out.println(len.get()); Function<int[], Object> copy = int[]::clone; System.out.println(((int[]) copy.apply(new int[] {8}))[0]);
    try { ReferenceKinds none = null; Supplier<String> s = none::toString; System.out.println("late"); } catch (NullPointerException e) { System.out.println("early"); }
    Comparator<String> c = String::compareToIgnoreCase; System.out.println(c.compare("A", "a")); List<Integer> l = new ArrayList<>(List.of(3, 1, 2)); l.sort(Integer::compare); l.forEach(System.out::print); System.out.println();
  }
}
