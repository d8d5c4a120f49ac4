public class ConditionalAssignments {
  static int a(int n) { final int r; if (n > 10) { if (n > 20) r = 3; else r = 2; } else switch (n) { case 1: r = 10; break; case 2: r = 20; break; default: r = n < 0 ? -1 : 0; } return r; }
  static String b(Object o) { String s; boolean ok; if (ok = o instanceof String) s = (String) o; else if (o == null) { s = "null"; ok = true; } else s = o.toString(); return ok ? s : "<" + s + ">"; }
  static int c(int x) { int y, z; y = z = x; if ((y += 2) > 5 && (z = y * 2) > 15) y = z; return y + z; } static int d(int[] v) { int best = Integer.MIN_VALUE, at = -1, i = 0; for (int x : v) { if (x > best) { best = x; at = i; } i++; } return at; }
  static boolean e(String s) { int n; return s != null && (n = s.length()) > 2 && s.charAt(n - 1) == 'x'; } static int f(int n) { int k = n; k = k > 0 ? k-- : k++; k += k++ + ++k; return k; }
  public static void main(String[] args) { for (int n : new int[] {-5, 0, 1, 2, 15, 25}) System.out.print(a(n) + " " + c(n) + " " + f(n) + ";"); System.out.println(b("s") + b(null) + b(5) + d(new int[] {3, 9, 9, 1}) + d(new int[0]) + e("abx") + e("ab") + e(null)); }
}
