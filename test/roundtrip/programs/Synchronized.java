public class Synchronized {
  private final Object lock = new Object(); private int n; private static int s;
  synchronized int both() { return ++n; }
  static synchronized void st() { s += 2; }
  int block(int i) { synchronized (lock) { if (i == 0) return -1; if (i == 1) throw new IllegalStateException("in lock"); n += i; } synchronized (this) { synchronized (lock) { n *= 2; } } return n; }
  void loop() { for (int i = 0; i < 4; i++) { synchronized (lock) { if (i == 1) continue; if (i == 3) break; n += i; } n++; } }
  public static void main(String[] args) throws Exception {
    Synchronized x = new Synchronized(); st(); System.out.println(x.both() + s + x.block(0) + x.block(5)); try { x.block(1); } catch (IllegalStateException e) { System.out.println(e.getMessage() + Thread.holdsLock(x.lock)); } x.loop(); System.out.println(x.n);
    Thread[] ts = new Thread[3]; for (int i = 0; i < ts.length; i++) { ts[i] = new Thread(() -> { for (int k = 0; k < 10; k++) synchronized (x) { x.n++; } }); ts[i].start(); } for (Thread t : ts) t.join(); System.out.println(x.n);
    synchronized (Synchronized.class) { System.out.println("class"); }
  }
}
