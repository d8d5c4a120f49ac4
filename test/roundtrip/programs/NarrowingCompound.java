public class NarrowingCompound {
  static byte sb = 100; short s = 30000; char[] cs = {'y', 'z'}; static int calls; static int at() { return calls++; }
  public static void main(String[] args) {
    byte b = 127; b++; System.out.println(b); b -= 1; System.out.println(b); b *= 3; System.out.println(b); b >>>= 1; System.out.println(b); b = (byte) 0x80; b >>= 3; System.out.println(b); b += 3.9; System.out.println(b);
    short s = (short) 40000; s /= 7; s ^= 0x7fff; System.out.println(s); char c = 'a'; c += 1; c *= 2; System.out.println((int) c); c = 0; c--; System.out.println((int) c); c -= 65534.5; System.out.println((int) c);
    int i = 5; i *= 2.7; System.out.println(i); i += 1e20; System.out.println(i); i -= 5L << 33; System.out.println(i); i <<= 33; System.out.println(i); i >>>= -1; System.out.println(i);
    long l = 10; l *= 1.5f; l |= -2; l %= 7; System.out.println(l); l += 'a'; l <<= 65L; System.out.println(l); float f = 1; f += 1e-9; f /= 3; System.out.println(f); f = 16777216; f++; System.out.println(f); double d = 7; d %= 2.5; d--; System.out.println(d);
    NarrowingCompound n = new NarrowingCompound(); n.s += 10000; sb += sb; System.out.println(n.s + " " + sb + n.cs[0]++ + ++n.cs[1] + n.cs[0]); int[] a = {1, 2, 3}; a[at()] += a[at()] + at(); a[at() - 3]--; System.out.println(a[0] + " " + calls); byte[] bs = {-1}; bs[0] >>>= 1; System.out.println(bs[0]); bs[0] = (byte) ((bs[0] & 0xff) >>> 1); System.out.println(bs[0]); String t = "x"; t += 1 + 2; t += 'c'; t += null; t += 1.0f; System.out.println(t); Object o = "o"; o += "p"; System.out.println(o); boolean z = true; z ^= true; z |= calls > 3; z &= !z; System.out.println(z); long[] ls = {5}; System.out.println(ls[0]++ + ls[0]-- + --ls[0]); final byte k = 10; byte m = k + 5; System.out.println(m);
  }
}
