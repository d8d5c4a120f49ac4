import java.util.*;
public class LocalRecordsAndEnums {
  static String report(List<String> words) { record Count(String w, int n) implements Comparable<Count> { public int compareTo(Count o) { return n != o.n ? o.n - n : w.compareTo(o.w); } } enum Size { SMALL, LARGE; static Size of(int n) { return n > 1 ? LARGE : SMALL; } } interface Fmt { String f(Count c); } Map<String, Integer> m = new TreeMap<>(); for (String w : words) m.merge(w, 1, Integer::sum); List<Count> l = new ArrayList<>(); m.forEach((w, n) -> l.add(new Count(w, n))); Collections.sort(l); Fmt f = c -> c.w() + c.n() + Size.of(c.n()); StringBuilder s = new StringBuilder(); for (Count c : l) s.append(f.f(c)).append(' '); return s + "" + Size.values().length + new Count("z", 0); }
  public static void main(String[] args) { System.out.println(report(List.of("b", "a", "b", "c"))); }
}
