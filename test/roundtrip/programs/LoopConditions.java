public class LoopConditions {
  static int calls;
  static boolean more(int limit) { return ++calls < limit; }
  public static void main(String[] args) {
    int a = 0, b = 10;
    while (a < b && more(5) || b - a > 6) { a++; b--; }
    System.out.println(a + " " + b + " " + calls);
    do ; while (more(20));
    System.out.println(calls);
    int k = 0;
    while (k++ < 5) if (k == 3) continue; else System.out.print(k);
    System.out.println(" " + k);
    for (int i = 0, j = 9; i < j; i += 2, j--) System.out.print(i + "" + j + " ");
    System.out.println();
    boolean done = false;
    while (!done) { if (--k < 0) done = true; else if (k == 2) { k = 0; continue; } System.out.print(k + ";"); }
    System.out.println();
    long l = 1;
    do l <<= 3; while (l > 0 && l < 1L << 50);
    System.out.println(l);
    for (char c = 'a'; c <= 'e'; c++) for (byte x = 0; x < c - 'a'; x++) System.out.print(c);
    System.out.println();
    float f = 0; int rounds = 0;
    for (; f < 1f; f += 0.1f) rounds++;
    System.out.println(rounds);
  }
}
