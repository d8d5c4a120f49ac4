public class SwitchDense {
  static String fall(int n) {
    String s = "";
    switch (n) {
      case 3: s += "three";
      case 4: s += "four"; break;
      case 5: case 6: s += "56";
      default: s += "d";
      case 9: s += "nine"; break;
      case 10: return "ten";
    }
    return s;
  }
  static int sparse(int n) {
    switch (n) { case Integer.MIN_VALUE: return 1; case -1000: return 2; case 0: return 3; case 70000: return 4; case Integer.MAX_VALUE: return 5; }
    return 0;
  }
  static int inLoop(String text) {
    int n = 0;
    loop: for (int i = 0; i < text.length(); i++) {
      switch (text.charAt(i)) {
        case '+': n++; continue;
        case '-': n--; break;
        case '!': break loop;
        case '*': switch (n) { case 1: n = 10; break; case 2: n = 20; continue loop; default: n *= 2; }
        default: n += 100;
      }
      n *= 2;
    }
    return n;
  }
  static int only(byte b) { switch (b) { default: return b; } }
  static int chars(char c) { switch (c) { case 'x': case '\u00e9': return 1; case '\uffff': return 2; default: return c; } }
  public static void main(String[] args) {
    for (int i = 2; i < 12; i++) System.out.print(fall(i) + " ");
    System.out.println();
    for (int i : new int[] {Integer.MIN_VALUE, -1000, 0, 1, 70000, Integer.MAX_VALUE}) System.out.print(sparse(i));
    System.out.println();
    for (String s : new String[] {"+++", "+-*", "++*+", "+*!", "-", "q+"}) System.out.print(inLoop(s) + " ");
    System.out.println(only((byte) -3) + " " + chars('x') + chars('\uffff') + chars('a'));
    switch (args.length) { }
  }
}
