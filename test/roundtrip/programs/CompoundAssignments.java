public class CompoundAssignments {
  int field; static long sfield; int[] array = {1, 2, 3}; byte small; char ch = 'a'; String text = "t"; Integer boxed = 5;
  int index() { System.out.println("index"); return 1; }
  CompoundAssignments self() { System.out.println("self"); return this; }
  public static void main(String[] args) {
    CompoundAssignments c = new CompoundAssignments();
    c.self().field += 5; c.self().field++; System.out.println(c.field++ + ++c.field);
    c.self().array[c.index()] *= 4; System.out.println(c.array[1]); c.array[c.index()]--; System.out.println(c.array[c.index()]++ + c.array[1]);
    sfield += 10; sfield <<= 3; System.out.println(sfield-- - --sfield);
    c.small += 200; c.small--; c.ch++; c.ch += 2; System.out.println(c.small + " " + c.ch);
    c.text += 1; c.text += 'c'; c.self().text += null; System.out.println(c.text += 2.0);
    c.boxed++; c.boxed += 2; System.out.println(c.boxed-- + c.boxed);
    int a, b; a = b = c.field = 9; System.out.println(a + b + c.field); int i = 1; i = i++ + ++i; System.out.println(i);
    int[] q = {0, 0, 0}; int k = 0; q[k++] = k++; q[k] = k = 0; System.out.println(q[0] + " " + q[1] + " " + q[2] + k);
  }
}
