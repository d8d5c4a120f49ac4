import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** Objects of classes without a name, cast to and compared with classes beside them; types that Java infers, or does not. */
public class NamelessCasts {
    interface Told {
        String tell();
    }

    static class Base implements Told {
        int value = 1;

        public String tell() {
            return "base";
        }
    }

    static class Middle extends Base {
        public String tell() {
            return "middle";
        }
    }

    static <T> T same(int tag, T value) {
        System.out.println(tag + ": " + value.getClass().getSuperclass().getSimpleName());
        return value;
    }

    @SafeVarargs
    static <T> List<T> listed(T... all) {
        return new ArrayList<>(Arrays.asList(all));
    }

    static <T extends Comparable<? super T>> T most(Collection<? extends T> all) {
        T best = null;
        for (T each : all) if (best == null || each.compareTo(best) > 0) best = each;
        return best;
    }

    static String cast(int way) {
        try {
            switch (way) {
                case 0:
                    return ((Middle) (Base) new Base() {
                        public String tell() {
                            return "made";
                        }
                    }).tell();
                case 1:
                    return ((Middle) same(1, (Base) new Base() {
                        public String tell() {
                            return "given";
                        }
                    })).tell();
                case 2:
                    return ((Middle) (way > 5 ? null : (Base) new Base() {
                        public String tell() {
                            return "chosen";
                        }
                    })).tell();
                default:
                    return "" + ((Base) new Base() {
                        int more = 3;
                    } instanceof Middle) + ((Base) new Base() {
                        int more = 4;
                    } == new Middle());
            }
        } catch (ClassCastException error) {
            return "no such";
        }
    }

    static int inferred(int number) {
        return most(same(2, listed(4, number))) & 7;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    static Object raw(int more, List list) {
        return most((Collection<Integer>) list);
    }

    static int alone(Object nothing) {
        return ((String) nothing + "").substring(1).length();
    }

    public static void main(String[] args) {
        for (int way = 0; way < 4; way++) System.out.println(cast(way));
        System.out.println(inferred(5) + " " + raw(0, listed(1, 2)) + " " + alone(null) + " " + alone("abc"));
    }
}
