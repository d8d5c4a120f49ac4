import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/** Lambdas that call the field they are kept in, and such as only make another one. */
public class LambdasOfThemselves {
  static IntUnaryOperator factorial = n -> n < 2 ? 1 : n * LambdasOfThemselves.factorial.applyAsInt(n - 1);
  static int made;
  IntUnaryOperator sum = n -> n == 0 ? 0 : n + this.sum.applyAsInt(n - 1);

  class Counted {
    Counted() {
      made++;
    }
  }

  Runnable makesOnly() {
    return () -> {
      Supplier<Counted> unused = Counted::new;
    };
  }

  Supplier<Supplier<Counted>> makesMaker() {
    return () -> () -> new Counted();
  }

  public static void main(String[] args) {
    LambdasOfThemselves self = new LambdasOfThemselves();
    System.out.println(factorial.applyAsInt(6) + " " + self.sum.applyAsInt(4));
    self.makesOnly().run();
    System.out.println(made);
    self.makesMaker().get().get();
    System.out.println(made);
  }
}
