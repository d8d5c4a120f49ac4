public class ShortCircuit {
  static int calls;
  static boolean t(int i) { calls = calls * 10 + i; return true; }
  static boolean f(int i) { calls = calls * 10 + i; return false; }
  public static void main(String[] args) {
    boolean[] r = {
      t(1) && f(2) || t(3), f(4) || f(5) && t(6), (t(1) || f(2)) && (f(3) || t(4)), !(t(1) && !f(2)), t(1) ^ t(2), f(1) | t(2), t(3) & f(4),
    };
    for (boolean b : r) System.out.println(b);
    System.out.println(calls);
    int n = 0;
    if (t(1) && (f(2) || t(3) && !f(4)) || t(5)) n = 7;
    System.out.println(n + " " + calls);
    while (calls % 2 == 0 && n-- > 0 || n > 100) calls++;
    System.out.println(n + " " + calls);
  }
}
