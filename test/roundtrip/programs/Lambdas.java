import java.util.function.*;
public class Lambdas {
  int f = 5; static int sf = 7; interface Tri<A, B, C, R> { R ap(A a, B b, C c); } interface Prim { long go(int a, double d, byte b); }
  Supplier<Integer> inst() { return () -> f + sf; } IntUnaryOperator curry(int a) { return b -> a * b + f; }
  static Function<Integer, Function<Integer, Integer>> add = a -> b -> a + b;
  public static void main(String[] args) {
    Lambdas l = new Lambdas(); System.out.println(l.inst().get() + l.curry(3).applyAsInt(4) + add.apply(1).apply(2)); int x = 9; long y = 1L << 33; double d = .5; String s = "s"; char c = 'c'; boolean z = true; byte b = 3;
    Tri<Integer, Long, String, String> t = (p, q, r) -> p + q + r + x + y + d + s + c + z + b; System.out.println(t.ap(1, 2L, "three")); Prim pr = (a, e, g) -> (long) (a + e + g) + y; System.out.println(pr.go(1, 2.9, (byte) 3)); Runnable r = () -> { if (x > 3) { System.out.println("run"); return; } System.out.println("no"); }; r.run();
    BiFunction<Integer, Integer, Integer> bf = (a, e) -> { int m = 0; for (int i = 0; i < a; i++) m += e; return m; }; System.out.println(bf.andThen(v -> v * 2).apply(3, 4)); Predicate<String> p = String::isEmpty; System.out.println(p.negate().or(q -> q == null).test("a")); ((Runnable & java.io.Serializable) () -> System.out.println("both")).run(); Callable3 k = Lambdas::boom; try { k.call(); } catch (Exception e) { System.out.println(e.getMessage()); } Supplier<Supplier<String>> ss = () -> () -> s + x; System.out.println(ss.get().get());
  }
  interface Callable3 { void call() throws Exception; } static void boom() throws Exception { throw new Exception("boom"); }
}
