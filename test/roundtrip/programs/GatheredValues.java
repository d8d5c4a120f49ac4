import java.util.*;
public class GatheredValues {
  static String bytes(byte... all) { return all.length + ":" + (all.length > 0 ? all[0] : -1); }
  static String longs(long... all) { long sum = 0; for (long each : all) sum += each; return "" + sum; }
  static String chars(char... all) { return new String(all); }
  static String flags(boolean... all) { return all.length + "" + (all.length > 0 && all[0]); }
  static String either(Object... all) { return "many" + all.length; }
  static String either(Integer one) { return "one"; }
  static String ends(String first, Object... rest) { return first + rest.length; }
  static String ends(String first, String... rest) { return first + "s" + rest.length; }
  static String alone(Object... all) { return all == null ? "null" : all.length + Arrays.toString(all); }
  @SafeVarargs static <T> T[] same(T... all) { return all; }
  static class Above { String join(Object... all) { return "above" + all.length; } }
  static class Below extends Above { String join(Object one) { return "below"; } String tell() { return join("a") + join("a", "b") + super.join(1); } }
  static class Made { final int count; Made(String... names) { count = names.length; } Made(int a, String... names) { count = -names.length; } }
  enum Level { LOW, HIGH("h", "H"), ODD("x"); final String[] names; Level(String... names) { this.names = names; } }
  static int n(Long a) { return 1; } static int n(Object a) { return 2; }
  static String boxed(Object o) { return o.getClass().getSimpleName() + o; }
  public static void main(String[] args) {
    System.out.println(bytes() + bytes((byte) 1, (byte) 200) + longs(1, 2L, 'c') + chars('a', (char) 98) + flags() + flags(true, false));
    System.out.println(either(1) + either(1, 2) + either("s") + either((Object) 1) + ends("a", "b") + ends("a", 1) + ends("a", "b", 2));
    System.out.println(alone() + alone((Object[]) null) + alone((Object) null) + alone(1, null) + alone((Object) new int[0].length) + alone((Object[]) new String[] {"x", "y"}));
    System.out.println(same("a", "b").getClass().getSimpleName() + same(1, 2).getClass().getSimpleName() + same(1, "b").length + GatheredValues.<Object>same("a").getClass().getSimpleName());
    System.out.println(new Below().tell() + new Above().join() + new Made().count + new Made("a").count + new Made(1).count + new Made(1, "b").count + Level.HIGH.names.length + Level.LOW.names.length);
    Object[] array = Arrays.<Object>asList("a", "b").toArray(); array[0] = 1; System.out.println(array[0]);
    List<String> list = Arrays.asList("q", "r"); System.out.println(list + " " + Arrays.asList(1, 2L) + Collections.addAll(new ArrayList<Object>(), 1, "z") + String.format("%s %s %d", 1, 'c', 5L) + String.format("%s", (Object) new String[] {"only"}.length));
    System.out.println(boxed((byte) 1) + boxed((short) 2) + boxed('c') + boxed(5L) + boxed(1.5f) + boxed(2.0) + boxed(true) + boxed((int) 'c') + n(5L) + n(5));
    Integer a = 1000, b = 1000; int c = 1000; Boolean t = true, f = false; Long l = 1000L;
    System.out.println((a == c) + " " + (a.intValue() == b.intValue()) + (a <= b) + (l == a.longValue()) + (l.intValue() == c) + (t && !f) + (t ? a + 1 : 0) + (a << 2) + -a + (t.booleanValue() == f.booleanValue()));
    Integer none = null; try { String s = "" + none.intValue(); System.out.println(s); } catch (NullPointerException e) { System.out.println("null"); }
    synchronized ((Object) Integer.valueOf(5)) { System.out.println("held"); }
    Integer.valueOf(7); int[] numbers = new int[a > 5 ? Integer.valueOf(3) : 1]; numbers[Integer.valueOf(2)] = a; System.out.println(numbers[2] + numbers.length);
    switch (a) { case 1000: System.out.println("thousand"); break; default: System.out.println("else"); }
  }
}
