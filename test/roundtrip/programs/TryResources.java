public class TryResources {
  static class R implements AutoCloseable { final String n; final boolean bad; R(String n, boolean bad) { this.n = n; this.bad = bad; System.out.println("open " + n); } public void close() { System.out.println("close " + n); if (bad) throw new IllegalStateException("close " + n); } }
  static int use(boolean fail, boolean bad) { try (R a = new R("a", bad); R b = new R("b", false)) { if (fail) throw new RuntimeException("body"); return a.n.length() + b.n.length(); } catch (RuntimeException e) { System.out.println(e.getMessage() + " " + e.getSuppressed().length); return -1; } finally { System.out.println("fin"); } }
  static void nul() { try (R r = null) { System.out.println("null ok"); } }
  static void outer() { R r = new R("o", false); try (r) { System.out.println(r.n); } }
  static String loop() { StringBuilder s = new StringBuilder(); for (int i = 0; i < 3; i++) { try (R r = new R("l" + i, false)) { if (i == 0) continue; s.append(r.n); if (i == 1) break; } } return s.toString(); }
  public static void main(String[] args) throws Exception {
    System.out.println(use(false, false)); System.out.println(use(true, false)); System.out.println(use(true, true)); System.out.println(use(false, true)); nul(); outer(); System.out.println(loop());
    try (java.io.StringReader in = new java.io.StringReader("abc")) { int c; while ((c = in.read()) != -1) System.out.print((char) c + "."); }
    System.out.println();
  }
}
