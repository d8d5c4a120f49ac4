public class ForVariants {
  public static void main(String[] args) {
    for (int i = 0, j = 10; i < j; i += 2, j--) System.out.println(i + " " + j);
    int sum = 0;
    for (long l = 1; l < 1_000_000_000_000L; l *= 10) sum++;
    for (char c = 'a'; c <= 'e'; c++) System.out.print(c);
    for (double d = 0; d < 1; d += 0.25) System.out.print(" " + d);
    System.out.println(sum);
    for (byte b = 126; b > 0; b++) System.out.println(b);
    int i = 0;
    for (; i < 3; ) i++;
    for (int x : new int[] {3, 1, 2}) { if (x == 1) continue; System.out.println(x); }
    for (int[] row : new int[][] {{1, 2}, {}, {3}}) for (int x : row) System.out.print(x);
    System.out.println(i);
    for (String s : java.util.List.of("a", "b")) for (char c : s.toCharArray()) System.out.println(s + c);
  }
}
