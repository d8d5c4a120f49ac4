import java.util.*;
import java.util.function.*;
public class BridgeMethods {
  interface Box<T> { T get(); void set(T t); default String show() { return "[" + get() + "]"; } }
  static class IntBox implements Box<Integer>, Comparable<IntBox> { int n; public Integer get() { return n; } public void set(Integer i) { n = i; } public int compareTo(IntBox o) { return Integer.compare(n, o.n); } }
  static abstract class Node<T extends Comparable<T>> { abstract T key(); boolean less(Node<T> o) { return key().compareTo(o.key()) < 0; } Node<T> self() { return this; } Object any() { return key(); } }
  static class Word extends Node<String> { final String s; Word(String s) { this.s = s; } @Override String key() { return s; } @Override Word self() { return new Word(s + s); } @Override String any() { return "any" + s; } }
  static class Visitor<R> { R visit(Object o) { return null; } R visit(String s) { return visit((Object) s); } }
  static class Length extends Visitor<Integer> { @Override Integer visit(Object o) { return 7; } @Override Integer visit(String s) { return super.visit(s) + s.length(); } }
  @SuppressWarnings({"unchecked", "rawtypes"}) public static void main(String[] args) {
    IntBox b = new IntBox(); b.set(4); Box<Integer> g = b; g.set(g.get() + 1); System.out.println(g.show() + b.compareTo(new IntBox()));
    Box raw = b; try { raw.set("text"); } catch (ClassCastException e) { System.out.println("cce"); }
    Node<String> n = new Word("w"); System.out.println(n.self().key() + n.any() + n.less(new Word("x")));
    Visitor<Integer> v = new Length(); System.out.println(v.visit("abc") + v.visit(5));
    List<IntBox> list = new ArrayList<>(); for (int i : new int[] {3, 1, 2}) { IntBox x = new IntBox(); x.set(i); list.add(x); } Collections.sort(list); for (IntBox x : list) System.out.print(x.get()); System.out.println();
    List<String> strings = new ArrayList<>(); ((List) strings).add(5); try { String s = strings.get(0); System.out.println(s); } catch (ClassCastException e) { System.out.println("heap pollution"); }
    Supplier<? extends Number> s = () -> 3.5; System.out.println(s.get().intValue());
  }
}
