import java.util.*;
import java.util.function.*;
public class EventBus {
  private final Map<Class<?>, List<Consumer<Object>>> handlers = new LinkedHashMap<>(); private final Deque<Object> queue = new ArrayDeque<>(); private boolean busy; int handled;
  <T> Runnable on(Class<T> c, Consumer<? super T> h) { Consumer<Object> raw = o -> h.accept(c.cast(o)); handlers.computeIfAbsent(c, k -> new ArrayList<>()).add(raw); return () -> handlers.get(c).remove(raw); }
  void post(Object o) { queue.add(o); if (busy) return; busy = true; try { while (!queue.isEmpty()) { Object next = queue.poll(); for (Map.Entry<Class<?>, List<Consumer<Object>>> e : handlers.entrySet()) { if (!e.getKey().isInstance(next)) continue; for (Consumer<Object> h : new ArrayList<>(e.getValue())) { try { h.accept(next); handled++; } catch (IllegalStateException x) { System.out.println("failed " + x.getMessage()); } } } } } finally { busy = false; } }
  public static void main(String[] args) { EventBus b = new EventBus(); StringBuilder s = new StringBuilder(); Runnable off = b.on(String.class, t -> { s.append(t).append(','); if (t.length() < 3) b.post(t + "!"); }); b.on(Number.class, n -> s.append(n.intValue() * 2)); b.on(Object.class, o -> { if (o.equals("bad")) throw new IllegalStateException("bad"); }); b.post("a"); b.post(2.9); off.run(); b.post("gone"); b.post("bad"); b.post('c'); System.out.println(s + " " + b.handled); }
}
