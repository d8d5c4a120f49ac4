import java.util.*;
public class LocalCaptures {
  int field = 3;
  List<Runnable> build(int param, String word) {
    List<Runnable> list = new ArrayList<>();
    long wide = 1L << 40; double half = param / 2.0;
    class Counter implements Runnable {
      int n; Counter(int start) { n = start; }
      Counter() { this(param); }
      public void run() { n += field; System.out.println(word + n + wide + half); }
      Counter twin() { return new Counter(n * 2); }
    }
    Counter c = new Counter();
    list.add(c); list.add(c.twin()); list.add(new Counter(0) { int extra = param; @Override public void run() { n += extra; super.run(); } });
    for (int i = 0; i < 2; i++) { final int at = i; list.add(new Runnable() { { field++; } public void run() { class In { String s() { return at + word + field; } } System.out.println(new In().s()); } }); }
    return list;
  }
  static Iterator<Integer> range(int from, int to) { return new Iterator<>() { int at = from; public boolean hasNext() { return at < to; } public Integer next() { return at++; } }; }
  public static void main(String[] args) {
    LocalCaptures l = new LocalCaptures();
    for (Runnable r : l.build(5, "w")) { r.run(); r.run(); }
    int sum = 0;
    for (Iterator<Integer> i = range(3, 8); i.hasNext(); ) sum += i.next();
    System.out.println(sum);
    Comparator<String> byLength = new Comparator<String>() { @Override public int compare(String a, String b) { return a.length() - b.length(); } };
    String[] words = {"ccc", "a", "bb"}; Arrays.sort(words, byLength.reversed()); System.out.println(Arrays.toString(words));
  }
}
