/** Constants that are called as classes are, in whose enums those classes are used. */
public class ConstantsLikeClasses {
    static class Circle {
        static int made;
        final int radius;

        Circle(int radius) {
            this.radius = radius;
            made++;
        }

        static String said() {
            return "circles: " + made;
        }
    }

    static class Square {
        static final class Corner {
            static int count() {
                return 4;
            }
        }
    }

    enum Shape {
        Circle {
            @Override
            Object make() {
                return new Circle(3).radius;
            }
        },
        Square {
            @Override
            Object make() {
                return ConstantsLikeClasses.Square.Corner.count();
            }
        },
        java;

        Object make() {
            return ConstantsLikeClasses.Circle.said() + Circle.ordinal();
        }
    }

    static String inside(Shape shape) {
        return switch (shape) {
            case Circle -> "round";
            case Square -> "angular";
            default -> Circle.said();
        };
    }

    public static void main(String[] args) {
        for (Shape shape : Shape.values())
            if (shape.ordinal() < 2) System.out.println(shape + " " + shape.make() + " " + inside(shape) + " " + Shape.valueOf(shape.name()));
            else System.out.println(shape.make() + inside(shape));
        System.out.println(Shape.valueOf("Circle").compareTo(Shape.Square));
    }
}
