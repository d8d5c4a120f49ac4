import java.util.*;
public class Recursions {
  static long fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); } static int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
  static boolean even(int n) { return n == 0 || odd(n - 1); } static boolean odd(int n) { return n != 0 && even(n - 1); }
  static int moves; static void hanoi(int n, char a, char b, char c) { if (n == 0) return; hanoi(n - 1, a, c, b); moves = moves * 31 + a * 3 + c; hanoi(n - 1, b, a, c); }
  static void permute(char[] s, int from, List<String> out) { if (from == s.length) { out.add(new String(s)); return; } for (int i = from; i < s.length; i++) { char t = s[from]; s[from] = s[i]; s[i] = t; permute(s, from + 1, out); t = s[from]; s[from] = s[i]; s[i] = t; } }
  static int queens(int n, int row, int cols, int d1, int d2) { if (row == n) return 1; int count = 0; for (int free = ((1 << n) - 1) & ~(cols | d1 | d2); free != 0; free &= free - 1) { int bit = free & -free; count += queens(n, row + 1, cols | bit, (d1 | bit) << 1, (d2 | bit) >>> 1); } return count; }
  static String binary(int n) { return n < 2 ? "" + n : binary(n >> 1) + (n & 1); } static int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }
  static final Map<Integer, Long> memo = new HashMap<>(); static long fib(int n) { if (n < 2) return n; Long known = memo.get(n); if (known != null) return known; long v = fib(n - 1) + fib(n - 2); memo.put(n, v); return v; }
  static int depth(int n) { try { return n > 50 ? depth(-1) : n < 0 ? Integer.parseInt("x") : depth(n + 1); } catch (NumberFormatException e) { return n; } finally { if (n == 25) System.out.print("quarter "); } }
  public static void main(String[] args) { System.out.println(fact(15) + " " + ack(2, 3) + even(10) + odd(7)); hanoi(5, 'x', 'y', 'z'); System.out.println(moves); List<String> out = new ArrayList<>(); permute("abc".toCharArray(), 0, out); System.out.println(out); System.out.println(queens(6, 0, 0, 0, 0) + " " + binary(37) + " " + gcd(84, 36) + " " + fib(60)); System.out.println(depth(0)); }
}
