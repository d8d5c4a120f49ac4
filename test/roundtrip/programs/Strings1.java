public class Strings1 {
  public static void main(String[] args) {
    String a = "x"; int i = 3; Object o = null; char c = 'c'; long l = 5; char[] cs = {'q'};
    System.out.println(a + i + o + c + l + 1.5f + 2.5 + true + (i + 1) + "" + i + 1 + ("n" + a)); System.out.println(i + 1 + a + i + 1); System.out.println("" + c + i); System.out.println(c + i + ""); System.out.println((a += "y") + a);
    String s = ""; for (int k = 0; k < 5; k++) s += k + ","; System.out.println(s); System.out.println(("ab" + "cd") == "abcd"); System.out.println("a\u0001b\u0002c" + i + "\u0001"); final String k1 = "k"; System.out.println((k1 + 1) == "k1"); System.out.println(s.substring(1, 3) + s.indexOf(',') + s.charAt(0) + s.replace(',', ';') + String.join("-", "a", "b") + "q".repeat(3)); StringBuilder sb = new StringBuilder("z"); sb.append(i).append(a).insert(0, c).reverse().setLength(3); System.out.println(sb + "" + sb.length()); System.out.println("x" + null + (String) null + args.length + "%".concat("d")); System.out.println("""
        block "text"
          indented \
        joined
        end""");
  }
}
