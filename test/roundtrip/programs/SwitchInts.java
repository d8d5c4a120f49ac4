public class SwitchInts {
  static String dense(int i) { switch (i) { case 0: return "zero"; case 1: return "one"; case 2: case 3: return "few"; case 4: { return "four"; } default: return "many"; } }
  static int sparse(int i) { int r = 0; switch (i) { case -1000: r = 1; break; case 0: r = 2; case 7: r += 3; break; case 1000000: r = 9; break; case Integer.MIN_VALUE: r = 11; } return r; }
  static int fall(int i) { int r = 0; switch (i) { default: r += 100; case 1: r += 1; case 2: r += 2; break; case 3: r += 3; } return r; }
  static void inLoop() { for (int i = 0; i < 6; i++) { switch (i) { case 1: continue; case 4: break; case 5: return; default: System.out.print(i); } System.out.print(";"); } }
  static char chars(char c) { switch (c) { case 'a': return 'A'; case 'z': return 'Z'; default: return '?'; } }
  public static void main(String[] args) {
    for (int i = -1; i < 6; i++) System.out.println(dense(i) + fall(i));
    for (int i : new int[] {-1000, 0, 7, 1000000, 5, Integer.MIN_VALUE}) System.out.println(sparse(i));
    inLoop(); System.out.println(chars('a') + "" + chars('z') + chars('q'));
    switch (args.length) { } switch (args.length) { default: System.out.println("d"); } byte b = 3; switch (b) { case 3: System.out.println("b"); }
    switch (args.length) { case 0: int v = 3; System.out.println(v); case 1: v = 4; System.out.println(v); }
  }
}
