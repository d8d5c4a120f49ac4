/** Static fields that a class inherits, and variables that hold what they do. */
public class InheritedStatics {
    static class Above {
        static int count = 3;
        static boolean isOn = true;
        static String name = "above";
    }

    static class Below extends Above {
        static int own = 5;

        static int counted() {
            int before = count;
            count = before * 2;
            int after = count + own;
            own = after;
            count = after;
            return before + after + count;
        }

        static boolean turned() {
            boolean kept = (isOn = !isOn) | (isOn ^= true) | isOn;
            isOn = kept & isOn;
            return isOn == kept;
        }

        String named(String given) {
            name = given + name;
            String told = name;
            name = told + "!";
            return told + name;
        }
    }

    public static void main(String[] args) {
        System.out.println(Below.counted() + " " + Below.counted() + " " + Above.count + " " + Below.own);
        System.out.println(Below.turned() + " " + Below.turned() + " " + Above.isOn);
        System.out.println(new Below().named("a") + new Below().named("b") + Above.name);
    }
}
