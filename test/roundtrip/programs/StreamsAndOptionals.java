import java.util.*;
import java.util.function.*;
import java.util.stream.*;
public class StreamsAndOptionals {
  static Optional<Integer> parse(String s) { try { return Optional.of(Integer.parseInt(s)); } catch (NumberFormatException e) { return Optional.empty(); } }
  public static void main(String[] args) {
    System.out.println(Stream.of("b", "a", "c").sorted().collect(Collectors.toList()));
    System.out.println(IntStream.rangeClosed(1, 5).map(x -> x * x).filter(x -> x % 2 == 1).sum());
    System.out.println(parse("12").map(x -> x + 1).orElse(0) + " " + parse("q").map(x -> x + 1).orElseGet(() -> -1) + parse("7").isPresent());
    List<String> words = Arrays.asList("one", "three", "five"); int shift = words.size();
    System.out.println(words.stream().map(w -> w.length() + shift).reduce(0, Integer::sum));
    Supplier<Function<Integer, Predicate<Integer>>> nested = () -> a -> b -> a > b; System.out.println(nested.get().apply(3).test(2));
    words.forEach(w -> { if (w.length() > 3) System.out.print(w + " "); }); System.out.println(); Map<Integer, String> m = new TreeMap<>(); for (String w : words) m.merge(w.length(), w, (a, b) -> a + b); System.out.println(m); System.out.println(m.computeIfAbsent(9, k -> "new" + k) + m.getOrDefault(1, "none"));
    Comparator<String> c = Comparator.comparing(String::length); List<String> sorted = new ArrayList<>(words); sorted.sort(c.reversed().thenComparing(Comparator.naturalOrder())); System.out.println(sorted);
  }
}
