// The classes that a random program has beside its methods, with random bodies: their texts are Java. Knows no statements.
import type { Choices } from './choices.ts';

export const primitives = ['int', 'long', 'byte', 'short', 'char', 'float', 'double', 'boolean'] as const;
export const boxes = ['Integer', 'Long', 'Character', 'Double', 'Boolean', 'Byte'] as const;
export const arrays = ['int[]', 'long[]', 'byte[]', 'char[]', 'String[]', 'int[][]', 'double[]', 'Integer[]'] as const;
export const objects = ['String', 'Object', 'List<Integer>', 'List<String>', 'Map<String, Integer>'] as const;
/** Types that `world` declares. */
export const declared = ['Color', 'Point', 'Base', 'Middle', 'Leaf', 'Shape', 'Box<Integer>', 'Fn'] as const;

export type JavaType =
  | (typeof primitives)[number]
  | (typeof boxes)[number]
  | (typeof arrays)[number]
  | (typeof objects)[number]
  | (typeof declared)[number];

export const unboxed: Partial<Record<JavaType, JavaType>> = {
  Integer: 'int',
  Long: 'long',
  Character: 'char',
  Double: 'double',
  Boolean: 'boolean',
  Byte: 'byte',
};

/** Numbers that a type takes as they are. */
export const widened: Partial<Record<JavaType, readonly JavaType[]>> = {
  short: ['byte'],
  int: ['byte', 'short', 'char'],
  long: ['int', 'byte', 'short', 'char'],
  float: ['int', 'long', 'short', 'char'],
  double: ['float', 'int', 'long', 'byte'],
  Object: [
    'String',
    'Integer',
    'Long',
    'Character',
    'Double',
    'Color',
    'Point',
    'Leaf',
    'Shape',
    'List<Integer>',
    'int[]',
  ],
  Base: ['Middle', 'Leaf'],
  Middle: ['Leaf'],
};

export const componentOf = (type: JavaType): JavaType => type.slice(0, -2) as JavaType;

/** What writes down that a value was worked out, and answers it. */
const traces = `
    static StringBuilder log = new StringBuilder();
    static int t(int tag, int v) { log.append(tag).append(':').append(v).append(' '); return v; }
    static long t(int tag, long v) { log.append(tag).append(":L").append(v).append(' '); return v; }
    static double t(int tag, double v) { log.append(tag).append(":D").append(v).append(' '); return v; }
    static boolean t(int tag, boolean v) { log.append(tag).append(v ? '+' : '-').append(' '); return v; }
    static char t(int tag, char v) { log.append(tag).append(":C").append((int) v).append(' '); return v; }
    static <T> T t(int tag, T v) { log.append(tag).append(":O").append(show(v)).append(' '); return v; }
    static String show(Object o) {
      if (o == null) return "null";
      if (o instanceof int[]) return Arrays.toString((int[]) o);
      if (o instanceof long[]) return Arrays.toString((long[]) o);
      if (o instanceof byte[]) return Arrays.toString((byte[]) o);
      if (o instanceof char[]) return Arrays.toString((char[]) o);
      if (o instanceof double[]) return Arrays.toString((double[]) o);
      if (o instanceof Object[]) { String s = "["; for (Object each : (Object[]) o) s += show(each) + ","; return s + "]"; }
      if (o instanceof Fn) return "fn" + ((Fn) o).apply(3);
      if (o instanceof Throwable) return o.getClass().getName() + (o instanceof Oops ? ((Oops) o).code : 0) + show(((Throwable) o).getCause()) + ((Throwable) o).getSuppressed().length;
      return o.toString();
    }
    static class Oops extends Exception { final int code; Oops(int code) { super("oops" + code); this.code = code; } }
    interface Fn { int apply(int x); default Fn then(Fn g) { return x -> g.apply(apply(x)); } static Fn of(int k) { return x -> x + k; } }
`;

/** What parts of the world's texts take from chance. */
export interface Filling {
  readonly choices: Choices;
  /** A whole number made of what the line declares. */
  readonly expression: (names: readonly string[]) => string;
}

function colors({ choices, expression }: Filling): string {
  const body = () =>
    choices.chance(0.5) ? ` { @Override int weigh(int w) { return ${expression(['w'])} + ordinal(); } }` : '';
  return `
    enum Color {
      RED(1)${body()}, GREEN(${choices.below(9)})${body()}, BLUE${body()}, DARK(7)${body()};
      final int k; static int made = 0; { log.append("c"); }
      Color() { this(5); }
      Color(int k) { this.k = k; log.append(k); }
      int weigh(int w) { return ${expression(['w', 'k'])}; }
      Color next() { return values()[(ordinal() + 1) % values().length]; }
    }`;
}

function points({ choices, expression }: Filling): string {
  const compact = choices.chance(0.5) ? `Point { x = ${expression(['x', 'y'])}; }` : '';
  return `
    record Point(int x, int y) implements Comparable<Point> {
      ${compact}
      Point(int both) { this(both, ${expression(['both'])}); }
      static int count = 0;
      int sum() { return ${expression(['x', 'y'])}; }
      @Override public int compareTo(Point other) { return Integer.compare(x + y, other.x + other.y); }
    }`;
}

function hierarchy({ choices, expression }: Filling): string {
  const call = choices.chance(0.5) ? 'log.append(tell(k));' : '';
  return `
    static abstract class Base implements Comparable<Base> {
      static int serial = t(900, 1); protected int k = 3; int hidden = 1; { k += serial; log.append("b").append(k); }
      Base() { ${call} }
      Base(int k) { this.k += k; ${call} }
      abstract int tell(int a);
      int twice(int a) { return ${expression(['a', 'k', 'hidden'])} + tell(a); }
      Object self() { return this; }
      static String who() { return "base"; }
      @Override public int compareTo(Base o) { return Integer.compare(k, o.k); }
      @Override public String toString() { return getClass().getSimpleName() + k; }
    }
    static class Middle extends Base {
      int extra = t(901, k); int hidden = 2;
      Middle(int k) { super(${expression(['k'])}); extra = k; }
      Middle() { this(4); extra++; }
      @Override int tell(int a) { return ${expression(['a', 'k', 'extra', 'hidden'])}; }
      @Override Middle self() { return this; }
      int depth() { return super.hidden + hidden; }
      static String who() { return "middle"; }
      class Inner { int extra = ${choices.below(50)}; int sum(int a) { return ${expression(['a', 'extra'])} + Middle.this.extra + k; } }
    }
    static final class Leaf extends Middle {
      private int own; static final int[] TABLE = {1, 2, t(902, 3)};
      Leaf(int a) { super(a); own = ${expression(['a', 'k', 'extra'])}; }
      @Override int tell(int a) { return super.tell(a) + ${expression(['a', 'own'])}; }
      @Override int twice(int a) { return ${choices.of(['super.twice(a)', 'a'])} - own; }
      @Override Leaf self() { return this; }
    }`;
}

function shapes({ expression }: Filling): string {
  return `
    sealed interface Shape permits Circle, Square, Group { default int corners() { return ${expression([])}; } private int secret() { return 4; } default int open() { return secret() + corners(); } }
    record Circle(int r) implements Shape { @Override public int corners() { return 0; } }
    static final class Square implements Shape { final long side; Square(long side) { this.side = side; } @Override public String toString() { return "S" + side; } }
    static final class Group implements Shape, Iterable<Shape> {
      final List<Shape> parts = new ArrayList<>();
      Group(Shape... parts) { for (Shape each : parts) this.parts.add(each); }
      @Override public Iterator<Shape> iterator() { return new Iterator<Shape>() { int at = 0; public boolean hasNext() { return at < parts.size(); } public Shape next() { return parts.get(at++); } }; }
      @Override public String toString() { return "G" + parts; }
    }`;
}

function generics({ choices }: Filling): string {
  return `
    static class Box<T extends Comparable<T>> implements Iterable<T> {
      T held; private final List<T> all = new ArrayList<>();
      Box(T held) { this.held = held; all.add(held); }
      T get() { return held; }
      Box<T> put(T next) { if (next.compareTo(held) ${choices.of(['>', '<=', '!='])} 0) held = next; all.add(next); return this; }
      <R extends Comparable<R>> Box<R> map(Function<? super T, ? extends R> f) { return new Box<R>(f.apply(held)); }
      @Override public Iterator<T> iterator() { return all.iterator(); }
      @Override public String toString() { return "Box" + all + held; }
    }
    static <T extends Comparable<? super T>> T most(Collection<? extends T> all) { T best = null; for (T each : all) if (best == null || each.compareTo(best) > 0) best = each; return best; }
    static double total(List<? extends Number> all) { double sum = 0; for (Number each : all) sum += each.doubleValue(); return sum; }
    static void fill(Collection<? super Integer> into, int n) { for (int i = 0; i < n; i++) into.add(i); }
    @SafeVarargs static <T> List<T> listed(T... all) { return new ArrayList<>(Arrays.asList(all)); }
    static <A, B extends A> A either(boolean c, A a, B b) { return c ? a : b; }`;
}

function overloads({ choices }: Filling): string {
  const parameters = [
    ...[
      'int a',
      'long a',
      'double a',
      'char a',
      'byte a',
      'Integer a',
      'Number a',
      'String a',
      'Object... a',
      'int... a',
      'boolean a',
    ],
    ...[
      'List<?> a',
      'Collection<?> a',
      'List<Integer> a, int b',
      'Object a, Object b',
      'int a, long b',
      'long a, int b',
      'Long a',
      'CharSequence a',
      'Comparable<?> a',
    ],
  ];
  const apart = [
    ['int a, long b', 'long a, int b'],
    ['int... a', 'Object... a'],
    ['Comparable<?> a', 'Number a'],
    ['Comparable<?> a', 'CharSequence a'],
  ];
  // Where two are as near as each other javac takes neither.
  const chosen = ['Object a', ...choices.some(parameters, 0.45)].filter(
    (each, _at, all) => !apart.some(([first, second]) => each === first && all.includes(second!)),
  );
  return chosen
    .map(
      (list) =>
        `    static int o(${list}) { log.append("o(${list.replace(/ \w(?=,|$)/g, '')}) "); return ${choices.below(99)}; }`,
    )
    .join('\n');
}

const resources = `
    static class Res implements AutoCloseable {
      final int n; Res(int n) throws Oops { this.n = n; log.append("open").append(n).append(' '); if (n % 7 == 5) throw new Oops(n); }
      int use(int a) { return a + n; }
      @Override public void close() throws Oops { log.append("close").append(n).append(' '); if (n % 5 == 3) throw new Oops(-n); }
    }`;

/** All of it. */
export const worldOf = (filling: Filling): string =>
  [
    traces,
    colors(filling),
    points(filling),
    hierarchy(filling),
    shapes(filling),
    generics(filling),
    overloads(filling),
    resources,
  ].join('\n');
