import java.util.*;
import java.util.function.*;
public class TypePatterns {
  static String hidden = "field";
  static class Point {
    final int x, y; Point(int x, int y) { this.x = x; this.y = y; }
    @Override public boolean equals(Object o) { if (this == o) return true; if (!(o instanceof Point)) return false; Point other = (Point) o; return x == other.x && y == other.y; }
    @Override public int hashCode() { return x * 31 + y; }
  }
  static class Deep extends Point { final Object in; Deep(int x, Object in) { super(x, -x); this.in = in; }
    @Override public boolean equals(Object o) { return o instanceof Deep && super.equals(o) && Objects.equals(in, ((Deep) o).in); } }
  static String behind(Object o) { if (!(o instanceof String)) throw new IllegalArgumentException("no text: " + o); String text = (String) o; return text.toUpperCase() + text.length(); }
  static int either(Object o, boolean skip) { if (skip || !(o instanceof Integer)) return -1; Integer number = (Integer) o; return number + 1; }
  static String nested(Object o) { if (o instanceof Deep) { Deep deep = (Deep) o; if (deep.in instanceof Point) { Object in = deep.in; Point point = (Point) in; return "deep " + point.x + deep.y; } } return "flat"; }
  static String joined(Object a, Object b) { if (a instanceof String) { String s = (String) a; if (s.length() > 1 && b instanceof String) { String t = (String) b; if (t.length() > s.length()) { return s + "<" + t; } } } return "none"; }
  static String otherwise(Object o) { String said; if (o instanceof List) { List<?> list = (List<?>) o; said = "list" + list.size(); } else if (o instanceof Object[]) { Object[] all = (Object[]) o; said = "array" + all.length; for (Object each : all) said += each; } else if (o instanceof int[]) { int[] is = (int[]) o; said = "ints"; for (int i : is) said += i; } else said = "else" + hidden; return said; }
  static int loop(List<Object> all) { int sum = 0; for (Object each : all) { if (!(each instanceof Number)) continue; Number n = (Number) each; if (n.intValue() > 50) break; sum += n.intValue(); } return sum; }
  static int chain(Object o) { int depth = 0; while (o instanceof Deep) { Deep deep = (Deep) o; o = deep.in; depth++; } return depth; }
  static String changed(Object o) { if (o instanceof String) { String s = (String) o; while (s.length() < 5) s = s + "."; return s; } return "-"; }
  static Supplier<String> kept(Object o) { if (o instanceof Point) { Point p = (Point) o; return () -> "kept" + p.x; } if (!(o instanceof CharSequence)) return () -> "nothing"; CharSequence text = (CharSequence) o; return () -> text.length() + "!"; }
  static boolean near(Object o, Predicate<Object> first) { if (first.test(o) && ((Predicate<Object>) s -> s != null).test(o) && o instanceof String) { String s = (String) o; return s.isEmpty(); } return false; }
  static String known(String s) { Object o = s; if (o instanceof String) { String again = (String) o; return again + "?"; } return "null"; }
  static String sure(Integer i) { if (i instanceof Integer) { Integer j = (Integer) i; return "sure" + j; } return "none"; }
  static int cases(int kind, Object o) { switch (kind) { case 1: if (!(o instanceof Integer)) return -1; Integer i = (Integer) o; return i; case 2: if (!(o instanceof Long)) break; Long l = (Long) o; return (int) (l * 2); default: if (o instanceof Short) { Short s = (Short) o; return s + 100; } } return -2; }
  static String wide(Object o) { if (o instanceof String) { CharSequence c = (String) o; return "chars" + c.length(); } if (o instanceof Runnable) { ((Runnable) o).run(); return "ran"; } return "."; }
  public static void main(String[] args) {
    Object[] all = {new Point(1, 2), new Deep(3, new Point(4, 5)), new Deep(3, new Deep(1, "x")), "a", "", "long text", 7, 8L, (short) 9, null, new int[] {1, 2}, new Object[] {"q", 3}, List.of(1, 2), new StringBuilder("sb"), (Runnable) () -> System.out.println("runs")};
    for (Object o : all) {
      String shown = o instanceof Object[] || o instanceof int[] || o instanceof Point || o instanceof Runnable ? o.getClass().isArray() + "" : "" + o;
      System.out.println(shown + " " + either(o, false) + either(o, true) + nested(o) + otherwise(o) + chain(o) + changed(o) + kept(o).get() + near(o, each -> each != null) + wide(o) + cases(1, o) + cases(2, o) + cases(3, o));
      try { System.out.println(behind(o)); } catch (IllegalArgumentException e) { System.out.println(e.getMessage().startsWith("no text")); }
      for (Object other : all) if (o != null && (o.equals(other) || !joined(o, other).equals("none"))) System.out.println("pair " + joined(o, other));
    }
    System.out.println(new Point(1, 2).equals(new Point(1, 2)) + " " + new Deep(2, "z").equals(new Deep(2, "z")) + new Deep(2, "z").equals(new Deep(2, "y")) + new Point(0, 1).equals(null));
    System.out.println(loop(Arrays.asList(1, "x", 2.5, null, 60, 3)) + known("k") + known(null) + sure(4) + sure(null));
  }
}
