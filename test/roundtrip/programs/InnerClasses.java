public class InnerClasses {
  private int n = 1; private static int s = 2; private int hidden(int k) { return n * k; } private static String st() { return "st"; }
  class Inner { private int n = 10; int sum() { return n + InnerClasses.this.n + s + hidden(3); } class Deep { int all() { return n + InnerClasses.this.n++ + Inner.this.n--; } } }
  static class Nested { private int v; private Nested(int v) { this.v = v; } private int twice() { return v * 2; } static String q() { return st() + s++; } }
  private static class Hidden extends Nested { private Hidden() { super(4); } }
  public static void main(String[] args) {
    InnerClasses o = new InnerClasses(); Inner i = o.new Inner(); Inner.Deep d = i.new Deep(); System.out.println(i.sum() + d.all() + o.n + i.n);
    Nested x = new Nested(5); x.v += 3; x.v++; System.out.println(x.twice() + x.v + Nested.q() + s + ((Nested) new Hidden()).twice()); System.out.println(new InnerClasses() { int z = 7; int get() { return z + s; } }.get());
  }
}
