public class Varargs {
  static String f(Object... o) { return o == null ? "null" : "" + o.length; }
  static int sum(int first, int... rest) { int s = first; for (int i : rest) s += i; return s; }
  static String g(String s, Object... o) { return "v"; } static String g(String s, Object o) { return "o"; } static String g(String s) { return "s"; }
  @SafeVarargs static <T> int count(T... ts) { return ts.length; }
  public static void main(String... args) {
    System.out.println(f() + f(1) + f(1, "2") + f((Object[]) null) + f((Object) null) + f(new Object[] {1, 2, 3}) + f(new int[] {1, 2}) + f((Object) new Object[] {1, 2}));
    System.out.println(sum(1) + sum(1, 2) + sum(1, 2, 3) + sum(1, new int[] {5, 6})); System.out.println(g("a") + g("a", 1) + g("a", 1, 2) + count() + count("a", "b"));
    System.out.println(String.format("%s-%d-%5.2f|%x", "s", 3, 2.5, 255) + String.format("none"));
  }
}
