public class VolatileState {
  volatile int v; transient int t = 3; static volatile boolean stop; final Object lock = new Object(); strictfp double half(double d) { return d / 2; } native void never(); static int counter;
  public static void main(String[] args) throws Exception { VolatileState s = new VolatileState(); Thread a = new Thread(() -> { for (int i = 0; i < 100; i++) synchronized (s.lock) { s.v++; } }), b = new Thread() { @Override public void run() { synchronized (s.lock) { s.v += s.t; counter++; } stop = true; } }; a.start(); a.join(); b.start(); b.join(); System.out.println(s.v + " " + stop + counter + s.half(5)); try { s.never(); } catch (UnsatisfiedLinkError e) { System.out.println("native"); } }
}
