/** Bodies of constants with asserts and static members of their own. */
public class AssertingConstants {
    enum Kind {
        FIRST {
            static int calls;

            @Override
            String said(int value) {
                assert value > 0 : "no value";
                calls++;
                return "first " + value + calls;
            }
        },
        SECOND {
            static final String[] NAMES = {"a", "b"};

            static String named(int index) {
                return NAMES[index % NAMES.length];
            }

            @Override
            String said(int value) {
                assert this == SECOND;
                return named(value) + Kind.FIRST.said(value);
            }
        };

        abstract String said(int value);
    }

    public static void main(String[] args) {
        for (Kind kind : Kind.values()) System.out.println(kind.said(3));
    }
}
