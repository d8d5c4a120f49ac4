public class CapturingInner {
  private int base = 100; private static int created;
  class Inner {
    int base = 10; final int mine = ++created;
    class Deep {
      int base = 1;
      int sum() { return base + Inner.this.base + CapturingInner.this.base; }
      void bump() { CapturingInner.this.base++; Inner.this.base += 5; base *= 3; }
    }
    Deep deep() { return new Deep(); }
  }
  static class Holder { final CapturingInner outer; Holder(CapturingInner o) { outer = o; } Inner make() { return outer.new Inner(); } Inner.Deep deep() { return outer.new Inner().new Deep(); } }
  class Extends extends Inner { Extends() { base = 7; } int both() { return base + CapturingInner.this.base + mine; } }
  static class Far extends CapturingInner.Inner { Far(CapturingInner c) { c.super(); } int get() { return base + mine; } }
  public static void main(String[] args) {
    CapturingInner c = new CapturingInner();
    Inner i = c.new Inner(); Inner.Deep d = i.deep();
    d.bump(); d.bump();
    System.out.println(d.sum() + " " + c.base + " " + i.base + " " + d.base);
    System.out.println(new Holder(c).make().mine + " " + new Holder(c).deep().sum());
    System.out.println(c.new Extends().both() + " " + new Far(c).get() + " " + created);
    try { CapturingInner none = null; none.new Inner(); } catch (NullPointerException e) { System.out.println("npe"); }
  }
}
