public class InitialiserOrder {
  static StringBuilder log = new StringBuilder(); static int tell(String s, int v) { log.append(s).append(v).append(' '); return v; }
  static class Base { static int A = tell("Base.A", 1); int x = tell("Base.x", 2); { tell("Base.init", x); y = 9; } int y = tell("Base.y", 3); Base() { this(tell("arg", 4)); tell("Base()", y); hook(); } Base(int n) { tell("Base(int)", n); } void hook() { tell("Base.hook", 0); } static { tell("Base.static", A); } }
  static class Sub extends Base { static final int B = tell("Sub.B", 5); static final int K = 77; int z = tell("Sub.z", 6); final int blank; { if (z > 3) blank = z * 2; else blank = -1; } Sub() { tell("Sub()", blank); } Sub(String s) { super(s.length()); tell("Sub(s)", z); } @Override void hook() { tell("Sub.hook", z); } static int s; static { s = 8; for (int i = 0; i < 2; i++) tell("loop", i); } }
  static class Lazy { static { tell("Lazy", 0); } static int get() { return 1; } static final String CONST = "const"; static final Integer BOXED = 5; }
  static class Bad { static int v = fail(); static int fail() { throw new IllegalStateException("bad"); } }
  interface WithField { int V = tell("Iface", 3); } static class Impl implements WithField { static { tell("Impl", 1); } }
  static class Cyclic { static Cyclic one = new Cyclic(); static int count = 10; final int seen; Cyclic() { seen = count++; } }
  static void flush() { System.out.println(log); log.setLength(0); }
  public static void main(String[] args) {
    System.out.println(Sub.K); flush(); new Sub(); flush(); new Sub("four"); flush(); System.out.println(Lazy.CONST); flush(); System.out.println(Lazy.BOXED); flush(); Object[] none = new Lazy[2]; new Impl(); flush(); System.out.println(Impl.V); flush(); System.out.println(Cyclic.one.seen + " " + Cyclic.count);
    try { System.out.println(Bad.v); } catch (ExceptionInInitializerError e) { System.out.println("EIIE " + e.getCause().getMessage()); } try { System.out.println(Bad.v); } catch (NoClassDefFoundError e) { System.out.println("NCDFE"); }
  }
}
