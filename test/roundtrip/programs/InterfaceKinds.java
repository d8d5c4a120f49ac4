public class InterfaceKinds {
  interface A { default String hi() { return "A" + secret(); } private String secret() { return "s" + helper(); } static String make() { return "made" + helper(); } private static int helper() { return 4; } int ONE = 1; String TEXT = "t" + ONE; int[] ARRAY = {1, 2, ONE + 2}; Object LAZY = new Object() { public String toString() { return "lazy"; } }; }
  interface B extends A { @Override default String hi() { return "B" + A.super.hi(); } } interface C { default String hi() { return "C"; } boolean equals(Object o); }
  static class Both implements B, C { public String hi() { return B.super.hi() + C.super.hi(); } }
  static abstract class Part implements A { abstract int size(); public String hi() { return "part" + size() + A.super.hi(); } }
  static class Whole extends Part { int size() { return 2; } } static class Plain implements B { }
  interface D extends C { default Class<?> kind() { return C.super.getClass(); } }
  interface Marker { } interface Nested { interface In { int go(int x); default In then(In o) { return x -> o.go(go(x)); } } class Impl implements In { public int go(int x) { return x + 1; } } enum E { P, Q } }
  @FunctionalInterface interface Fun<T> { T call(T t); static <T> Fun<T> id() { return t -> t; } default Fun<T> twice() { return t -> call(call(t)); } @Override String toString(); }
  static class Winner { public String hi() { return "class wins"; } } static class Child extends Winner implements C { }
  public static void main(String[] args) {
    System.out.println(new D() { }.kind().isInterface());
    A[] all = {new Both(), new Whole(), new Plain(), new A() { }}; for (A a : all) System.out.println(a.hi()); System.out.println(A.make() + A.TEXT + A.ARRAY[2] + A.LAZY + B.ONE); System.out.println(new Child().hi()); Nested.In i = new Nested.Impl(); System.out.println(i.then(x -> x * 10).then(i).go(4) + "" + Nested.E.Q); Fun<Integer> f = t -> t * 3; System.out.println(f.twice().twice().call(1) + Fun.<String>id().call("id")); Object o = new Both(); System.out.println(o instanceof A && o instanceof C && !(o instanceof Marker)); C c = (C) o; System.out.println(c.hi()); try { Marker m = (Marker) o; System.out.println(m); } catch (ClassCastException e) { System.out.println("no marker"); }
  }
}
