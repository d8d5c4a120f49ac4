public class IntArithmetic {
  public static void main(String[] args) {
    int[] v = {0, 1, -1, 7, -7, Integer.MAX_VALUE, Integer.MIN_VALUE, 12345};
    for (int a : v) for (int b : v) {
      int r = a + b; r = r * 31 + (a - b); r = r * 31 + a * b;
      if (b != 0) { r = r * 31 + a / b; r = r * 31 + a % b; }
      r ^= a << b; r += a >> b; r -= a >>> b; r |= a & b; r = ~r; r = -r;
      System.out.println(r);
    }
    int x = 5; x += 3.7; x -= 'a'; x *= 2L; x <<= 33; x >>>= 1; x %= 7; x /= -2;
    System.out.println(x);
    short s = 10; s += 40000; s++; byte b = (byte) 300; b >>= 1; b >>>= 1; char c = 'z'; c += 1; c--; --c;
    System.out.println(s + " " + b + " " + c + " " + (c + 1) + " " + (char) (c + 1));
  }
}
