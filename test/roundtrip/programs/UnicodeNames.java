public class UnicodeNames {
  static int größe = 3; static final String 名前 = "name"; interface Écoute { int éval(int ñ); } static class Ω { int α = 1; int Σ(int... β) { int s = α; for (int b : β) s += b; return s; } } enum Цвет { КРАСНЫЙ, СИНИЙ } static int $_1(int _$) { return _$ + $; } static int $ = 2; static String ﬁ = "ligature", é = "composed";
  public static void main(String[] args) { Écoute e = ñ -> ñ * größe; System.out.println(e.éval(4) + 名前 + new Ω().Σ(1, 2) + Цвет.СИНИЙ + $_1(5) + ﬁ + é + Цвет.valueOf("КРАСНЫЙ").ordinal()); switch (Цвет.КРАСНЫЙ) { case КРАСНЫЙ -> System.out.println("rot"); case СИНИЙ -> System.out.println("blau"); } }
}
