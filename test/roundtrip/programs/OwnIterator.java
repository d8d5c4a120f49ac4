import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** A list that goes over its elements in its own order asks its superclass for the elements in theirs. */
public class OwnIterator {
  static class Backwards extends ArrayList<String> {
    @Override
    public Iterator<String> iterator() {
      List<String> turned = new ArrayList<>();
      for (int i = size() - 1; i >= 0; i--) turned.add(get(i));
      return turned.iterator();
    }

    String forwards() {
      StringBuilder text = new StringBuilder();
      Iterator<String> each = super.iterator();
      while (each.hasNext()) {
        String element = each.next();
        text.append(element).append(';');
      }
      return text.toString();
    }

    String backwards() {
      StringBuilder text = new StringBuilder();
      for (String element : this) text.append(element).append(';');
      return text.toString();
    }
  }

  public static void main(String[] args) {
    Backwards list = new Backwards();
    for (String word : "one two three".split(" ")) list.add(word);
    System.out.println(list.forwards() + " " + list.backwards());
    for (Iterator<String> each = list.iterator(); each.hasNext(); ) System.out.println(each.next());
  }
}
