/** Constants of enums that are given long arrays. */
public class ArraysOfConstants {
    enum Disk {
        PLAIN(1, new char[] {0}, new String[] {}, false),
        LONG(
                2,
                new char[] {
                    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
                    30, 31, '"', '*', '/', ':', '<', '>', '?', '\\', '|'
                },
                new String[] {
                    "AUX", "COM1", "COM2", "COM3", "COM4", "COM5", "COM6", "COM7", "COM8", "COM9", "CON", "LPT1", "LPT2",
                    "LPT3", "LPT4", "LPT5", "LPT6", "LPT7", "LPT8", "LPT9", "NUL", "PRN"
                },
                true);

        private static final boolean IS_LONG = named("long");

        private static final String PREFIX = "disk";

        private final int number;
        private final char[] illegal;
        private final String[] reserved;
        private final boolean isChecked;

        Disk(int number, char[] illegal, String[] reserved, boolean isChecked) {
            this.number = number;
            this.illegal = illegal;
            this.reserved = reserved;
            this.isChecked = isChecked;
        }

        private static boolean named(String end) {
            return (PREFIX + end).length() > 5;
        }

        String said() {
            return PREFIX + number + illegal.length + reserved.length + isChecked + IS_LONG;
        }
    }

    public static void main(String[] args) {
        for (Disk disk : Disk.values()) System.out.println(disk.said() + (int) disk.illegal[disk.illegal.length - 1]);
    }
}
