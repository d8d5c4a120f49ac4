/** Constructors that first write what their class inherits, and switches that only ask whether a text is there. */
public class InheritedFields {
    static class Above {
        int number = 1;
        Object thing;
        int[] list = {1};
        String name;
    }

    static class Below extends Above {
        int own = 2;

        {
            number = 3;
        }

        {
            thing = "thing";
        }
    }

    static class Named extends Above {
        Named() {
            number = 7;
            name = "named";
            list = new int[] {4};
        }
    }

    static class Of<T> {
        T value;
    }

    static class OfText extends Of<String> {
        OfText() {
            value = "text";
        }
    }

    static String asked(String[] texts, int at) {
        try {
            switch (texts[at]) {
                case "one":
                    break;
            }
            switch (texts[0]) {
                default:
                    break;
            }
            return "asked";
        } catch (ArrayIndexOutOfBoundsException error) {
            return "not so many";
        } catch (NullPointerException error) {
            return "nothing";
        }
    }

    public static void main(String[] args) {
        Below below = new Below();
        Named named = new Named();
        System.out.println(below.number + " " + below.thing + " " + below.own + " " + below.name + below.list[0]);
        System.out.println(named.number + named.name + named.list[0] + new OfText().value);
        String[] texts = {"one", null, "two"};
        for (int at = 0; at < 4; at++) System.out.println(asked(texts, at));
    }
}
