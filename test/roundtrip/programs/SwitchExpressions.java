public class SwitchExpressions {
  static int score(String s) { return switch (s) { case "a", "b" -> 1; case "c" -> { int t = s.length(); yield t + 10; } default -> s.isEmpty() ? 0 : 5; }; }
  static String old(int i) { return switch (i) { case 1: yield "one"; case 2: System.out.println("two!"); default: yield "other" + i; }; }
  static boolean inCondition(int i) { return switch (i % 3) { case 0 -> true; case 1 -> i > 5; default -> false; } && i < 20; }
  public static void main(String[] args) {
    for (String s : "a b c d".split(" ")) System.out.println(score(s) + score(s + s) * 2);
    for (int i = 0; i < 4; i++) System.out.println(old(i) + inCondition(i * 3) + inCondition(i + 6));
    int total = 0; for (int i = 0; i < 5; i++) total += switch (i) { case 0 -> { try { yield Integer.parseInt("x"); } catch (NumberFormatException e) { yield -1; } } case 3 -> 30; default -> i; };
    System.out.println(total + switch (total) { case 37 -> "exact"; default -> "not"; });
    switch (total) { case 1 -> System.out.println("1"); case 36, 37 -> { System.out.println("3x"); } default -> throw new RuntimeException(); }
  }
}
