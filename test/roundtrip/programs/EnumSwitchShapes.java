import java.util.concurrent.TimeUnit;

/** Switches over enums from classes in each other, lambdas and anonymous classes, and arrays that look like theirs. */
public class EnumSwitchShapes {
  enum Color {
    RED,
    GREEN {
      int weight() {
        return 2;
      }
    },
    BLUE;

    int weight() {
      switch (this) {
        case RED:
          return 10;
        case BLUE:
          return 30;
        default:
          return -1;
      }
    }
  }

  enum Size {
    SMALL,
    LARGE
  }

  /** Anybody may write to this one. */
  static final int[] numbers = new int[Size.values().length];

  class Inner {
    String of(Color color) {
      String out = "";
      switch (color) {
        case GREEN:
          out += "g";
        case RED:
          out += "r";
          break;
        case BLUE:
          out += "b";
      }
      return out;
    }
  }

  static String lambda(Color color, Size size) {
    java.util.function.Function<Size, String> named = each -> {
      switch (each) {
        case LARGE:
          return "L" + color;
        default:
          return "S";
      }
    };
    Runnable runnable = new Runnable() {
      public void run() {
        switch (color) {
          case RED:
            System.out.println("red " + size);
            break;
          default:
            System.out.println("other " + size);
        }
      }
    };
    runnable.run();
    return named.apply(size);
  }

  static int nested(Color color, Size size) {
    switch (color) {
      case RED:
        switch (size) {
          case SMALL:
            return 1;
          case LARGE:
            return 2;
        }
      case GREEN:
        return 3;
      default:
        for (Size each : Size.values()) {
          switch (each) {
            case SMALL:
              continue;
            case LARGE:
              return 40;
          }
        }
    }
    return 5;
  }

  static int own(Size size) {
    switch (numbers[size.ordinal()]) {
      case 0:
        return 100;
      case 1:
        return 200;
      default:
        return 300;
    }
  }

  static String unit(TimeUnit unit) {
    switch (unit) {
      case SECONDS:
        return "s";
      case MINUTES:
        return "m";
      case HOURS:
        return "h";
      default:
        return "?";
    }
  }

  public static void main(String[] args) {
    for (Color color : Color.values()) {
      System.out.println(color.weight() + new EnumSwitchShapes().new Inner().of(color));
      for (Size size : Size.values()) System.out.println(lambda(color, size) + nested(color, size));
    }
    numbers[Size.LARGE.ordinal()] = 1;
    System.out.println(own(Size.SMALL) + own(Size.LARGE));
    numbers[Size.LARGE.ordinal()] = 2;
    System.out.println(own(Size.LARGE));
    System.out.println(unit(TimeUnit.SECONDS) + unit(TimeUnit.HOURS) + unit(TimeUnit.DAYS));
    try {
      nested(null, Size.SMALL);
    } catch (NullPointerException e) {
      System.out.println("npe");
    }
  }
}
