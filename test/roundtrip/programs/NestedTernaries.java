public class NestedTernaries {
  static int log; static boolean t(int bit) { log |= 1 << bit; return true; } static boolean f(int bit) { log |= 1 << bit; return false; }
  static String sign(int a) { return a < 0 ? a < -10 ? "very negative" : "negative" : a == 0 ? "zero" : a > 10 ? "very positive" : "positive"; }
  static int pick(boolean a, boolean b, boolean c) { return a ? b ? c ? 1 : 2 : c ? 3 : 4 : b ? c ? 5 : 6 : c ? 7 : 8; }
  static boolean logic(boolean a, boolean b, boolean c) { return a ? !b : b && c; }
  static boolean mess(int x, int y) { return (x > 3 ? y < 4 : y > 4) && (x != y ? x + y < 20 : x > 100) || !(x < 0 ? y < 0 : y == 0) && x % 2 == 1; }
  static int both(int[] a, int i) { return (i < a.length ? a : new int[] {9})[i < a.length ? i : 0] + (i > 1 ? i++ : ++i) * i; }
  public static void main(String[] args) {
    for (int i : new int[] {-50, -5, 0, 5, 50}) System.out.print(sign(i) + " "); System.out.println();
    for (int i = 0; i < 8; i++) System.out.print(pick((i & 4) != 0, (i & 2) != 0, (i & 1) != 0) + "" + logic((i & 4) != 0, (i & 2) != 0, (i & 1) != 0) + " "); System.out.println();
    int n = 0; for (int x = -3; x < 12; x++) for (int y = -2; y < 9; y++) if (mess(x, y)) n += x * 31 + y; System.out.println(n);
    System.out.println(both(new int[] {1, 2}, 0) + both(new int[] {1, 2}, 5)); boolean r = t(0) && f(1) || t(2) && !f(3) && (f(4) | t(5)) || t(6); System.out.println(r + " " + log); log = 0; r = (t(0) ? f(1) : t(2)) ? t(3) : f(4) || t(5) ^ f(6); System.out.println(r + " " + log); log = 0; if (!(f(0) || t(1) && !(f(2) || f(3))) || f(4) & t(5)) System.out.println("in"); else System.out.println("out " + log); Object o = n > 0 ? n : null; System.out.println(o == null ? "n" : o instanceof Integer ? "i" : "o"); long w = n > 0 ? 1 : 2L; double d = n < 0 ? w : n > 1000 ? 2f : 'c'; System.out.println(w + d); String s; if ((s = n == 0 ? null : "set") != null && s.length() == 3 ? log > 0 : log < 0) System.out.println(s); int a = 1, b = 2, c; c = a > b ? a = 5 : (b = 6); System.out.println(a + b + c); while ((a = a < 10 ? a + 3 : 0) != 0) System.out.print(a); System.out.println(); System.out.println((a == 0 ? new int[] {4, 5} : null)[1]); throw n > 5 ? new IllegalStateException("big") : new IllegalArgumentException("small");
  }
}
