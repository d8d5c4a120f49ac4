public class LabelledBlocks {
  static String grade(int n) {
    String out = "";
    outer: {
      inner: {
        if (n < 0) break outer;
        if (n < 10) break inner;
        out += "big";
        if (n > 100) break outer;
      }
      out += "small";
      lone: if (n == 5) { out += "five"; if (out.length() > 3) break lone; out += "never"; }
    }
    return out + n;
  }
  static int search(int[][] grid, int wanted) {
    int found = -1;
    search: for (int[] row : grid) {
      for (int cell : row) {
        if (cell == wanted) { found = row.length; break search; }
        if (cell < 0) continue search;
      }
      found--;
    }
    return found;
  }
  public static void main(String[] args) {
    for (int n : new int[] {-3, 4, 5, 50, 500}) System.out.println(grade(n));
    int[][] grid = {{1, 2, 3}, {-1, 9}, {7, 8}, {}};
    for (int n : new int[] {3, 9, 8, 42}) System.out.println(search(grid, n));
    sw: switch (args.length) { case 0: for (int i = 0; ; i++) { if (i == 4) break sw; System.out.print(i); } default: System.out.print("no"); }
    System.out.println();
  }
}
