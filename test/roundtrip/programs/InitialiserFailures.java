public class InitialiserFailures {
  static class First { static int n = 0; final int v; { if (n++ == 1) throw new IllegalStateException("instance " + n); } First() throws Exception { v = n; if (n > 2) throw new Exception("constructor"); } First(int x) { this.v = x; } }
  static class Chain extends First { final String s; Chain(String s) throws Exception { super(); this.s = s == null ? "none" : s; } Chain() { super(9); s = "default"; } }
  static class Boom { static final int[] DATA; static { int[] d = new int[3]; try { for (int i = 0; ; i++) d[i] = i * i; } catch (ArrayIndexOutOfBoundsException e) { d[2] += 100; } finally { d[0]--; } DATA = d; } }
  static class Dead { static String s; static { s = "set"; if (s.length() == 3) throw new RuntimeException("static"); } static void touch() { } }
  static class Outer { static int x = Helper.y + 1; static class Helper { static int y = Outer.x + 10; } }
  static final int LATE; static { int t = 1; for (int i = 0; i < 5; i++) t *= 2; LATE = t; }
  public static void main(String[] args) { for (int i = 0; i < 4; i++) try { System.out.println(new Chain(i == 0 ? null : "s" + i).s); } catch (IllegalStateException e) { System.out.println("ISE " + e.getMessage()); } catch (Exception e) { System.out.println("E " + e.getMessage()); } System.out.println(new Chain().s + new Chain().v); System.out.println(Boom.DATA[0] + " " + Boom.DATA[1] + " " + Boom.DATA[2]); for (int i = 0; i < 2; i++) try { Dead.touch(); } catch (ExceptionInInitializerError e) { System.out.println("first " + e.getCause().getMessage()); } catch (NoClassDefFoundError e) { System.out.println("then"); } System.out.println(Outer.x + " " + Outer.Helper.y + " " + LATE); }
}
