import java.util.*;
public class PatternGuards {
  sealed interface Shape permits Circle, Box, Dot { }
  record Circle(double r) implements Shape { }
  record Box(int w, int h) implements Shape { boolean isSquare() { return w == h; } }
  enum Dot implements Shape { ONE, TWO }
  static String tell(Object o) {
    return switch (o) {
      case null -> "null!";
      case Integer i && i > 100 -> "large " + i;
      case Integer i -> "int " + (i + 1);
      case String s && s.isEmpty() -> "empty";
      case String s -> s.toUpperCase();
      case int[] a && a.length > 1 -> "ints " + a[1];
      case List<?> l -> "list " + l.size();
      case Dot d -> "dot " + d.ordinal();
      case Box b && b.isSquare() -> "square";
      default -> o.getClass().getSimpleName();
    };
  }
  static int area(Shape s) {
    int area = -1;
    switch (s) { case Circle c: area = (int) (c.r() * c.r() * 3); break; case Box b: int a = b.w() * b.h(); area = a; break; case Dot d: area = d == Dot.ONE ? 0 : 1; }
    return area;
  }
  static String instance(Object a, Object b) {
    if (a instanceof String s && b instanceof Integer n && s.length() > n) return s.substring(n);
    if (!(a instanceof Integer x)) return "no " + a;
    while (!(b instanceof Integer y)) b = x;
    return "" + (x + y);
  }
  public static void main(String[] args) {
    Object[] all = {null, 5, 500, "", "abc", new int[] {1, 2}, new int[0], List.of(1, 2), Dot.TWO, new Box(2, 2), new Box(2, 3), 3.5};
    for (Object o : all) System.out.println(tell(o));
    System.out.println(area(new Circle(2)) + " " + area(new Box(3, 4)) + " " + area(Dot.TWO));
    System.out.println(instance("hello", 2) + instance("a", 9) + instance(4, "q") + instance(4, 5));
  }
}
