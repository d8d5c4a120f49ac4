public class BooleanFields {
  boolean a, b = true; static boolean s; boolean[] flags = new boolean[3]; Boolean boxed = false;
  boolean flip() { return a = !a; } boolean both() { return a && b; } static boolean set(boolean v) { return s = v; } int asInt() { return a ? 1 : 0; }
  void mask(int m) { for (int i = 0; i < 3; i++) flags[i] = (m >> i & 1) == 1; } boolean any() { for (boolean f : flags) if (f) return true; return false; } boolean parity() { boolean p = false; for (boolean f : flags) p ^= f; return p; }
  public static void main(String[] args) { BooleanFields o = new BooleanFields(); System.out.println(o.flip() + "" + o.both() + set(o.a) + s + o.asInt()); for (int m = 0; m < 8; m += 3) { o.mask(m); System.out.print(o.any() + " " + o.parity() + " "); } o.boxed = !o.boxed; o.b &= o.boxed | o.a; System.out.println(o.boxed == o.b); if (o.a != o.b || (o.a = false)) System.out.println("x"); else System.out.println("y" + o.a); boolean c = o.a == o.b == true; System.out.println(c ? "eq" : "ne"); }
}
