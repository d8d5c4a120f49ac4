public class TryFinally {
  static StringBuilder log = new StringBuilder();
  static int ret(int i) { try { if (i == 0) return 10; if (i == 1) throw new RuntimeException("r"); log.append("b"); } catch (RuntimeException e) { log.append("c"); return 20; } finally { log.append("f").append(i); } return 30; }
  @SuppressWarnings("finally") static int override() { try { throw new RuntimeException(); } finally { return 5; } }
  static int value() { int x = 1; try { return x; } finally { x = 2; log.append(x); } }
  static int loop() { int n = 0; for (int i = 0; i < 5; i++) { try { if (i == 1) continue; if (i == 3) break; n += i; } finally { n += 100; } } return n; }
  static void nest() { try { try { log.append("1"); throw new IllegalStateException("x"); } finally { log.append("2"); } } catch (IllegalStateException e) { log.append(e.getMessage()); } finally { try { log.append("3"); Integer.parseInt("q"); } catch (NumberFormatException e) { log.append("4"); } finally { log.append("5"); } } }
  static boolean cond(boolean a) { try { return a && log.append("?").length() > 0; } finally { if (a) log.append("A"); else log.append("B"); } }
  public static void main(String[] args) {
    System.out.println(ret(0) + ret(1) + ret(2) + override() + value() + loop()); nest(); cond(true); cond(false); System.out.println(log);
    try { try { throw new RuntimeException("one"); } finally { log.append(Integer.parseInt("7")); } } catch (RuntimeException e) { System.out.println(e.getMessage() + log.length()); }
    int i = 0; while (true) { try { try { i++; if (i < 3) continue; } finally { i += 10; } break; } finally { System.out.println(i); } }
  }
}
