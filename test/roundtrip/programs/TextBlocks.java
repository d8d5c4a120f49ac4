public class TextBlocks {
  static final String HELLO = """
      Hello,
        "indented" \
      joined
      tab\there \\ \u0041 ""\"
      trailing   \s
      """;
  static String fill(String name, int n) { return """
      {"name": "%s", "n": %s}""".replaceFirst("%s", name).replaceFirst("%s", "" + n); }
  public static void main(String[] args) {
    for (String line : HELLO.split("\n")) System.out.println("[" + line + "]");
    System.out.println(fill("x", 3)); System.out.println("""
        a
        b""" + """
        c""".length() + "\0\7\377\t\b\f".length()); System.out.println("\u00e9\u4e2d\ud83d\ude00".length() + "é中😀" + "\ud800".length()); switch ("""
        key""") { case "key" -> System.out.println("matched"); default -> System.out.println("not"); } char c = '\u0000'; System.out.println((int) c + "" + (int) '\uffff' + '\u2028' + "'" + '"'); System.out.println("/* no comment */ // none \\u0041 */");
  }
}
