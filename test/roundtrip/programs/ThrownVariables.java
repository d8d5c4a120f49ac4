import java.io.IOException;

/** What overriding methods throw where the method above throws what a type variable says. */
public class ThrownVariables {
  interface Action<T, E extends Exception> {
    T run(T value) throws E;
  }

  static class Base {
    <E extends Exception> void open(boolean fails) throws E {}
  }

  static class Failing extends Base {
    @Override
    void open(boolean fails) throws IOException {
      if (fails) throw new IOException("closed");
    }
  }

  static class Typed implements Action<String, IOException> {
    @Override
    public String run(String value) throws IOException {
      if (value.isEmpty()) throw new IOException("empty");
      return value + "!";
    }
  }

  static class Kept extends IOException {
    final String text;

    Kept(String name) throws IOException {
      super(checked("<" + name + ">"));
      text = name;
    }

    static String checked(String text) throws IOException {
      if (text.length() < 3) throw new IOException("short");
      return text;
    }
  }

  static <E extends Exception> String tried(Action<String, E> action, String value) {
    try {
      return action.run(value);
    } catch (Exception e) {
      return e.getClass().getSimpleName() + " " + e.getMessage();
    }
  }

  class Inner {
    String above() {
      return ThrownVariables.super.toString().startsWith("ThrownVariables@") + " " + ThrownVariables.this;
    }
  }

  @Override
  public String toString() {
    return "own";
  }

  public static void main(String[] args) throws Exception {
    System.out.println(tried(new Typed(), "a") + tried(new Typed(), ""));
    for (boolean fails : new boolean[] {false, true}) {
      try {
        new Failing().open(fails);
        System.out.println("opened");
      } catch (IOException e) {
        System.out.println(e.getMessage());
      }
    }
    for (String name : new String[] {"abc", ""}) {
      try {
        System.out.println(new Kept(name).text + new Kept(name).getMessage());
      } catch (IOException e) {
        System.out.println(e.getMessage());
      }
    }
    System.out.println(new ThrownVariables().new Inner().above());
  }
}
