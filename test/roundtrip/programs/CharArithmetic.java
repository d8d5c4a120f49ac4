public class CharArithmetic {
  static char rot(char c, int by) { if (c >= 'a' && c <= 'z') return (char) ((c - 'a' + by + 26) % 26 + 'a'); if (Character.isUpperCase(c)) return (char) ('A' + (c - 'A' + by) % 26); return c; }
  static char next(char c) { return ++c; } static char post(char c) { char d = c++; return (char) (d + c - d); }
  static int digit(char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; }
  static final char CONST = 'q'; static char field = '\u1234';
  public static void main(String[] args) {
    StringBuilder s = new StringBuilder(); for (char c : "Hello, zebra!".toCharArray()) s.append(rot(c, 13)); System.out.println(s);
    char[] alphabet = new char[26]; for (int i = 0; i < 26; i++) alphabet[i] = (char) ('a' + i); System.out.println(alphabet); System.out.println(new String(alphabet, 3, 4)); System.out.println(String.valueOf(alphabet[2]) + alphabet[3] + (alphabet[4] + alphabet[5]));
    System.out.println(next('a') + "" + post('x') + (char) 97 + (int) CONST + (CONST + 1) + (char) (CONST + 1)); System.out.println(digit('7') + digit('f') + digit('B')); field >>= 4; field++; System.out.println((int) field); s.setLength(0); s.append('a').append((int) 'a').append((char) 98).append('a' + 1).append(new char[] {'o', 'k'}).insert(0, 'Z').append((Object) "o").append(true).append(1L).append(2f).append((String) null); System.out.println(s);
    int x = 'a'; char y = (char) x; short z = (short) y; byte w = (byte) 'é'; System.out.println(x + " " + y + " " + z + " " + w); System.out.println('a' < 98 ? 'b' : 'c'); System.out.println((char) (x + 1) + (char) (x + 2)); String q = "" + (char) (x + 1) + (char) (x + 2); System.out.println(q); long l = 'c'; float f = 'd'; double d = '\n'; System.out.println(l + f + d); System.out.println("tab\there \"q\" \\ \u00e9 \u0001".length() + "'" + '\'' + '"' + '\\'); int[] counts = new int[128]; for (char c : "mississippi".toCharArray()) counts[c]++; System.out.println(counts['s'] + "" + counts['p'] + counts['i']); char t = true ? 'x' : 0; System.out.println(t); switch ((char) (t + 1)) { case 'y': System.out.println("why"); break; case 'x': System.out.println("ex"); }
  }
}
