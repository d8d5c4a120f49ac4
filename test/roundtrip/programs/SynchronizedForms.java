public class SynchronizedForms {
  private final Object lock = new Object(); private int count; private static int shared;
  synchronized int next() { return ++count; }
  static synchronized void bump(int by) { shared += by; }
  int guarded(int n) { synchronized (lock) { if (n < 0) return -1; for (int i = 0; i < n; i++) { synchronized (this) { count += i; if (count > 20) break; } } return count; } }
  void failing() { synchronized (lock) { try { synchronized (SynchronizedForms.class) { throw new IllegalStateException("inside"); } } finally { count = 100; } } }
  Object pick(Object o) { synchronized (o == null ? lock : o) { return o == null ? "own" : o; } }
  public static void main(String[] args) throws Exception {
    SynchronizedForms f = new SynchronizedForms();
    System.out.println(f.next() + f.next() + " " + f.guarded(-2) + " " + f.guarded(9));
    try { f.failing(); } catch (IllegalStateException e) { System.out.println(e.getMessage() + f.count); }
    bump(3); bump(4); System.out.println(shared + "" + f.pick(null) + f.pick("given"));
    try { synchronized ((Object) null) { System.out.println("never"); } } catch (NullPointerException e) { System.out.println("null lock"); }
  }
}
