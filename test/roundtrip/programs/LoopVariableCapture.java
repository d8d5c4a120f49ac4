import java.util.*;
import java.util.function.*;
public class LoopVariableCapture {
  public static void main(String[] args) { List<Supplier<String>> l = new ArrayList<>(); for (int i = 0; i < 3; i++) { int j = i * i; l.add(() -> "a" + j); } for (String s : new String[] {"x", "y"}) l.add(() -> s + s); for (char c : "pq".toCharArray()) { long w = c; l.add(() -> c + "" + w); } int k = 0; do { final int m = k; l.add(new Supplier<>() { int n = m; public String get() { return "n" + n++ + m; } }); } while (++k < 2); for (Supplier<String> s : l) System.out.print(s.get() + s.get() + " "); System.out.println(); }
}
