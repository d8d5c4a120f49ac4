/** What a loop without end throws is cleaned up after, thrown on and caught around, turn by turn. */
public class RethrownInLoops {
    static int nothingToCleanUp() {
        int turns = 5, size = -845;
        for (; turns > 1; turns -= 2)
            try {
                int kept = size;
                try {
                    for (Object made = new byte[size]; ; size = "1".equals("0") ? 2 : 1) {}
                } finally {
                    size = kept;
                }
            } catch (Throwable error) {
            }
        return turns;
    }

    static String cleanedUp(int size) {
        StringBuilder told = new StringBuilder();
        for (int turn = 0; turn < 3; turn++) {
            try {
                try {
                    while (true) told.append(new int[size--].length);
                } finally {
                    told.append("end").append(size);
                    size = 1;
                }
            } catch (NegativeArraySizeException error) {
                told.append("caught;");
            }
        }
        return told.toString();
    }

    public static void main(String[] args) {
        System.out.println(nothingToCleanUp());
        System.out.println(cleanedUp(2));
    }
}
