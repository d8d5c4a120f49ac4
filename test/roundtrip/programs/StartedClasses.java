/** Making an object starts its class before what the constructor is given is worked out. */
public class StartedClasses {
    static int say(String text, int value) {
        System.out.println(text);
        return value;
    }

    static class Before {
        static final int START = say("Before starts", 1);
        final int value;

        Before(int value) {
            this.value = value;
        }
    }

    static class Chosen {
        static final int START = say("Chosen starts", 1);
        final int value;

        Chosen(int value) {
            this.value = value;
        }
    }

    static class Switched {
        static final int START = say("Switched starts", 1);
        final int value;

        Switched(int value) {
            this.value = value;
        }
    }

    static class Below extends Above {
        Below(int value) {
            super(value);
        }
    }

    static class Above {
        static final int START = say("Above starts", 1);
        final int value;

        Above(int value) {
            this.value = value;
        }
    }

    enum Colour {
        RED, BLUE;

        static {
            say("Colour starts", 0);
        }
    }

    static class Failing {
        static final int START = say("Failing starts", 1) / (say("zero", 1) - 1);

        Failing(int value) {
            say("never made", value);
        }
    }

    static class Kept {
        static final Kept NOTHING = new Kept(0);
        static final String[] NAMES = {"a", "b"};
        final int value;

        Kept(int value) {
            this.value = value;
        }
    }

    static int workedOutBefore() {
        int value = say("worked out before", 2);
        return new Before(value).value;
    }

    static int chosen(Object colour) {
        return new Chosen(Colour.RED != colour ? 3 : 4).value;
    }

    static int switched(int key) {
        return new Switched(switch (key) {
            case 1 -> say("one", 1);
            case 2 -> {
                try {
                    yield say("two", 2);
                } finally {
                    say("at last", 3);
                }
            }
            default -> say("other", key);
        }).value;
    }

    static int below(int a, int b) {
        return new Below((a > 0 ? say("yes", 1) : say("no", 2)) + (b > 0 ? say("more", 3) : say("less", 4))).value;
    }

    static void failing() {
        try {
            new Failing(say("not asked", 1) > 0 ? say("nor this", 2) : 3);
        } catch (ExceptionInInitializerError error) {
            say("failed: " + error.getCause().getMessage(), 0);
        }
    }

    static int kept(int key) {
        return new Kept(switch (key) {
            case 1 -> say("kept one", 1);
            default -> say("kept other", 2);
        }).value + Kept.NOTHING.value + Kept.NAMES.length;
    }

    public static void main(String[] args) {
        System.out.println(workedOutBefore() + chosen(null) + chosen(Colour.BLUE));
        System.out.println(switched(2) + switched(1) + switched(7));
        System.out.println(below(1, 0) + below(0, 1));
        failing();
        System.out.println(kept(1) + kept(5));
    }
}
