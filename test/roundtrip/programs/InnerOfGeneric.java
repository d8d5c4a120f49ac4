import java.util.*;
public class InnerOfGeneric<T> {
  private T held; private int count;
  class Node { T value; Node next; Node(T v) { value = v; next = head; head = this; count++; }
    class Cursor { Node at = Node.this; T take() { T v = at.value; at = at.next; held = v; return v; } boolean more() { return at != null; } }
    Cursor cursor() { return new Cursor(); } }
  Node head;
  <R extends Collection<? super T>> R into(R r) { if (head == null) return r; Node.Cursor c = head.new Cursor(); while (c.more()) r.add(c.take()); return r; }
  static <Q> InnerOfGeneric<Q> of(Q... qs) { InnerOfGeneric<Q> t = new InnerOfGeneric<>(); for (Q q : qs) t.new Node(q); return t; }
  static class Sub extends InnerOfGeneric<String> { class Deep extends Node { Deep(String s) { super(s + "!"); } } Deep deep(String s) { return new Deep(s); } }
  static class Ext extends InnerOfGeneric<Integer>.Node { Ext(InnerOfGeneric<Integer> o, int v) { o.super(v); } int twice() { return value * 2; } }
  public static void main(String[] args) {
    InnerOfGeneric<Integer> t = of(1, 2, 3); System.out.println(t.into(new ArrayList<Number>()) + " " + t.held + " " + t.count);
    Sub s = new Sub(); s.deep("a"); s.deep("b"); System.out.println(s.into(new LinkedList<Object>()));
    System.out.println(new Ext(t, 21).twice() + " " + t.head.cursor().take() + " " + t.count);
    InnerOfGeneric<Integer>.Node.Cursor c = t.head.next.new Cursor(); c.take(); System.out.println(c.take() + t.held);
  }
}
