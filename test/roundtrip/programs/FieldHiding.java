public class FieldHiding {
  static class A { int x = 1; static String s = "A.s"; String name() { return "A" + x; } static String st() { return "A.st"; } private int p() { return 10; } int callP() { return p(); } protected int q = 5; }
  static class B extends A { long x = 2; static String s = "B.s"; String name() { return "B" + x + super.x + super.name(); } static String st() { return "B.st"; } private int p() { return 20; } int callB() { return p() + callP(); } }
  static class C extends B { String x = "three"; int q = 6; String all() { return x + ((B) this).x + ((A) this).x + super.q + this.q; } void set(int v) { ((A) this).x = v; super.x += v; x += v; } }
  interface K { int V = 4; } interface L { int W = 5; } static class D extends C implements K, L { int sum() { return V + W + q; } }
  public static void main(String[] args) {
    C c = new C(); A a = c; B b = c;
    System.out.println(c.x + b.x + a.x + " " + c.name() + " " + c.all()); c.set(7); System.out.println(c.all()); System.out.println(a.s + b.s + C.s + A.st() + B.st() + C.st());
    System.out.println(b.callB() + " " + a.callP() + " " + new D().sum() + ((A) new D()).q); a.x++; b.x--; System.out.println(a.x + b.x); B.s = "changed"; System.out.println(A.s + C.s);
  }
}
