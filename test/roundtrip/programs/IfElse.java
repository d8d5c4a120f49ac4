public class IfElse {
  static String sign(int x) { if (x < 0) return "neg"; else if (x == 0) return "zero"; return "pos"; }
  static int clamp(int x, int lo, int hi) { if (x < lo) x = lo; if (x > hi) { x = hi; } return x; }
  static int nested(boolean a, boolean b, boolean c) {
    int r = 0;
    if (a) { if (b) r += 1; else r += 2; } else { if (c) { r += 4; } }
    return r * 10;
  }
  public static void main(String[] args) {
    for (int i = -2; i < 3; i++) System.out.println(sign(i) + clamp(i * 4, -3, 5));
    for (int i = 0; i < 8; i++) System.out.println(nested((i & 1) != 0, (i & 2) != 0, (i & 4) != 0));
  }
}
