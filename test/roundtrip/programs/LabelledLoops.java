public class LabelledLoops {
  public static void main(String[] args) {
    outer:
    for (int i = 0; i < 5; i++) {
      for (int j = 0; j < 5; j++) {
        if (j == 3) continue outer;
        if (i * j == 6) break outer;
        if (i == 3) { if (j == 1) continue; }
        System.out.println(i + ":" + j);
      }
      System.out.println("end " + i);
    }
    block: { if (args.length == 0) break block; System.out.println("never"); }
    int n = 0;
    a: while (n < 50) {
      b: do {
        n += 7;
        if (n % 2 == 0) continue b;
        if (n % 5 == 0) continue a;
        if (n > 40) break a;
        for (int q = 0; ; q++) { if (q == n % 4) continue a; if (q > 2) break b; n++; }
      } while (n < 30);
      n += 1;
    }
    System.out.println(n);
  }
}
