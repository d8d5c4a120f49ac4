public class InstanceInitialisers {
  final int a; int b = init("b", 2); { a = init("a", b + 1); } int[] c = {a, b, init("c", 5)}; final String s; { String t = ""; for (int i = 0; i < c.length; i++) t += c[i]; s = t; } static int order; int init(String n, int v) { System.out.print(n + v + " "); return v + order++; }
  InstanceInitialisers() { this("x"); b = -1; } InstanceInitialisers(String p) { super(); System.out.print("(" + p + s + ") "); } InstanceInitialisers(int n) { b += n; c = new int[n]; }
  static class Sub extends InstanceInitialisers { long w = a; { if (w > 3) w = -w; } Sub() { super(2); w *= 10; } Sub(boolean z) { super(z ? "yes" : "no"); } }
  public static void main(String[] args) { System.out.println(new InstanceInitialisers().b); System.out.println(new Sub().w + " " + new Sub(true).w + new Sub().c.length); Object o = new Object() { int n = 4; { n *= n; } @Override public String toString() { return "anon" + n; } }; System.out.println(o); System.out.println(new java.util.ArrayList<String>() { { add("double"); add("brace"); } }); }
}
