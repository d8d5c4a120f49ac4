// Java values of a type that need nothing else to be named. Knows no variables.
import type { Choices } from './choices.ts';
import type { JavaType } from './world.ts';

const numbersOf: Partial<Record<JavaType, readonly string[]>> = {
  int: [
    '0',
    '1',
    '-1',
    '2',
    '3',
    '7',
    '31',
    '-5',
    '100',
    '255',
    '65536',
    'Integer.MAX_VALUE',
    'Integer.MIN_VALUE',
    '0x7f',
  ],
  long: ['0L', '1L', '-1L', '3L', '40L', '4294967296L', 'Long.MAX_VALUE', 'Long.MIN_VALUE', '-7L'],
  float: ['0f', '-0f', '1.5f', '-2.25f', '1e10f', 'Float.NaN', 'Float.POSITIVE_INFINITY', '3f'],
  double: ['0.0', '-0.0', '1.5', '-2.25', '1e100', 'Double.NaN', 'Double.NEGATIVE_INFINITY', '3.0', '0.1'],
  char: ["'a'", "'Z'", "'\\u0000'", "'\\n'", "'\\uffff'", "'0'", "'\\''"],
};

const texts = [
  '""',
  '"a"',
  '"b\\n"',
  '"Aa"',
  '"BB"',
  '"\\"q\\""',
  '"x" + 1',
  '"\\u00e9\\ud83d\\ude00"',
  '"long text here"',
  '"null"',
];

/** A literal, or an object that is made on the spot. */
export function freshValue(type: JavaType, { of, below, chance }: Choices): string {
  const numbers = numbersOf[type];
  if (numbers !== undefined) return of(numbers);
  switch (type) {
    case 'boolean':
      return of(['true', 'false']);
    case 'byte':
    case 'short':
      return `(${type}) ${of(['-1', '0', '5', '127', '-128', '300'])}`;
    case 'Integer':
      return of(['Integer.valueOf(5)', '(Integer) 1000', '(Integer) (-1)', 'Integer.valueOf(128)', '(Integer) null']);
    case 'Long':
      return of(['(Long) 5L', 'Long.valueOf(700L)']);
    case 'Character':
      return of(["(Character) 'q'", "Character.valueOf('\\u1234')"]);
    case 'Double':
      return of(['(Double) 2.5', '(Double) Double.NaN']);
    case 'Boolean':
      return of(['Boolean.TRUE', '(Boolean) false']);
    case 'Byte':
      return '(Byte) (byte) 9';
    case 'int[]':
      return of([`new int[4]`, `new int[] {${below(9)}, -2, ${below(300)}, 4}`]);
    case 'long[]':
      return of([`new long[5]`, `new long[] {1L, ${below(9)}, -3L, Long.MAX_VALUE}`]);
    case 'byte[]':
      return of([`new byte[4]`, `new byte[] {1, -128, 127, ${below(99)}}`]);
    case 'char[]':
      return of([`new char[4]`, `"text${below(9)}".toCharArray()`]);
    case 'double[]':
      return of([`new double[4]`, `new double[] {1, -0.0, Double.NaN, ${below(9)}}`]);
    case 'String[]':
      return of([`new String[4]`, `new String[] {"p", null, "r${below(9)}", ""}`]);
    case 'Integer[]':
      return `new Integer[] {1, null, ${below(300)}, 4}`;
    case 'int[][]':
      return of([`new int[4][4]`, `new int[][] {{1, 2, 3, 4}, new int[4], {${below(9)}, 6, 7, 8}, null}`]);
    case 'String':
      return chance(0.05) ? '(String) null' : of(texts);
    case 'Object':
      return of([
        '(Object) "o"',
        '(Object) 5',
        '(Object) null',
        "(Object) 'c'",
        '(Object) 7L',
        'new int[] {1, 2}',
        'new Point(3)',
        'Color.RED',
      ]);
    case 'List<Integer>':
      return of([
        'new ArrayList<>(Arrays.asList(3, 1, 2))',
        'listed(4, 5)',
        'new ArrayList<Integer>()',
        'Main.<Integer>listed()',
      ]);
    case 'List<String>':
      return of(['listed("x", "y")', 'new ArrayList<>(List.of("q"))', 'listed("only")']);
    case 'Map<String, Integer>':
      return of(['new TreeMap<>(Map.of("k", 1, "l", 2))', 'new TreeMap<String, Integer>()']);
    case 'Color':
      return `Color.${of(['RED', 'GREEN', 'BLUE', 'DARK'])}`;
    case 'Point':
      return of([`new Point(${below(9)}, 2)`, `new Point(${below(5)})`]);
    case 'Base':
      return of([
        'new Middle()',
        `new Leaf(${below(9)})`,
        `new Base(${below(4)}) { @Override int tell(int a) { return a * ${below(9)} + k; } }`,
      ]);
    case 'Middle':
      return of(['new Middle()', `new Leaf(${below(9)})`, `new Middle(2)`]);
    case 'Leaf':
      return `new Leaf(${below(9)})`;
    case 'Shape':
      return of([
        `new Circle(${below(9)})`,
        `new Square(${below(9)}L)`,
        `new Group(new Circle(1), new Square(2))`,
        'new Group()',
      ]);
    case 'Box<Integer>':
      return of([`new Box<>(${below(200)})`, `new Box<Integer>(5).put(${below(9)})`]);
    default:
      return of(['Fn.of(3)', '(Fn) (x -> x * 2)', '(Fn) Math::abs', `(Fn) (x -> x ^ ${below(99)})`]);
  }
}
