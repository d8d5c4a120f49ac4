import java.util.*;
import java.util.function.*;
public class LambdaShapes {
  interface Thrower<T, X extends Exception> { T get() throws X; }
  interface Mixed { double go(byte b, short s, char c, long l, float f); default Mixed twice() { return (b, s, c, l, f) -> 2 * go(b, s, c, l, f); } }
  static <T, X extends Exception> T unwrap(Thrower<T, X> t) throws X { return t.get(); }
  int state = 1;
  Runnable self() { return () -> { state++; Runnable again = () -> state *= 10; again.run(); }; }
  static int apply(IntBinaryOperator op, int... values) { int r = values[0]; for (int i = 1; i < values.length; i++) r = op.applyAsInt(r, values[i]); return r; }
  static Supplier<Integer> counter() { int[] n = {0}; return () -> ++n[0]; }
  public static void main(String[] args) throws Exception {
    System.out.println(unwrap(() -> "ok"));
    try { unwrap(() -> { throw new java.io.IOException("io"); }); } catch (java.io.IOException e) { System.out.println(e.getMessage()); }
    Mixed m = (b, s, c, l, f) -> b + s + c + l + f; System.out.println(m.twice().go((byte) 1, (short) 2, 'a', 4L, .5f));
    LambdaShapes l = new LambdaShapes(); l.self().run(); System.out.println(l.state);
    System.out.println(apply((a, b) -> a * b, 2, 3, 4) + " " + apply(Math::max, 3, 9, 2) + " " + apply((a, b) -> { if (a > b) return a - b; return b - a; }, 9, 4, 20));
    Supplier<Integer> c1 = counter(), c2 = counter(); System.out.println(c1.get() + c1.get() + c2.get());
    BooleanSupplier yes = () -> true; ToLongFunction<String> len = s -> s.length(); ObjIntConsumer<String> p = (s, i) -> System.out.println(s + i); p.accept("p", (int) len.applyAsLong("four")); System.out.println(yes.getAsBoolean());
    Function<Object, String> f = Object::toString; Function<String, Object> g = f::apply; System.out.println(g.apply("bound"));
    Map<String, Function<Double, Double>> ops = new TreeMap<>(); ops.put("half", x -> x / 2); ops.put("neg", x -> -x); for (Map.Entry<String, Function<Double, Double>> e : ops.entrySet()) System.out.println(e.getKey() + e.getValue().apply(3.0));
    Object o = (Comparator<Integer> & java.io.Serializable) (a, b) -> b - a; System.out.println(o instanceof java.io.Serializable);
    BinaryOperator<UnaryOperator<Integer>> compose = (a, b) -> x -> b.apply(a.apply(x)); System.out.println(compose.apply(x -> x + 1, x -> x * x).apply(4));
  }
}
