import java.util.*;
import java.util.concurrent.Callable;
import java.util.function.*;
public class ImplementedTypes {
  static class Version implements Comparable<Version> {
    final int major;
    Version(int major) { this.major = major; }
    public int compareTo(Version other) { return Integer.compare(major, other.major); }
    public String toString() { return "v" + major; }
  }
  static class Base implements Comparable<Base> {
    int rank() { return 1; }
    public int compareTo(Base other) { return rank() - other.rank(); }
  }
  static class Derived extends Base {
    int rank() { return 5; }
    @Override public int compareTo(Base other) { System.out.println("derived"); return super.compareTo(other); }
  }
  static final class ByLength implements Comparator<String>, Callable<List<String>>, BiFunction<String, Integer, Character> {
    public int compare(String a, String b) { return a.length() - b.length(); }
    public List<String> call() throws Exception { throw new Exception("called"); }
    public Character apply(String text, Integer at) { return text.charAt(at); }
  }
  static class Words implements Iterator<String> {
    int left = 3;
    public boolean hasNext() { return left > 0; }
    public String next() { return "word" + left--; }
  }
  static class Twice<T> implements Function<T, String>, Predicate<T> {
    public String apply(T value) { return "" + value + value; }
    public boolean test(T value) { return value == null; }
  }
  static class Arrays2 implements Supplier<int[]>, Consumer<byte[][]> {
    public int[] get() { return new int[] {1, 2}; }
    public void accept(byte[][] rows) { System.out.println(rows.length); }
  }
  static class Own implements Comparator<Object> {
    public int compare(Object a, Object b) { return a.toString().compareTo(b.toString()); }
    int compare(Integer a, Integer b) { return b - a; }
  }
  @SuppressWarnings({"unchecked", "rawtypes"})
  static int asked(Comparable raw, Object other) {
    try { return raw.compareTo(other); } catch (ClassCastException e) { return -99; }
  }
  @SuppressWarnings({"unchecked", "rawtypes"})
  public static void main(String[] args) throws Exception {
    Version two = new Version(2);
    System.out.println(asked(two, new Version(1)) + " " + asked(two, "text") + " " + ((Comparable) two).compareTo(two));
    System.out.println(new Derived().compareTo(new Base()) + " " + asked(new Derived(), new Derived()));
    List<Version> versions = new ArrayList<>(List.of(new Version(3), two, new Version(7)));
    Collections.sort(versions);
    System.out.println(versions + " " + Collections.max(versions));
    versions.sort(new Comparator<Version>() {
      public int compare(Version a, Version b) { return b.compareTo(a); }
    });
    System.out.println(versions);
    ByLength byLength = new ByLength();
    String[] texts = {"three", "a", "to"};
    Arrays.sort(texts, byLength);
    Arrays.sort(texts, byLength.reversed());
    System.out.println(String.join(",", texts) + byLength.apply("abc", 1));
    Comparator raw = byLength;
    try { System.out.println(raw.compare("a", 5)); } catch (ClassCastException e) { System.out.println("cast"); }
    try { byLength.call(); } catch (Exception e) { System.out.println(e.getMessage()); }
    StringBuilder text = new StringBuilder();
    for (Iterator<String> words = new Words(); words.hasNext(); ) text.append(words.next()).append(' ');
    System.out.println(text + new Twice<Integer>().apply(4) + new Twice<String>().test(null));
    new Arrays2().accept(new byte[new Arrays2().get()[1]][]);
    System.out.println(new Own().compare((Object) 9, (Object) 10) + " " + new Own().compare(9, 10));
    System.out.println(new TreeSet<>(versions).first() + " " + Objects.compare("aa", "b", byLength));
  }
}
