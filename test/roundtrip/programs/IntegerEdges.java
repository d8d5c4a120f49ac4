public class IntegerEdges {
  static int max = Integer.MAX_VALUE, min = Integer.MIN_VALUE, zero; static long lmin = Long.MIN_VALUE, lmax = Long.MAX_VALUE;
  public static void main(String[] args) {
    System.out.println((max + 1) + " " + (min - 1) + " " + -min + " " + Math.abs(min) + " " + (min / -1) + " " + (min % -1) + " " + (max * max) + " " + (min >> 31) + " " + (min >>> 31) + " " + ~max);
    System.out.println((lmin - 1) + " " + -lmin + " " + (lmin / -1) + " " + (lmax * 2) + " " + (lmin >>> 63) + " " + (lmin >> 63) + " " + ~0L);
    for (int s = -33; s < 70; s += 17) System.out.print((1 << s) + " " + (min >> s) + " " + (-1 >>> s) + " " + (1L << s) + " " + (-1L >>> s) + ";");
    System.out.println();
    System.out.println((-7 / 2) + " " + (-7 % 2) + " " + (7 % -2) + " " + (-7 >> 1) + " " + (-7 >>> 28) + " " + (-7L / 2) + " " + (-7L % 3) + " " + (byte) 300 + " " + (short) -40000 + " " + (char) 65601 + " " + (int) 5000000000L + " " + (byte) 0x1ffL);
    try { System.out.println(1 / zero); } catch (ArithmeticException e) { System.out.println("div"); } try { System.out.println(1L % zero); } catch (ArithmeticException e) { System.out.println("rem"); }
    System.out.println(0x7fff_ffff + 0b1010 + 017 + 1_000 + 0xFFFFFFFFL + " " + 'a' * 2 + (char) ('a' + 2) + (int) 'z' + (short) 'a'); int x = 0x80; System.out.println((x << 24 >> 24) + " " + (x << 24 >>> 24) + " " + (x & -x) + " " + (x ^ x >> 1) + " " + -x * -x + " " + - -x + " " + ~-x + " " + -~x); int i = 5; i = i++ + ++i; System.out.println(i); i = i-- - --i; System.out.println(i); i += i++ * 2 + i; System.out.println(i); System.out.println(1 + 2 + "3" + 4 * 5 + (6 - 7) + -8); System.out.println((5 & 6 | 1 ^ 3) + " " + (5 & (6 | 1) ^ 3) + " " + (1 + 2 << 3 - 1) + " " + (16 >> 1 + 1 >>> 1) + " " + (10 - (5 - 3)) + " " + (100 / (10 / 3)) + " " + 7 * (3 % 2) + " " + (2 - -3));
  }
}
