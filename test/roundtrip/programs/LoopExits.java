public class LoopExits {
  static int firstOver(int[] values, int bound) {
    for (int value : values) if (value > bound) return value;
    return -1;
  }
  static String nested(int n) {
    StringBuilder out = new StringBuilder();
    rows:
    for (int i = 0; i < n; i++) {
      int j = 0;
      while (true) {
        if (j == i) { out.append('|'); continue rows; }
        do {
          j++;
          if (j > 6) break rows;
          if ((j & 1) == 0) continue;
          out.append(j);
        } while (j < i);
        out.append('.');
      }
    }
    return out.toString();
  }
  static int spin(int n) {
    int turns = 0;
    for (;;) {
      if (n == 1) return turns;
      n = (n % 2 == 0) ? n / 2 : 3 * n + 1;
      turns++;
    }
  }
  public static void main(String[] args) {
    System.out.println(firstOver(new int[] {1, 5, 9}, 4) + " " + firstOver(new int[0], 4));
    System.out.println(nested(9));
    for (int n = 1; n < 30; n += 7) System.out.print(spin(n) + ",");
    System.out.println();
  }
}
