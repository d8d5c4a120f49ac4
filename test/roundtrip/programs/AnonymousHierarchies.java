public class AnonymousHierarchies {
  static abstract class Base { final String n; Base(String n) { this.n = n; init(); } void init() { System.out.print("init" + n + " "); } abstract int go(int x); Base twice() { Base me = this; return new Base(n + "2") { @Override int go(int x) { return me.go(me.go(x)); } }; } }
  int mult = 3; Base make(int add) { return new Base("m") { int calls; @Override void init() { super.init(); calls = 5; } int go(int x) { return x * mult + add + calls++; } @Override Base twice() { return new Base("own") { int go(int y) { return mult + calls + y; } }; } }; }
  public static void main(String[] args) { AnonymousHierarchies a = new AnonymousHierarchies(); Base b = a.make(10); System.out.println(b.go(1) + " " + b.go(1) + " " + b.twice().go(4)); a.mult = 2; Base p = new Base("p") { int go(int x) { return x + 1; } }; System.out.println(p.twice().twice().go(0) + p.n); }
}
