public class SwitchStringClash {
  static String name(String s) {
    switch (s) {
      case "Aa": return "first";
      case "BB": return "second";
      case "AaAa": case "BBBB": return "pair";
      case "AaBB": return "mixed";
      case "": return "empty";
      case "\u0000": return "nul";
      default: return "other " + s;
    }
  }
  static int count(String[] words) {
    int n = 0;
    for (String w : words) switch (w) { case "skip": continue; case "two": n++; case "one": n++; break; case "stop": return n; default: n += 100; }
    return -n;
  }
  static int yields(String s, int fallback) {
    return switch (s) { case "a", "b" -> 1; case "c" -> { int x = fallback; for (int i = 0; i < 3; i++) x += i; yield x; } default -> throw new IllegalArgumentException(s); };
  }
  public static void main(String[] args) {
    for (String s : new String[] {"Aa", "BB", "AaAa", "BBBB", "AaBB", "BBAa", "", "\0", "zz"}) System.out.println(name(s));
    System.out.println(count(new String[] {"one", "skip", "two", "x"}) + " " + count(new String[] {"two", "stop", "x"}));
    System.out.println(yields("b", 1) + yields("c", 4));
    try { yields("z", 0); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
    try { name(null); } catch (NullPointerException e) { System.out.println("npe"); }
  }
}
