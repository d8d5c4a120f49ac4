import java.util.Arrays;
public class ArraysOfArrays {
  static int[][] triangle(int n) { int[][] t = new int[n][]; for (int i = 0; i < n; i++) { t[i] = new int[i + 1]; t[i][0] = t[i][i] = 1; for (int j = 1; j < i; j++) t[i][j] = t[i - 1][j - 1] + t[i - 1][j]; } return t; }
  static <T> T[] fill(T[] a, T v) { for (int i = 0; i < a.length; i++) a[i] = v; return a; }
  static int at; static int next() { return at++; }
  public static void main(String[] args) {
    System.out.println(Arrays.deepToString(triangle(5)));
    int[][][] cube = new int[2][3][]; cube[1][2] = new int[] {7}; System.out.println(cube[1][2][0] + " " + (cube[0][0] == null) + cube.length + cube[1].length);
    long[] l = {1, 2L, 'c', (byte) 4}; double[] d = {1, 2f, 3L}; char[] c = {65, 'b'}; byte[] b = {1, -1, (byte) 200}; boolean[][] z = {{true}, {}, {false, true}}; String[][] s = {{"a", null}, null}; float[] f = {1, 'a'}; short[] h = {(short) 70000};
    System.out.println(l[2] + d[2] + c[0] + b[2] + " " + z[2][1] + s[0][1] + s[1] + f[1] + h[0]);
    int[] x = {0, 0, 0}; x[next()] = next() + next(); x[next() - 1] += 5; System.out.println(Arrays.toString(x) + at);
    int[] y = x.clone(); y[0]++; System.out.println(x[0] + " " + y[0]); Object o = x; System.out.println(((int[]) o).length + " " + (o instanceof int[]) + (o instanceof Object[]));
    try { Object[] objects = new String[1]; objects[0] = 1; } catch (ArrayStoreException e) { System.out.println("store"); }
    try { int[] n = new int[-1]; } catch (NegativeArraySizeException e) { System.out.println("negative"); }
    try { x[3] = 1 / (at - 4); } catch (ArithmeticException | ArrayIndexOutOfBoundsException e) { System.out.println(e.getClass().getSimpleName()); }
    System.out.println(fill(new String[2], "q")[1] + Arrays.asList(fill(new Integer[3], 4))); int i = 0; i = x[i] = 2; System.out.println(i + x[0]); int[][] rect = new int[3][4]; rect[1][2]++; rect[1][2] <<= 3; rect[2][3]--; System.out.println(Arrays.deepToString(rect)); for (int[] row : rect) for (int v : row) if (v != 0) System.out.print(v); System.out.println();
  }
}
