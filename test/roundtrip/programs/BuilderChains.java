import java.util.ArrayList;
import java.util.List;

/** Texts that are put together in statements of their own, and builders that somebody else sees too. */
public class BuilderChains {
  static final List<String> log = new ArrayList<>();

  static String noted(String text) {
    log.add(text);
    return text;
  }

  static String apart(int n, Object o) {
    StringBuilder text = new StringBuilder();
    text.append("n ");
    text.append(n).append(' ');
    text.append(o);
    text.append(noted("!"));
    return text.toString();
  }

  static String asked(boolean twice) {
    StringBuilder text = new StringBuilder("a");
    text.append(noted("b"));
    String first = text.toString();
    if (twice) text.append(first);
    return text.toString();
  }

  static String shared() {
    StringBuilder text = new StringBuilder();
    text.append("x");
    StringBuilder same = text;
    text.append("y");
    same.append("z");
    return noted("before") + text.toString();
  }

  static int caught(String number) {
    StringBuilder text = new StringBuilder();
    try {
      text.append("1");
      text.append(Integer.parseInt(number));
      return Integer.parseInt(text.toString());
    } catch (NumberFormatException e) {
      return text.length();
    }
  }

  static void ofItself() {
    StringBuilder text = new StringBuilder("ab");
    text.append(text);
    text.append(text.length());
    System.out.println(noted("in order ") + text.toString() + noted("!"));
  }

  public static void main(String[] args) {
    System.out.println(apart(3, null));
    System.out.println(asked(true) + asked(false));
    System.out.println(shared());
    System.out.println(caught("12") + " " + caught("none"));
    ofItself();
    System.out.println(log);
  }
}
