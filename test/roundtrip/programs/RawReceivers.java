import java.util.*;
public class RawReceivers {
  static abstract class P<T> { T v; abstract T get(T t); void set(T t) { v = t; } Object raw() { return v; } Number cov() { return 1; } P<T> self() { return this; } }
  static class Q extends P<String> implements Comparable<Q>, Cloneable { String get(String s) { return s + v; } @Override void set(String t) { super.set(t + "!"); } @Override String raw() { return "raw" + super.raw(); } @Override Integer cov() { return super.cov().intValue() + 1; } @Override Q self() { return this; } public int compareTo(Q o) { return v.compareTo(o.v); } @Override public Q clone() { try { return (Q) super.clone(); } catch (CloneNotSupportedException e) { throw new AssertionError(e); } } }
  interface I<A> { A f(A a); default A g(A a) { return f(f(a)); } } interface J extends I<Integer> { @Override default Integer f(Integer a) { return a + 1; } static int h() { return 5; } private int p() { return 9; } default int q() { return p() + h(); } }
  interface K { default String who() { return "K"; } } interface L2 { default String who() { return "L"; } } static class M implements K, L2 { public String who() { return K.super.who() + L2.super.who(); } }
  interface Consts { int A = 5; String B = "b" + A; List<String> LIST = new ArrayList<>(Arrays.asList("x")); int[] ARR = {1, 2}; } static class Impl implements Consts { int sum() { return A + ARR[1] + LIST.size(); } }
  static class Hide { int x = 1; static String s() { return "H"; } int get() { return x; } } static class Hide2 extends Hide { int x = 2; static String s() { return "H2"; } int get() { return super.x + x + ((Hide) this).x + super.get(); } }
  public static void main(String[] args) {
    Q q = new Q(); q.set("a"); P<String> p = q; System.out.println(p.get("z") + p.raw() + p.cov() + q.cov() + p.self().v + q.clone().v + q.compareTo(q)); ((P) q).set("raw"); System.out.println(q.v); try { ((P) q).set(5); } catch (ClassCastException e) { System.out.println("cce"); }
    J j = new J() { }; System.out.println(j.g(4) + j.q() + J.h()); I<Integer> i = j; System.out.println(i.f(1)); I<String> is = s -> s + s; System.out.println(is.g("a") + new M().who() + new Impl().sum() + Consts.B); Hide h = new Hide2(); System.out.println(h.x + h.get() + h.s() + ((Hide2) h).x + Hide2.s()); Comparable c = "s"; try { c.compareTo(1); } catch (ClassCastException e) { System.out.println("cce2"); }
  }
}
