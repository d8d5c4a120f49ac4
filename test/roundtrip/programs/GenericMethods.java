import java.util.*;
import java.util.function.*;
public class GenericMethods {
  static <T extends Comparable<? super T>> T max(Collection<? extends T> c) { T best = null; for (T t : c) if (best == null || t.compareTo(best) > 0) best = t; return best; }
  static <A, B> List<B> map(List<A> in, Function<? super A, ? extends B> f) { List<B> out = new ArrayList<>(); for (A a : in) out.add(f.apply(a)); return out; }
  @SafeVarargs static <T> T pick(int at, T... all) { return all[at]; }
  static <K, V extends Comparable<V>> K argMax(Map<K, V> m) { K k = null; V v = null; for (Map.Entry<K, V> e : m.entrySet()) if (v == null || e.getValue().compareTo(v) > 0) { k = e.getKey(); v = e.getValue(); } return k; }
  static class Pair<A, B> { final A a; final B b; Pair(A a, B b) { this.a = a; this.b = b; } <C> Pair<A, C> with(C c) { return new Pair<>(a, c); } Pair<B, A> swap() { return new Pair<>(b, a); } static <X> Pair<X, X> twin(X x) { return new Pair<>(x, x); } public String toString() { return "(" + a + "," + b + ")"; } }
  static class Tree<T extends Comparable<T>> { T v; Tree<T> l, r; Tree(T v) { this.v = v; } void add(T t) { if (t.compareTo(v) < 0) { if (l == null) l = new Tree<>(t); else l.add(t); } else if (r == null) r = new Tree<>(t); else r.add(t); } void walk(Consumer<? super T> c) { if (l != null) l.walk(c); c.accept(v); if (r != null) r.walk(c); } int height() { return 1 + Math.max(l == null ? 0 : l.height(), r == null ? 0 : r.height()); } }
  static <T> void swap(T[] a, int i, int j) { T t = a[i]; a[i] = a[j]; a[j] = t; }
  static <N extends Number & Comparable<N>> double clamp(N n, N lo, N hi) { return n.compareTo(lo) < 0 ? lo.doubleValue() : n.compareTo(hi) > 0 ? hi.doubleValue() : n.doubleValue(); }
  public static void main(String[] args) {
    System.out.println(max(List.of(3, 9, 4)) + max(Arrays.asList("b", "z", "a"))); System.out.println(map(List.of("a", "bb"), String::length));
    System.out.println(pick(1, "x", "y") + pick(0, 1, 2.0) + GenericMethods.<Object>pick(0, 'c')); Map<String, Integer> m = new LinkedHashMap<>(); m.put("one", 1); m.put("two", 2); System.out.println(argMax(m));
    System.out.println(new Pair<>(1, "s").with(2.5).swap() + "" + Pair.twin('q')); Tree<Integer> t = new Tree<>(5); for (int i : new int[] {2, 8, 1, 9, 3, 7}) t.add(i); StringBuilder s = new StringBuilder(); t.walk(s::append); System.out.println(s + " " + t.height());
    String[] a = {"p", "q"}; swap(a, 0, 1); System.out.println(a[0] + clamp(5, 1, 3) + clamp(2.5, 1.0, 3.0));
  }
}
