public class NestedTries {
  static int depth(int n) throws Exception {
    try {
      try {
        try { if (n == 0) throw new Exception("0"); if (n == 1) throw new IllegalStateException("1"); if (n == 2) throw new Error("2"); return Integer.parseInt(n == 3 ? "x" : "77"); }
        catch (NumberFormatException e) { throw new IllegalStateException("nf", e); }
      } catch (IllegalStateException e) { return e.getCause() == null ? -1 : -2; }
      finally { System.out.print("i"); }
    } catch (Error e) { System.out.print(e.getMessage()); throw new Exception("wrapped", e); }
    finally { System.out.print("o "); }
  }
  static void inCatch() {
    try { throw new RuntimeException("a"); }
    catch (RuntimeException e) {
      try { throw new IllegalArgumentException(e.getMessage() + "b"); }
      catch (IllegalArgumentException f) { System.out.println(f.getMessage() + e.getMessage()); }
      finally { try { Object o = null; o.hashCode(); } catch (NullPointerException g) { System.out.println("npe"); } }
    }
  }
  public static void main(String[] args) {
    for (int i = 0; i < 5; i++) try { System.out.println(depth(i)); } catch (Exception e) { System.out.println(e.getMessage() + " " + (e.getCause() instanceof Error)); }
    inCatch();
    try { try { throw new Exception("first"); } finally { Integer.parseInt("zz"); } } catch (Exception e) { System.out.println(e.getClass().getName()); }
  }
}
