public class Ternaries {
  static String grade(int n) { return n > 90 ? "A" : n > 80 ? "B" : n > 70 ? "C" : "F"; }
  static Object mixed(boolean b) { return b ? 1 : 2.5; }
  static long wide(boolean b, int i, long l) { return b ? i : l; }
  public static void main(String[] args) {
    System.out.println(grade(95) + grade(85) + grade(75) + grade(1));
    System.out.println(mixed(true) + " " + mixed(false));
    System.out.println(wide(true, 3, 4L) + wide(false, 3, 4L));
    int i = 5, j = i > 3 ? i++ : --i;
    System.out.println(i + " " + j);
    String s = args.length > 0 ? args[0] : null;
    System.out.println(s == null ? "none" : s.isEmpty() ? "empty" : s);
    System.out.println((i > 2 ? "x" : "y").length() + (char) (i > 3 ? 'a' : 'b'));
    Integer boxed = i > 100 ? null : Integer.valueOf(7);
    System.out.println(boxed);
    byte b = (byte) (i == 6 ? 200 : 100);
    System.out.println(b);
    System.out.println(i > 5 ? 'x' : i);
    System.out.println(true ? null : 0);
  }
}
