public class FloatArithmetic {
  static String cmp(double a, double b) { return (a < b) + "" + (a <= b) + (a > b) + (a >= b) + (a == b) + (a != b); }
  static String cmpf(float a, float b) { return (a < b) + "" + !(a <= b) + (a > b) + !(a >= b) + (a == b) + (a != b); }
  public static void main(String[] args) {
    double[] v = {0.0, -0.0, 1.5, -2.25, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1e-300, 1e300};
    for (double a : v) for (double b : v) {
      System.out.println(cmp(a, b) + cmpf((float) a, (float) b));
      System.out.println((a + b) + " " + (a - b) + " " + a * b + " " + a / b + " " + a % b + " " + (float) a / (float) b);
    }
    for (double a : v) System.out.println((int) a + " " + (long) a + " " + (byte) a + " " + (char) (int) a + " " + (float) a + " " + -a);
    float f = 16777216f; f++; f += 0.1; System.out.println(f + " " + 1.0f / 3 + " " + 1 / 3.0 + " " + 0x1.8p3 + " " + Float.MIN_VALUE);
    double d = 5; d %= 3; d++; d /= 2; System.out.println(d + " " + Math.sqrt(d) + " " + Double.doubleToLongBits(-0.0));
  }
}
