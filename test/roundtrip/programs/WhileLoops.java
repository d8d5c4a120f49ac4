public class WhileLoops {
  static int gcd(int a, int b) { while (b != 0) { int t = a % b; a = b; b = t; } return a; }
  static int collatz(long n) { int steps = 0; while (n != 1) { n = (n & 1) == 0 ? n / 2 : 3 * n + 1; steps++; } return steps; }
  static int digits(int n) { int d = 0; do { d++; n /= 10; } while (n > 0); return d; }
  public static void main(String[] args) {
    System.out.println(gcd(84, 36) + " " + collatz(27) + " " + digits(0) + digits(12345));
    int i = 0;
    while (true) { if (++i > 10) break; if (i % 3 == 0) continue; System.out.print(i + ","); }
    System.out.println();
    do { i -= 3; if (i == 5) continue; if (i < 0) break; System.out.println(i); } while (i > -5);
    int k = 3;
    while (k --> 0) System.out.println("k" + k);
    for (;;) { k += 2; if (k > 5) break; }
    System.out.println(k);
  }
}
