public class Overloads {
  static String f(int i) { return "int"; } static String f(long l) { return "long"; } static String f(double d) { return "double"; } static String f(Integer i) { return "Integer"; } static String f(Object o) { return "Object"; } static String f(char c) { return "char"; } static String f(byte b) { return "byte"; } static String f(short b) { return "short"; } static String f(float b) { return "float"; } static String f(boolean b) { return "boolean"; }
  static String n(String s) { return "String"; } static String n(StringBuilder s) { return "Builder"; } static String n(Object o) { return "Obj"; }
  static String c(CharSequence s) { return "CS"; } static String c(Object s) { return "O"; }
  public static void main(String[] args) {
    byte b = 1; short s = 1; char c = 'c'; System.out.println(f(1) + f(1L) + f(1.0) + f(1f) + f((Integer) 1) + f((Object) 1) + f(c) + f(b) + f(s) + f(true) + f("s") + f((long) 1) + f(b + b) + f(c + 1) + f((char) 1) + f((byte) 1) + f((short) 1));
    System.out.println(n((String) null) + n((StringBuilder) null) + n((Object) null) + n("x") + n((Object) "x") + c("x") + c((Object) "x") + c(new StringBuilder()));
    StringBuilder sb = new StringBuilder(); sb.append('a').append((int) 'a').append((Object) "o").append(new char[] {'x'}).append(1L).append((String) null).append(true); System.out.println(sb);
    System.out.println('a' + 1); System.out.println((char) ('a' + 1)); System.out.println((Object) 'a'); System.out.println(new char[] {'h', 'i'}); java.util.List<Integer> l = new java.util.ArrayList<>(java.util.List.of(5, 6, 7)); l.remove(1); l.remove((Integer) 7); System.out.println(l);
  }
}
