public class TryCatch {
  static int parse(String s) { try { return Integer.parseInt(s); } catch (NumberFormatException e) { return -1; } }
  static String many(int i) {
    try { switch (i) { case 0: throw new IllegalArgumentException("a"); case 1: throw new IllegalStateException("b"); case 2: throw new Error("c"); case 3: Object o = "x"; return "" + (Integer) o; case 4: int[] z = new int[-1]; default: return "ok"; } }
    catch (IllegalArgumentException | IllegalStateException e) { return "multi " + e.getMessage(); }
    catch (ClassCastException e) { return "cast"; }
    catch (RuntimeException e) { return "rt " + e.getClass().getName(); }
    catch (Throwable t) { return "throwable " + t.getMessage(); }
  }
  static int nested(int i) { int r = 0; try { r = 1; try { r = 2; if (i == 0) throw new RuntimeException("in"); if (i == 1) throw new Error("err"); r = 3; } catch (RuntimeException e) { r += 10; if (i == 0) throw new IllegalStateException(e); } r += 100; } catch (IllegalStateException e) { r += 1000; } catch (Error e) { r += 5000; } return r; }
  public static void main(String[] args) {
    System.out.println(parse("12") + parse("x"));
    for (int i = 0; i < 6; i++) System.out.println(many(i));
    for (int i = 0; i < 3; i++) System.out.println(nested(i));
    for (int i = 0; i < 3; i++) { try { if (i == 1) continue; if (i == 2) break; System.out.println("t" + i); } catch (RuntimeException e) { } }
    throw new UnsupportedOperationException("at the end");
  }
}
