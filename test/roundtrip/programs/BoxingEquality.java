import java.util.*;
public class BoxingEquality {
  static Integer maybe(boolean b) { return b ? 1000 : null; }
  static int unboxed(Integer i) { return i; }
  public static void main(String[] args) {
    Integer a = 100, b = 100, c = 1000, d = 1000; Long l = 100L; Character ch = 'x'; Boolean t = true; Object o = 100;
    System.out.println((a == b) + " " + c.equals(d) + " " + (c <= d && c >= d) + " " + l.equals(100) + " " + l.equals(100L) + " " + (l == 100) + " " + o.equals(a));
    int n = 0; Integer i = 5; n += i++; n += ++i; i += 2; i <<= 1; System.out.println(n + " " + i);
    ch++; System.out.println(ch + 1 + "" + ch); Character up = (char) (ch + 1); System.out.println(up);
    System.out.println(true ? 1 : 'a'); System.out.println(t ? 1 : 2.0); System.out.println((Object) (t ? 1 : "s")); System.out.println(t ? (Integer) 7 : (Double) 2.0); System.out.println(t ? 'b' : 98); int x = 98; System.out.println(false ? x : 'b');
    try { unboxed(maybe(false)); } catch (NullPointerException e) { System.out.println("unbox null"); }
    try { int bad = t ? maybe(false) : 3; } catch (NullPointerException e) { System.out.println("ternary null"); }
    List<Integer> list = new ArrayList<>(List.of(10, 20, 30)); list.remove(1); list.remove(Integer.valueOf(10)); System.out.println(list);
    Map<Character, Integer> count = new TreeMap<>(); for (char q : "hello".toCharArray()) count.put(q, count.containsKey(q) ? count.get(q) + 1 : 1); System.out.println(count);
    double avg = 0; for (Integer v : new Integer[] {1, 2, 4}) avg += v; System.out.println(avg / 3 > 2.3); long sum = 0; for (Short s : new Short[] {1, 2}) sum += s; System.out.println(sum); Byte by = (byte) 200; System.out.println(by + (Short) (short) 40000); t &= false; System.out.println(t); Object p = 'c'; char back = (Character) p; System.out.println((int) back); if ((Integer) o > 50 && !(Boolean) t) System.out.println("cast compare"); System.out.println((Object) 1L == (Object) 1 ? "same" : "other");
  }
}
