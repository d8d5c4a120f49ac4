import java.io.*;
public class MultiCatch {
  static class Own extends Exception { final int code; Own(int code, String m) { super(m); this.code = code; } }
  static class Sub extends Own { Sub() { super(7, "sub"); } @Override public String getMessage() { return "<" + super.getMessage() + ">"; } }
  static void raise(int n) throws Own, IOException {
    switch (n) {
      case 0: throw new Own(3, "own");
      case 1: throw new Sub();
      case 2: throw new FileNotFoundException("file");
      case 3: throw new ArithmeticException("math");
      case 4: System.out.println(1 / (n - 4));
      case 5: throw new ClassCastException("cast");
      default: System.out.print("fine ");
    }
  }
  static String handle(int n) {
    try { raise(n); return "none"; }
    catch (Sub e) { return "sub" + e.code + e.getMessage(); }
    catch (Own | FileNotFoundException e) { return "multi " + e.getMessage(); }
    catch (IOException e) { return "io"; }
    catch (ArithmeticException | ClassCastException e) { RuntimeException r = e; return r.getClass().getSimpleName() + e.getMessage(); }
  }
  static void rethrow(int n) throws Own, IOException { try { raise(n); } catch (final Exception e) { System.out.print("re "); throw e; } }
  public static void main(String[] args) throws Exception {
    for (int i = 0; i < 7; i++) System.out.println(handle(i));
    try { rethrow(1); } catch (Own e) { System.out.println(e.getMessage()); }
    try { rethrow(5); } catch (RuntimeException e) { System.out.println(e.getMessage()); }
    throw new Own(1, "the end");
  }
}
