public class Arrays1 {
  public static void main(String[] args) {
    int[] a = new int[3]; a[0] = 5; a[2] = a[0]++ + a[0]; System.out.println(java.util.Arrays.toString(a));
    boolean[] z = {true, false}; byte[] b = {1, -1, 127}; char[] c = {'x', 'y'}; short[] s = {1, 2}; long[] l = {1L, -1L}; float[] f = {1f, 2.5f}; double[] d = {0.5}; String[] t = {"p", null, "q"};
    z[1] |= z[0]; b[0] += 5; c[1]++; s[0] -= 3; l[1] *= 4; f[0] /= 2; d[0]++; t[0] += "z";
    System.out.println(z[1] + " " + b[0] + c[1] + s[0] + l[1] + f[0] + d[0] + t[0] + t[1] + t.length);
    int[][] m = new int[2][3]; m[1][2] = 7; int[][] r = new int[2][]; r[0] = new int[] {1}; long[][][] q = new long[2][2][]; Object[] o = new String[1][1];
    System.out.println(m[1][2] + m[0].length + " " + (r[1] == null) + (q[1][1] == null) + o.length + o.getClass().getName());
    int[][] jag = {{1}, {2, 3}, {}}; int sum = 0; for (int[] x : jag) for (int y : x) sum += y; System.out.println(sum);
    try { o[0] = 1; } catch (ArrayStoreException e) { System.out.println("store"); }
    try { System.out.println(a[3]); } catch (ArrayIndexOutOfBoundsException e) { System.out.println("index"); }
    int[] copy = a.clone(); copy[0] = 100; System.out.println(a[0] + copy[0] + a.length); Object oa = new int[] {9}; System.out.println(((int[]) oa)[0] + (oa instanceof int[] ? "y" : "n") + (oa instanceof long[]));
  }
}
