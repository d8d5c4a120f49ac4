public class EvaluationOrder {
  static StringBuilder log = new StringBuilder();
  static int at(int i) { log.append(i); return i; }
  static int[] arr() { log.append('a'); return new int[] {1, 2, 3}; }
  static int fail() { log.append('F'); throw new IllegalStateException("fail"); }
  static int f; static int readF() { return f; } static int setF(int v) { f = v; return v; }
  static int three(int a, int b, int c) { log.append('T'); return a * 100 + b * 10 + c; }
  public static void main(String[] args) {
    System.out.println(three(at(1), at(2), at(3)) + at(4) * at(5));
    try { arr()[at(7)] = fail(); } catch (RuntimeException e) { log.append(e.getMessage()); }
    try { arr()[at(7)] = at(1); } catch (RuntimeException e) { log.append(e.getClass().getSimpleName()); }
    int x = f + setF(3) + f; log.append(x);
    int y = readF() * setF(5) + readF(); log.append(y);
    int[] a = {1, 2}; int i = 0; a[i] = i = 1; log.append(a[0]).append(a[1]);
    int before = f; f = 99; log.append(before).append(f); int z = at(1) / (at(2) - 2 + at(0) + 1); log.append(z);
    try { int d = at(5) / at(0); log.append(d); } catch (ArithmeticException e) { log.append("/"); }
    String s = "" + f + (f = 2) + f; log.append(s); System.out.println(log);
  }
}
