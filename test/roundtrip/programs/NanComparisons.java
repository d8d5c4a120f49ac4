public class NanComparisons {
  static double nan = Double.NaN, one = 1, inf = 1 / 0.0, nz = -0.0; static float fn = Float.NaN, fz = -0f;
  static String cmp(double a, double b) { return "" + (a < b) + (a <= b) + (a > b) + (a >= b) + (a == b) + (a != b) + !(a < b) + !(a >= b); }
  static String cmpf(float a, float b) { String s = ""; if (a < b) s += "<"; else s += "!<"; if (a > b) s += ">"; else s += "!>"; if (!(a <= b)) s += "n<="; if (!(a >= b)) s += "n>="; while (a != b) { s += "!="; break; } return s; }
  static int loop(double limit) { int n = 0; for (double d = 0; !(d >= limit) && n < 5; d += 1) n++; return n; }
  static double pick(double a, double b) { return a > b ? a : b; } static boolean both(float a, float b) { return a < b || a >= b; } static boolean neither(double a, double b) { return !(a < b) && !(a > b); }
  static int lcmp(long a, long b) { return a < b ? -1 : a == b ? 0 : 1; }
  public static void main(String[] args) {
    double[] all = {nan, one, inf, -inf, nz, 0.0};
    for (double a : all) { for (double b : all) System.out.print((cmp(a, b).hashCode() & 0xff) + " " + pick(a, b) + " " + neither(a, b) + ";"); System.out.println(); }
    for (float a : new float[] {fn, fz, 0f, 1f}) for (float b : new float[] {fn, 1f}) System.out.print(cmpf(a, b) + both(a, b) + " "); System.out.println();
    System.out.println(loop(nan) + " " + loop(3) + " " + (nz == 0) + Double.valueOf(nz).equals(0.0) + 1 / nz + Math.min(nz, 0.0) + (nan == nan)); System.out.println((int) nan + " " + (int) inf + " " + (long) -inf + " " + (int) 3.99e9f + " " + (char) -1.5 + " " + (byte) 300.7 + " " + (short) 1e10 + " " + (float) 1e300 + " " + (int) -0.9 + " " + 5.5 % nz + " " + inf % 2 + " " + -7.5 % 2 + " " + 0.1f + " " + (double) 0.1f + " " + (0.1 + 0.2) + " " + 1e21 + " " + 100.0 + " " + 1.0e-5 + " " + Float.MIN_VALUE + " " + Double.MAX_VALUE);
    System.out.println(lcmp(1, 2) + "" + lcmp(Long.MIN_VALUE, Long.MAX_VALUE) + lcmp(5, 5)); boolean less = nan < one, notLess = !(nan < one), geq = nan >= one; System.out.println(less + "" + notLess + geq); System.out.println(nan > 1 ? "a" : nan < 1 ? "b" : nan == 1 ? "c" : "d");
  }
}
