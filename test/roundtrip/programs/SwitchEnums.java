public class SwitchEnums {
  enum Color { RED, GREEN, BLUE, BLACK }
  static int rank(Color c) { switch (c) { case RED: return 3; case GREEN: return 2; case BLUE: return 1; default: return 0; } }
  static String arrow(Color c) { return switch (c) { case RED, GREEN -> "warm"; case BLUE -> { String s = "cool"; yield s + c.ordinal(); } case BLACK -> throw new IllegalArgumentException("black"); }; }
  public static void main(String[] args) {
    for (Color c : Color.values()) { System.out.println(rank(c)); try { System.out.println(arrow(c)); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); } }
    Color n = null; try { rank(n); } catch (NullPointerException e) { System.out.println("npe"); }
    java.util.concurrent.TimeUnit u = java.util.concurrent.TimeUnit.DAYS; switch (u) { case DAYS: System.out.println("days"); break; case HOURS: System.out.println("hours"); break; default: }
  }
}
