public class SwitchStrings {
  static int code(String s) { switch (s) { case "alpha": return 1; case "beta": case "gamma": return 2; case "": return 3; case "Aa": return 4; case "BB": return 5; default: return -1; } }
  static String loop(String... words) { String out = ""; for (String w : words) { switch (w) { case "stop": return out + "!"; case "skip": continue; case "x": out += "x"; default: out += w.length(); } out += ","; } return out; }
  public static void main(String[] args) {
    for (String s : new String[] {"alpha", "beta", "gamma", "", "Aa", "BB", "C#", "delta"}) System.out.println(code(s));
    System.out.println(loop("a", "skip", "x", "bb", "stop", "c"));
    try { code(null); } catch (NullPointerException e) { System.out.println("npe"); }
    switch ("only") { case "only": System.out.println("yes"); }
  }
}
