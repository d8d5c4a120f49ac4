public class VarargsChoice {
  static String f(Object... o) { return o == null ? "null" : "objects" + o.length; }
  static String g(int a, int... r) { return "int+" + r.length; }
  static String g(long a, long b) { return "longs"; }
  static String g(Integer a, Integer b) { return "Integers"; }
  static String h(Object o) { return "object"; }
  static String h(String s) { return "string"; }
  static String h(String s, Object... rest) { return "string+" + rest.length; }
  static String k(long x) { return "long"; } static String k(Integer x) { return "Integer"; } static String k(Object x) { return "Object"; } static String k(int... x) { return "ints"; }
  static String n(double d) { return "d" + d; } static String n(float f) { return "f" + f; }
  static String c(char c) { return "char"; } static String c(int i) { return "int"; }
  static String s(StringBuilder b) { return "sb"; } static String s(String b) { return "s"; }
  static int sum(int... all) { int t = 0; for (int i : all) t += i; return t; }
  static String two(String[]... a) { return a.length + ":" + (a.length > 0 ? a[0].length : -1); }
  public static void main(String[] args) {
    System.out.println(f() + f((Object[]) null) + f((Object) null) + f(1, "a") + f(new Object[] {1, 2, 3}) + f(new int[] {1}) + f((Object) new String[] {"x"}) + f((Object[]) new String[] {"x", "y"}));
    byte b = 1; short sh = 2; Integer boxed = 5; Object o = "s";
    System.out.println(g(1, 2) + g(1) + g(boxed, boxed) + g(1, 2, 3) + g(b, sh));
    System.out.println(h(null) + h("a") + h(o) + h("a", "b") + h((Object) "a") + h((String) o));
    System.out.println(k(1) + k(b) + k(boxed) + k('c') + k(1.5f) + k() + k(1, 2) + k((Object) 1));
    System.out.println(n(1) + n(1L) + n(1.0) + c('a') + c('a' + 1) + c((char) ('a' + 1)) + s((String) null) + sum() + sum(1, 2, 3));
    System.out.println(two() + two(new String[] {"a", "b"}) + two(new String[0], new String[1]));
  }
}
