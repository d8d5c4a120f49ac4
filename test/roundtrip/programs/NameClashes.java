public class NameClashes {
  static int NameClashes = 1; int value; static java.lang.String String = "field"; static int length(int length) { int[] lengths = new int[length]; return lengths.length + length; }
  static class value { int value = 3; value value() { return this; } value with(int value) { this.value = value; return value(); } }
  static int i(int i) { for (int j = 0; j < 3; j++) { int k = i; { int l = k; i += l; } { long l = k; i += (int) l; } } return i; }
  static class System2 { static java.lang.String out = "mine"; } static class $ { int $ = 5; int $$() { return $; } } static class _a { int _b; int a_1; }
  enum main { main, args; java.lang.String main() { return name() + ordinal(); } } static java.lang.String toString(int i) { return "static" + i; } int hashCode(int x) { return x; }
  static void println(Object o) { System.out.println("own:" + o); } static class Object2 { public boolean equals(Object2 o) { return true; } }
  void shadow(int value) { this.value = value; value++; { class value { int get() { return 42; } } this.value += value + new value().get(); } }
  interface outs { int println = 9; } static class Exception2 extends Exception { final Exception e; Exception2(Exception e) { super(e.getMessage()); this.e = e; } }
  public static void main(java.lang.String[] args) {
    println(NameClashes + String + length(3)); value value = NameClashes$value(); println(value.value().value + i(2)); println(System2.out + new $().$$() + new _a()._b + main.args.main() + main.valueOf("main")); println(toString(4) + new NameClashes().hashCode(6)); println(new Object2().equals((Object) null) + "" + new Object2().equals((Object2) null)); NameClashes c = new NameClashes(); c.shadow(5); println(c.value + outs.println); int args1 = args.length; java.lang.String java = "j"; println(java + args1); try { throw new Exception2(new Exception("in")); } catch (Exception2 e) { Exception e2 = e.e; println(e.getMessage() + e2.getMessage()); } int var = 1, record = 2, yield = 3, sealed = 4; println(var + record + yield + sealed);
  }
  static value NameClashes$value() { return new value().with(8); }
}
