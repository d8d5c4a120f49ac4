public class StaticNested {
  static class Counter { private static int made; private final int id = ++made; private int hits; static class View { private final Counter c; View(Counter c) { this.c = c; c.hits += 10; } int hits() { return c.hits + c.id; } } }
  private static int secret(Counter c) { return c.hits++ + Counter.made; }
  public static void main(String[] args) { Counter a = new Counter(), b = new Counter(); System.out.println(secret(a) + secret(a) + new Counter.View(b).hits() + " " + ++b.hits + (b.hits -= 3) + a.hits-- + a.hits); }
}
