public class LongArithmetic {
  public static void main(String[] args) {
    long[] v = {0L, 1L, -1L, 7L, -13L, Long.MAX_VALUE, Long.MIN_VALUE, 0x123456789abcdefL};
    for (long a : v) for (long b : v) {
      long r = a + b; r = r * 31 + (a - b); r = r * 31 + a * b;
      if (b != 0) { r = r * 31 + a / b; r = r * 31 + a % b; }
      r ^= a << b; r += a >> b; r -= a >>> b; r |= a & b; r = ~r; r = -r;
      System.out.println(r + (a < b ? "<" : a > b ? ">" : "="));
    }
    int i = (int) 0xffffffffffL; long l = i; l += 1.5f; l <<= 40; l >>>= i;
    System.out.println(i + " " + l + " " + (short) l + " " + (byte) (l >> 3) + " " + (char) 98L);
  }
}
