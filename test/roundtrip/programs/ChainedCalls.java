public class ChainedCalls {
  private final StringBuilder log = new StringBuilder(); private int depth; ChainedCalls open(String n) { log.append("  ".repeat(depth++)).append('<').append(n).append(">\n"); return this; } ChainedCalls text(Object t) { log.append("  ".repeat(depth)).append(t).append('\n'); return this; } ChainedCalls close() { depth--; return this; } ChainedCalls when(boolean c, java.util.function.UnaryOperator<ChainedCalls> f) { return c ? f.apply(this) : this; }
  static ChainedCalls make() { return new ChainedCalls(); } @Override public String toString() { return log.toString(); }
  public static void main(String[] args) { System.out.print(make().open("a").text(1).open("b").text('c').close().when(true, x -> x.text("yes")).when(false, x -> x.text("no")).close().text(null)); System.out.println("abc".concat("d").substring(1).toUpperCase().replace('C', 'x').indexOf("x") + new StringBuilder("q").append(1).reverse().insert(0, 2.5).deleteCharAt(1).length()); }
}
