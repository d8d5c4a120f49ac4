public class SwitchOnEnumSets {
  enum Day { MON, TUE, WED, SAT, SUN; boolean free() { return switch (this) { case SAT, SUN -> true; default -> false; }; } Day next() { return this == SUN ? MON : values()[ordinal() + 1]; } } enum Light { RED { Light next() { return GREEN; } }, GREEN { Light next() { return AMBER; } }, AMBER { Light next() { return RED; } }; abstract Light next(); }
  static int cost(Day d, Light l) { int c = 0; switch (d) { case SAT: c += 5; case SUN: c += 10; break; case MON: if (l == Light.RED) return -1; default: switch (l) { case RED: c = 1; break; case AMBER: c = 2; } } return c; }
  public static void main(String[] args) { Day d = Day.MON; for (int i = 0; i < 6; i++, d = d.next()) { Light l = Light.RED; int n = 0; do { System.out.print(cost(d, l) + (d.free() ? "f" : "w")); l = l.next(); } while (++n < 3); System.out.print(" "); } System.out.println(Day.valueOf("TUE").compareTo(Day.SUN)); }
}
