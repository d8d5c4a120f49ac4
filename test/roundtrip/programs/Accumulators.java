public class Accumulators {
  static int total(int... v) { int t = 0; for (int i = v.length; i-- > 0; ) t += v[i]; return t; }
  static long wide(long seed, int n) { long a = seed; while (n --> 0) a = a * 6364136223846793005L + 1442695040888963407L; return a; }
  static double mean(double[] d) { double s = 0, c = 0; for (double x : d) { double y = x - c, t = s + y; c = (t - s) - y; s = t; } return d.length == 0 ? Double.NaN : s / d.length; }
  public static void main(String[] args) { System.out.println(total() + " " + total(1, 2, 3) + " " + wide(42, 10) + " " + mean(new double[] {1e16, 1, -1e16}) + " " + mean(new double[0])); }
}
