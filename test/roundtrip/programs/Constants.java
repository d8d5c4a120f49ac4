public class Constants {
  static final int I = 42; static final long L = 1L << 40; static final String S = "const\u0000\n\t\"\\'\u00e9\uD83D\uDE00"; static final char C = '\'';
  static final float F = Float.NaN; static final double D = -0.0; static final boolean B = true; static final byte Y = -128; static final short H = -1;
  static final double INF = 1 / 0.0; static final float NINF = -1 / 0f; static final long MIN = Long.MIN_VALUE; static final int IMIN = Integer.MIN_VALUE;
  static final Object NOT = "obj"; static final String NULL = null;
  public static void main(String[] args) {
    System.out.println(I + " " + L + " " + S + " " + C + F + D + B + Y + H + INF + NINF + MIN + IMIN + NOT + NULL);
    System.out.println(0x7fffffff + 0b1010 + 017 + 1_000);
    System.out.println(1e-10 + " " + 1e10f + " " + 123456789.123 + " " + 3.4028235e38f + " " + 4.9e-324 + " " + 100.0 + " " + 1.0E7);
    System.out.println((int) S.charAt(5) + " " + S.length() + (char) 0xffff + (int) '\uffff' + "\ud800".length());
    System.out.println(Integer.MIN_VALUE + " " + -2147483648 + " " + -9223372036854775808L + " " + Byte.MIN_VALUE + Character.MAX_VALUE);
    System.out.println(int.class + " " + String[].class + " " + void.class + " " + int[][].class.getName() + Constants.class.getName());
  }
}
