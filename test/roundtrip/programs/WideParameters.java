public class WideParameters {
  static String all(long a, int b, double c, boolean d, char e, long f, float g, byte h, short i, String j, Object k, int[] l, long... m) { return a + b + c + "" + d + e + f + g + h + i + j + k + l.length + m.length; } final long x; final double y; WideParameters(long x, double y, int z) { this.x = x + z; this.y = y * z; } long sum(double d, long l) { return x + (long) d + l + (long) y; }
  static long swap(long a, long b, boolean s) { if (s) { long t = a; a = b; b = t; } return a * 1000 + b; } static double mix(int i, double d, float f, long l) { for (; i > 0; i--) { d += f; l -= (long) d; f *= 2; } return d + l; }
  public static void main(String[] args) { System.out.println(all(1L << 40, -2, .5, true, 'x', -3, 1.5f, (byte) 300, (short) -1, "s", null, new int[2], 7, 8)); System.out.println(new WideParameters(5, 2.5, 3).sum(9.9, -4) + " " + swap(1, 2, true) + swap(3, 4, false) + " " + mix(5, 1.25, .5f, 100)); }
}
