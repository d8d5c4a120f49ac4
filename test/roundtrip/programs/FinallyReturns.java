public class FinallyReturns {
  @SuppressWarnings("finally") static int overridden() { try { return 1; } finally { return 2; } }
  @SuppressWarnings("finally") static int swallowed() { try { throw new IllegalStateException("lost"); } finally { return 3; } }
  static int kept() { int x = 1; try { return x; } finally { x = 50; System.out.print("f" + x + " "); } }
  @SuppressWarnings("finally") static int breaking() { int n = 0; while (true) { try { n++; if (n == 2) continue; if (n == 5) return n; } finally { if (n > 3) break; n += 10; } } return -n; }
  static String nested(int n) {
    StringBuilder s = new StringBuilder();
    try {
      s.append('a');
      try { if (n == 1) throw new RuntimeException("one"); s.append('b'); if (n == 2) return s.append("r").toString(); }
      finally { s.append('c'); if (n == 3) throw new IllegalArgumentException("three"); }
      s.append('d');
    } catch (IllegalArgumentException e) { s.append(e.getMessage()); }
    catch (RuntimeException e) { s.append(e.getMessage()); return s.append('R').toString(); }
    finally { s.append('z'); System.out.print("[" + s + "]"); }
    return s.toString();
  }
  static int loop() {
    int sum = 0;
    for (int i = 0; i < 6; i++) {
      try { if (i == 1) continue; if (i == 4) break; sum += i; } finally { sum += 100; }
    }
    return sum;
  }
  public static void main(String[] args) {
    System.out.println(overridden() + " " + swallowed() + " " + kept() + " " + breaking() + " " + loop());
    for (int i = 0; i < 4; i++) System.out.println(nested(i));
  }
}
