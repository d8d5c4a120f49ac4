public class ClassLiterals {
  interface I { } static class G<T> { Class<?> own() { return getClass(); } } enum E { A { }, B }
  static String name(Class<?> c) { return c == null ? "none" : c.getName(); }
  public static void main(String[] args) { Class<?>[] all = {int.class, void.class, String.class, int[].class, String[][].class, I.class, G.class, E.class, Integer.TYPE, boolean.class, Object[].class}; for (Class<?> c : all) System.out.print(name(c) + (c.isPrimitive() ? "p" : c.isArray() ? "a" : c.isInterface() ? "i" : "c") + " "); System.out.println(); System.out.println(new G<String>().own() == G.class); System.out.println(name(E.A.getClass().getSuperclass()) + (E.B.getClass() == E.class) + name(new I() { }.getClass().getSuperclass()) + name(new int[0].getClass())); Object o = 5; System.out.println(o.getClass() == Integer.class ? "Integer" : "other"); System.out.println(String.class.isInstance("s") + "" + Number.class.isAssignableFrom(Integer.class) + Integer.class.cast(o)); }
}
