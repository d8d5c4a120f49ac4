public class SwitchYields {
  enum Kind { LOW, MID, HIGH; Kind next() { return values()[(ordinal() + 1) % values().length]; } }
  static int weigh(Kind k, boolean twice) {
    int base = switch (k) { case LOW -> 1; case MID -> twice ? 4 : 2; case HIGH -> { try { yield Integer.parseInt(twice ? "x" : "9"); } catch (NumberFormatException e) { yield -9; } finally { System.out.print("."); } } };
    return base * 10 + switch (base) { case 1, 2: yield 1; case 4: { int t = base; yield t * t % 7; } default: yield base > 0 ? 3 : 5; };
  }
  static void arrows(int n) {
    switch (n) { case 0 -> System.out.print("zero"); case 1, 2 -> { System.out.print("few"); if (n == 2) break; System.out.print("one"); } default -> { } }
    System.out.print(";");
  }
  static String nested(int a, int b) { return switch (a) { case 0 -> switch (b) { case 0 -> "00"; case 1 -> "01"; default -> "0n"; }; case 1 -> b == 1 ? "11" : switch (b) { case 5 -> "15"; default -> "1n"; }; default -> "nn"; }; }
  public static void main(String[] args) {
    for (Kind k : Kind.values()) System.out.print(weigh(k, false) + " " + weigh(k, true) + " " + k.next() + " ");
    System.out.println();
    for (int i = 0; i < 4; i++) arrows(i);
    System.out.println();
    for (int i = 0; i < 12; i++) System.out.print(nested(i % 3, i / 2) + " ");
    System.out.println();
    double d = switch (args.length) { case 0 -> 1; default -> 2.5; };
    Object o = switch (args.length) { case 0 -> 'c'; default -> "s"; };
    System.out.println(d + " " + o + o.getClass().getName());
    Kind missing = null;
    try { switch (missing) { case LOW: break; default: System.out.println("default"); } } catch (NullPointerException e) { System.out.println("null"); }
  }
}
