import java.util.*;
public class AnonymousClasses {
  interface Shape { double area(); default String show() { return "area " + area(); } } static abstract class Base { final String name; Base(String n, int... k) { name = n + k.length; init(); } void init() { } abstract int f(int x); }
  public static void main(String[] args) {
    int r = 3; final String tag = "t"; Shape c = new Shape() { int calls; public double area() { calls++; return r * 2.0 + calls; } }; System.out.println(c.show() + c.show());
    Base b = new Base("b", 1, 2) { int seed = 5; { seed += r; } @Override void init() { System.out.println("init " + seed); } int f(int x) { return x * seed + tag.length(); } }; System.out.println(b.f(2) + b.name);
    Comparator<String> byLength = new Comparator<String>() { @Override public int compare(String a, String z) { return a.length() - z.length(); } }; List<String> l = new ArrayList<>(List.of("ccc", "a", "bb")); Collections.sort(l, byLength); System.out.println(l);
    Runnable rr = new Runnable() { public void run() { new Runnable() { public void run() { System.out.println(tag + r + b.f(1)); } }.run(); } }; rr.run(); Map<String, Integer> m = new HashMap<String, Integer>() {{ put("k", r); }}; System.out.println(m);
  }
}
