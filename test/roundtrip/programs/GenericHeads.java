import java.util.*;
import java.util.function.*;

/** Type parameters, bounds and wildcards of classes, and what is inherited for them. */
public class GenericHeads {
  interface Shape<S extends Shape<S>> extends Comparable<S> {
    S scaled(int by);

    int area();

    default int compareTo(S other) {
      return Integer.compare(area(), other.area());
    }
  }

  static final class Square implements Shape<Square> {
    final int side;

    Square(int side) {
      this.side = side;
    }

    public Square scaled(int by) {
      return new Square(side * by);
    }

    public int area() {
      return side * side;
    }
  }

  static <S extends Shape<S>> S largest(List<? extends S> shapes) {
    S best = null;
    for (S shape : shapes) if (best == null || shape.compareTo(best) > 0) best = shape;
    return best;
  }

  static class Cache<K extends Comparable<? super K>, V> {
    private final Map<K, List<V>> held = new TreeMap<>();
    protected final Function<? super K, ? extends V> maker;
    K last;
    List<? extends V>[] rows;

    @SuppressWarnings("unchecked")
    Cache(Function<? super K, ? extends V> maker) {
      this.maker = maker;
      this.rows = (List<? extends V>[]) new List[2];
    }

    V get(K key) {
      List<V> list = held.get(key);
      if (list == null) {
        list = new ArrayList<>();
        held.put(key, list);
      }
      V made = maker.apply(key);
      list.add(made);
      rows[list.size() % 2] = list;
      last = last == null || key.compareTo(last) > 0 ? key : last;
      return made;
    }

    <R> List<R> all(Function<? super V, R> by) {
      List<R> found = new ArrayList<>();
      for (Map.Entry<K, List<V>> entry : held.entrySet()) for (V value : entry.getValue()) found.add(by.apply(value));
      return found;
    }

    Iterator<K> keys() {
      return held.keySet().iterator();
    }
  }

  static class Lengths extends Cache<String, Integer> {
    Lengths() {
      super(String::length);
    }

    @Override
    Integer get(String key) {
      return super.get(key) + 100;
    }
  }

  static class Ring<T> {
    class Link {
      T value;
      Link next;

      Link(T value) {
        this.value = value;
      }

      T take() {
        T taken = value;
        value = null;
        return taken;
      }
    }

    Link first;
    int size;

    void push(T value) {
      Link made = new Link(value);
      made.next = first;
      first = made;
      size++;
    }

    T pop() {
      Link taken = first;
      first = taken.next;
      size--;
      return taken.take();
    }

    <E> Ring<E> map(Function<? super T, ? extends E> by) {
      Ring<E> ring = new Ring<>();
      for (Link at = first; at != null; at = at.next) ring.push(by.apply(at.value));
      return ring;
    }
  }

  static abstract class Step<A, B> {
    abstract B run(A a) throws Exception;

    <C> Step<A, C> then(Step<? super B, C> next) {
      Step<A, B> self = this;
      return new Step<A, C>() {
        @Override
        C run(A a) throws Exception {
          return next.run(self.run(a));
        }
      };
    }
  }

  static class Parse extends Step<String, Integer> {
    @Override
    Integer run(String text) {
      return Integer.parseInt(text);
    }
  }

  static class Twice extends Step<Number, List<Integer>> {
    @Override
    List<Integer> run(Number n) throws Exception {
      if (n.intValue() < 0) throw new Exception("negative");
      return Arrays.asList(n.intValue(), n.intValue());
    }
  }

  static class Grid<T extends Number> {
    final T[][] cells;

    Grid(T[][] cells) {
      this.cells = cells;
    }

    T at(int row, int column) {
      return cells[row][column];
    }

    double sum() {
      double sum = 0;
      for (T[] row : cells) for (T cell : row) sum += cell.doubleValue();
      return sum;
    }

    void swap(int row) {
      T first = cells[row][0];
      cells[row][0] = cells[row][1];
      cells[row][1] = first;
    }
  }

  @SafeVarargs
  static <T> Set<T> setOf(T... items) {
    Set<T> set = new LinkedHashSet<>();
    for (T item : items) set.add(item);
    return set;
  }

  static <T, C extends Collection<? super T>> C into(C collection, T item) {
    collection.add(item);
    return collection;
  }

  @SuppressWarnings({"rawtypes", "unchecked"})
  static List raw(List list, Object more) {
    list.add(more);
    List<String> same = list;
    same.add("typed");
    return same;
  }

  public static void main(String[] args) throws Exception {
    List<Square> squares = new ArrayList<>();
    for (int i = 3; i > 0; i--) squares.add(new Square(i).scaled(2));
    System.out.println(largest(squares).area() + " " + squares.get(0).compareTo(squares.get(1)));
    Collections.sort(squares);
    for (Square square : squares) System.out.print(square.side + ",");
    System.out.println();
    Lengths lengths = new Lengths();
    Cache<String, Integer> plain = lengths;
    System.out.println(lengths.get("abc") + plain.get("abcd") + " " + lengths.all(n -> "n" + n) + lengths.last + plain.rows[1].get(0));
    for (Iterator<String> keys = plain.keys(); keys.hasNext(); ) System.out.print(keys.next().length());
    System.out.println();
    Ring<String> ring = new Ring<>();
    for (String s : "x yy zzz".split(" ")) ring.push(s);
    Ring<Integer> sizes = ring.map(String::length);
    System.out.println(ring.pop() + ring.size + sizes.pop() + sizes.first.value);
    Step<String, List<Integer>> steps = new Parse().then(new Twice());
    System.out.println(steps.run("21"));
    try {
      steps.run("-1");
    } catch (Exception e) {
      System.out.println(e.getMessage());
    }
    Grid<Integer> grid = new Grid<>(new Integer[][] {{1, 2}, {3, 4}});
    grid.swap(0);
    System.out.println(grid.at(0, 0) + grid.sum());
    System.out.println(setOf("p", "q", "p") + "" + into(new ArrayList<Object>(), "in") + raw(new ArrayList<>(setOf(1)), 2.5));
  }
}
