public class Assertions {
  static int calls; static boolean check(int n) { calls++; return n > 0; }
  static class Inner { static int v = 3; int go(int n) { assert n != v : "inner " + n; return n * 2; } }
  interface Checked { default int twice(int n) { assert n >= 0; return n * 2; } }
  static int sqrt(int n) { assert n >= 0 : n; int r = 0; while ((r + 1) * (r + 1) <= n) { assert r < 1000; r++; } assert r * r <= n && (r + 1) * (r + 1) > n : new Object() { public String toString() { return "bad"; } }; return r; }
  public static void main(String[] args) { assert check(-1); assert check(1) : "message" + calls++; System.out.println(calls + " " + sqrt(50) + new Inner().go(3) + new Checked() { }.twice(4)); try { throw new AssertionError("own", new RuntimeException("cause")); } catch (AssertionError e) { System.out.println(e.getMessage() + e.getCause().getMessage()); } try { throw new AssertionError(5); } catch (Error e) { System.out.println(e.getMessage()); } }
}
