import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/** Calls for which Java would choose another method if a cast were left out, beside those for which it would not. */
public class NearOverloads {
    static String take(Object value) { return "object"; }
    static String take(CharSequence value) { return "text"; }
    static String take(String value) { return "string"; }
    static String take(long value) { return "long"; }
    static String take(double value) { return "double"; }
    static String take(int[] value) { return "ints"; }
    static String pair(Object a, CharSequence b) { return "object, text"; }
    static String pair(CharSequence a, Object b) { return "text, object"; }
    static String list(Collection<?> values) { return "collection"; }
    static String list(Iterable<?> values) { return "iterable"; }
    static String only(CharSequence text) { return "only " + text; }
    static String run(Runnable task) { task.run(); return "runnable"; }
    static String run(Supplier<?> task) { return "supplier " + task.get(); }
    static Object held = "held";
    static <T> T same(T value) { return value; }

    static class Above {
        String call(Object value) { return "above"; }
    }

    static class Below extends Above {
        String call(String value) { return "below"; }
    }

    public static void main(String[] arguments) {
        String text = "t" + arguments.length;
        Object object = text;
        CharSequence sequence = text;
        int[] ints = {1, 2};
        int number = arguments.length + 3;
        char letter = (char) ('a' + arguments.length);
        System.out.println(take(text) + take((CharSequence) text) + take((Object) text) + take(object) + take(sequence));
        System.out.println(take(ints) + take((Object) ints) + take((Object) null) + take((String) null));
        System.out.println(take(number) + take((double) number) + take((Object) number) + take(letter) + take((long) letter));
        System.out.println(pair((Object) text, text) + pair(text, (Object) text));
        System.out.println(list(new ArrayList<>()) + list((Iterable<?>) new ArrayList<>()) + only(text));
        System.out.println(run(() -> held = "run") + run((Supplier<?>) () -> "got") + held);
        System.out.println(take(same(text)) + take((Object) same(text)) + take(Objects.requireNonNull(object)));
        Below below = new Below();
        System.out.println(below.call(text) + below.call((Object) text) + ((Above) below).call(text));
        StringBuilder builder = new StringBuilder();
        char[] letters = {'x', 'y'};
        builder.append(letters).append((Object) number).append((char) number).append((int) letter).append((Object) "o");
        System.out.println(builder.length() + builder.substring(0, 2));
        List<Object> numbers = new ArrayList<>(List.of(1, 2, 3));
        numbers.remove((Object) 3);
        numbers.remove(0);
        System.out.println(numbers + " " + String.valueOf((Object) "v") + Objects.requireNonNull(text, "none"));
        wide(number, letter, 7L << number, 1.5f);
    }

    static void wide(int a, char b, long c, float d) {
        long product = (long) a * b;
        long overflow = (long) Integer.MAX_VALUE * a;
        double quotient = (double) a / (b - 90);
        float sum = a + d;
        long shifted = (long) a << 40;
        System.out.println(product + " " + overflow + " " + quotient + " " + sum + " " + shifted);
        System.out.println(((long) a == c) + " " + ((float) 16777217 == (float) 16777216 + a - 3) + " " + ((double) c > d) + " " + (a + c));
        Object boxed = (long) a;
        Number other = (double) d;
        double converted = c;
        System.out.println(boxed + " " + other + " " + converted + " " + halved(a) + " " + (c > 900 ? (double) a : d));
    }

    static double halved(long value) { return value / 2; }
}
