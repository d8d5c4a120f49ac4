import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Calls that are compiled as the types of their arguments and of what they are cast to. */
public class MethodHandleCalls {
  static int twice(int n) {
    return 2 * n;
  }

  static long sum(Object text, long n) {
    return text.toString().length() + n;
  }

  static String name(String first, Object second) {
    return first + second;
  }

  public static void main(String[] args) throws Throwable {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    MethodHandle twice = lookup.findStatic(MethodHandleCalls.class, "twice", MethodType.methodType(int.class, int.class));
    MethodHandle sum =
        lookup.findStatic(MethodHandleCalls.class, "sum", MethodType.methodType(long.class, Object.class, long.class));
    MethodHandle name =
        lookup.findStatic(
            MethodHandleCalls.class, "name", MethodType.methodType(String.class, String.class, Object.class));
    int unused = (int) twice.invokeExact(4);
    System.out.println((int) twice.invokeExact(21));
    System.out.println((long) sum.invokeExact((Object) "four", 5L));
    System.out.println((String) name.invokeExact("a", (Object) null));
    System.out.println(name.invoke("b", (Object) "c"));
    try {
      System.out.println((Object) name.invokeExact("d", "e"));
    } catch (java.lang.invoke.WrongMethodTypeException e) {
      System.out.println("wrong type");
    }
  }
}
