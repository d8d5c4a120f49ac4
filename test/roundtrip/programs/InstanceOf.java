public class InstanceOf {
  static String kind(Object o) { String r = ""; if (o instanceof Number) r += "N"; if (o instanceof Integer i && i > 3) r += i + 1; if (o instanceof String s && !s.isEmpty() || o instanceof Character) r += "T"; if (!(o instanceof Comparable<?>)) r += "!C"; if (o instanceof Object[] a && a.length > 0 && a[0] instanceof String s) r += s; if (o instanceof int[][]) r += "ii"; return r; }
  static int loop(Object o) { while (!(o instanceof String s)) { o = o instanceof Integer i && i > 0 ? (Object) (i - 1) : "done"; } return s.length(); }
  public static void main(String[] args) { for (Object o : new Object[] {1, 5, 2.5, "s", "", 'c', new String[] {"in"}, new Object[0], new int[1][1], null}) System.out.println("[" + kind(o) + "]"); System.out.println(loop(3)); boolean b = (Object) args instanceof String[]; System.out.println(b); }
}
