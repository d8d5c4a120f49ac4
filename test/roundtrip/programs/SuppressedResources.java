public class SuppressedResources {
  static class Res implements AutoCloseable {
    final String name; final boolean fails;
    Res(String name, boolean fails) { this.name = name; this.fails = fails; System.out.print("+" + name + " "); }
    public void close() throws Exception { System.out.print("-" + name + " "); if (fails) throw new Exception("close " + name); }
  }
  static void run(boolean body, boolean first, boolean second) {
    try (Res a = new Res("a", first); Res none = null; Res b = new Res("b", second)) {
      System.out.print("body ");
      if (body) throw new IllegalStateException("body");
    } catch (Exception e) {
      StringBuilder s = new StringBuilder(e.getMessage());
      for (Throwable t : e.getSuppressed()) s.append(" & ").append(t.getMessage());
      System.out.print(s);
    } finally { System.out.println(" fin"); }
  }
  static int value(Res outer) throws Exception {
    try (outer) { try (Res in = new Res("in", false)) { return in.name.length() * 10; } }
  }
  static String loop() throws Exception {
    String out = "";
    for (int i = 0; i < 4; i++) try (Res r = new Res("l" + i, false)) { if (i == 1) continue; if (i == 3) break; out += r.name; }
    return out;
  }
  public static void main(String[] args) throws Exception {
    for (int i = 0; i < 8; i++) run((i & 1) != 0, (i & 2) != 0, (i & 4) != 0);
    System.out.println(value(new Res("out", false)));
    System.out.println(loop());
  }
}
