public class LocalClasses {
  int field = 4;
  int go(int p) { int q = p * 2; class Counter { int c = q; int next() { return c++ + p + field; } Counter twin() { return new Counter(); } } Counter a = new Counter(); a.next(); return a.next() + a.twin().next(); }
  static String st(String s) { class Wrap { final String v; Wrap(String v) { this.v = v + s; } } record Pair(int a, Wrap w) { String j() { return a + w.v; } } enum Mode { ON, OFF } interface Op { int op(int x); } Op o = x -> x + s.length(); return new Pair(o.op(1), new Wrap("w")).j() + Mode.OFF; }
  public static void main(String[] args) { System.out.println(new LocalClasses().go(3) + st("abc")); class Rec { int f(int n) { return n < 2 ? n : new Rec().f(n - 1) + f(n - 2); } } System.out.println(new Rec().f(10)); }
}
