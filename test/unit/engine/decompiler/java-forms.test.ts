// The forms in which Java says what the compiled programs do; that they mean the same is held by the round trip.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { decompileDexes } from '../../../../server/engine/decompiler/decompiler.ts';
import { JavaTools, missingTools } from '../../../fixtures/java-tools.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';
import { programsOf } from '../../../roundtrip/programs.ts';
import { smaliOf } from '../../../roundtrip/round-trip.ts';

const ownPrograms = join(import.meta.dirname, '../../../roundtrip/programs');
const programs = readFileSync(new URL('../../../fixtures/dynamic/compiled/programs.dex', import.meta.url));
const sources = new Map([...decompileDexes([programs])].map(({ path, source }) => [path, source]));

test('a loop over an array or an Iterable is a for-each, whose elements have the type that the code casts them to', () => {
  assert.match(sources.get('Classes.java')!, /for \(Planet planet : Planet\.values\(\)\) \{/);
  assert.match(sources.get('Gatherings.java')!, /for \(String (\w+) : \(Iterable<String>\) \w+\) \{/);
  assert.match(sources.get('Texts.java')!, /for \(int \w+ : new int\[\]\{-5, /);
});

/** What is made of one of the programs of the round trip. */
async function sourceOfProgram(name: string): Promise<string> {
  const tools = JavaTools.ofProcess;
  const folder = temporaryFolder(name);
  const program = programsOf(ownPrograms).find((each) => basename(each.name, '.java') === name)!;
  const classes = await smaliOf({ tools, folder }, program);
  assert.ok(Array.isArray(classes));
  mkdirSync(join(folder, 'smali'));
  for (const [index, { text }] of classes.entries()) writeFileSync(join(folder, 'smali', `${index}.smali`), text);
  await tools.assemble(join(folder, 'smali'), join(folder, 'out.dex'));
  return [...decompileDexes([readFileSync(join(folder, 'out.dex'))])].map(({ source }) => source).join('\n');
}

test('a loop that counts is a for, and what cuts a turn short is continue', { skip: missingTools() }, async () => {
  assert.match(sources.get('Failures.java')!, /for \(int i = 0; i < 4; i\+\+\) \{/);
  assert.match(await sourceOfProgram('LabelledLoops'), /^ +continue;$/m);
});

test('a test for a class declares the variable of that class where nothing happens between them', {
  skip: missingTools(),
}, async () => {
  const source = await sourceOfProgram('TypePatterns');
  assert.match(source, /if \(!\(o instanceof Point (\w+)\)\) \{\s+return false;\s+\}\s+return this\.x == \1\.x/);
  assert.match(source, /if \(a instanceof String (\w+) && \1\.length\(\) > 1 && b instanceof String (\w+) && \2\./);
  // javac 17 refuses a pattern that takes all that the variable may hold.
  assert.match(source, /if \(i instanceof Integer\) \{/);
});

test('what compilers make to help is not written: what tells constructors apart, and interfaces named twice', {
  skip: missingTools(),
}, async () => {
  const source = await sourceOfProgram('CompilerHelpers');
  assert.match(source, /\(\) -> \w+ \* 7/);
  assert.match(source, /new Base\(\) \{/);
  assert.match(source, /class \$?_?3 implements Kept, CharSequence/);
  assert.match(source, /class \$?_?4 \{/);
  assert.doesNotMatch(source, /class \$?_?1 |ExternalSyntheticLambda|class \$?_?2 /);
});

test('an anonymous class that tells constructors from private ones, or that a lambda in it names, is written where it is made', {
  skip: missingTools(),
}, async () => {
  const source = await sourceOfProgram('MarkedConstructors');
  assert.match(source, /return new Job\(\) \{[^}]+return new Hidden\(text \+ this\.calls\);/);
  assert.match(source, /return \(\(Supplier\) \(\) -> text \+ this\.calls\)\.get\(\);/);
  assert.match(source, /new Twice\(i\)/);
  assert.doesNotMatch(source, /class _|val\$/);
});

test('anonymous classes in each other are written where they are made, and the one around is named where it is asked', {
  skip: missingTools(),
}, async () => {
  const source = await sourceOfProgram('NestedAnonymous');
  assert.match(source, /public void run\(\) \{\s+NestedAnonymous\.later\.add\(new Runnable\(\) \{/);
  assert.match(source, /Object make\(int n\) \{\s+var self = this;/);
  assert.match(source, /return string \+ self2\.at \+ self\.made;/);
});

test('what Kotlin made of a lambda is one where nothing tells them apart, with Unit for what gives nothing', {
  skip: missingTools(),
}, async () => {
  const source = await sourceOfProgram('KotlinLambdas');
  assert.match(source, /Function1 \w+ = p1 -> \{\s+int it = \(\(Number\) p1\)\.intValue\(\);/);
  assert.match(source, /if \(it\.isEmpty\(\)\) \{\s+return Unit\.INSTANCE;/);
  assert.match(source, /return \(Function0\) \(\) -> \w+ \+ it;/);
  // A constructor, a bridge or a body that does more; another number of parameters; one that knows itself; one made twice.
  for (const name of ['busy', 'loud', 'wrong', 'self', 'again', 'twice'])
    assert.match(source, new RegExp(`class ${name}\\$1 extends Lambda`));
  assert.doesNotMatch(source, /class (?:plus|add|sum|outer|inner)/);
});

test('a value is cast only where Java would choose another method or another arithmetic', {
  skip: missingTools(),
}, async () => {
  const source = await sourceOfProgram('NearOverloads');
  const called = (call: string) => assert.ok(source.includes(call), call);
  for (const call of ['take(string)', 'take((CharSequence) string)', 'take((Object) string)', 'take(is)']) called(call);
  for (const call of ['take((Object) is)', 'only(string)', 'append(new char[]{', 'remove(0)']) called(call);
  for (const sum of ['(long) a * b', "(double) a / (b - 'Z')", '(a + d)', '(long) a << 40']) called(sum);
});

test('a class in the one around is named without that, and one of another package by import where no class in the file inherits its name', () => {
  const classes = sources.get('Classes.java')!;
  assert.match(classes, /Chain chain = new Chain\(\)/);
  assert.match(classes, /^import java\.util\.Iterator;$/m);
  assert.doesNotMatch(classes, /Classes\.Chain|[(=] ?java\.util\./);
});

test('a loop that asks first whether to go on is a while with its condition', () => {
  assert.match(sources.get('Gatherings.java')!, /while \(!\w+\.isEmpty\(\)\) \{/);
});

test('two switches that stand for one over strings are one, strings of one hash code and of no case too', () => {
  const source = sources.get('Texts.java')!;
  assert.match(source, /switch \(\w+\) \{\s+case "BB":\s+case "Aa":\s+return "twins of one hash";/);
  assert.doesNotMatch(source, /switch \(\w+\.hashCode/);
});

test('a switch over strings is one whichever way its tests are turned, shared or written as comparisons, and nothing else is', {
  skip: missingTools(),
}, async () => {
  const source = await sourceOfProgram('StringSwitchShapes');
  assert.match(source, /switch \(string\) \{\s+case "Aa":\s+return 3;\s+case "one":\s+case "two":\s+return 2;/);
  assert.match(source, /switch \(string\) \{\s+case "a":\s+return "the first";\s+case "b":\s+return "the second";/);
  // A number that says null leads to where null is handled.
  assert.match(source, /if \(string != null\) \{\s+switch \(string\.length\(\)\) \{/);
  // Another hash code than the text has, another way for what only has the same hash code; one that is looked at again.
  assert.equal(source.match(/switch \(string\.hashCode\(\)\)/g)?.length, 2);
  assert.match(source, /int i = string\.hashCode\(\);/);
});

test('conditions are joined by && and ||, and a value of two is a choice', () => {
  assert.match(sources.get('Opened.java')!, /return \w+\.isRegularFile\(\) && \w+\.size\(\) == 1L;/);
  assert.match(sources.get('Texts.java')!, /\(\w+ != 3 \? "," : "\."\)/);
});

test('members of the class itself stand without its name, and of this without this', () => {
  assert.match(sources.get('Texts.java')!, /System\.out\.println\(kind\(\w+\)\);/);
  assert.match(sources.get('Failures.java')!, /^ +depth\+\+;\n +endless\(\);$/m);
});

test('a class without a name is written where its object is made, with the variables that it captures', () => {
  assert.match(sources.get('Threads.java')!, /new Thread\(new Runnable\(\) \{/);
  assert.match(sources.get('Classes.java')!, /return new Iterator<T>\(\) \{/);
  assert.doesNotMatch(sources.get('Threads.java')!, /val\$/);
});

test('what a compiler made of a lambda is a lambda again, with its body in it', () => {
  const source = sources.get('Functions.java')!;
  assert.match(source, /list\.stream\(\)\.filter\(\(Predicate\) object -> \{/);
  assert.match(source, /IntBinaryOperator \w+ = .*\(\w+, \w+\) -> Math\.max\(\w+, \w+\);/);
  assert.doesNotMatch(source, /lambda\$|SyntheticLambda/);
});

test('a method that is known to override another one says so', () => {
  assert.match(sources.get('Classes.java')!, /@Override\n +String describe\(\) \{/);
  assert.doesNotMatch(sources.get('Classes.java')!, /@Override\n +(?:private|static)/);
});

test('a private member of a class beside is named as it is, and what a compiler made to reach it is left out', () => {
  for (const source of sources.values()) assert.doesNotMatch(source, /\$\$Nest\$|access\$\d/);
  assert.match(sources.get('Classes.java')!, /\w+\.\w+\+\+;/);
});

test('a class whose objects belong to one of the class around is an inner class, and names that object as Java does', () => {
  const all = [...sources.values()].join('\n');
  assert.match(all, /^ +class \w+ .*\{$/m);
  assert.match(all, /= \w+\.new \w+\(/);
  assert.match(all, /\w+\.this\.\w+/);
  assert.doesNotMatch(all, /this\$0/);
});

test("a switch over the numbers of an enum's constants names the constants", () => {
  assert.match(sources.get('Classes.java')!, /switch \(\w+\) \{\s+case EARTH:$/m);
  for (const source of sources.values()) assert.doesNotMatch(source, /SwitchMap/);
});

test('handlers of several types are one catch, and what is closed however it is left is a resource', () => {
  assert.match(sources.get('Failures.java')!, /catch \(NullPointerException \| ArithmeticException \w+\) \{/);
  assert.match(sources.get('Opened.java')!, /try \(BufferedReader \w+ = Files\.newBufferedReader\(\w+\)\) \{/);
  assert.doesNotMatch(sources.get('Opened.java')!, /addSuppressed/);
});

test('Java boxes, unboxes and gathers values in an array by itself, where it chooses the same method', () => {
  assert.match(
    sources.get('Texts.java')!,
    /String\.format\("%5d\|.*", 42, "ab", 3\.14159, 255, 'z', true, 1234567, null\)/,
  );
  assert.match(sources.get('Opened.java')!, /Files\.newOutputStream\(\w+, StandardOpenOption\.APPEND\)/);
  // `Files.newBufferedWriter(Path, OpenOption...)` would be asked with three values too.
  assert.match(sources.get('Opened.java')!, /Files\.newBufferedWriter\(.*new OpenOption\[\]\{/);
});

test('what call sites link is written as lambdas, texts and records', { skip: missingTools() }, async () => {
  const tools = JavaTools.ofProcess;
  const sourceOf = async (name: string) => {
    const dex = join(temporaryFolder('call-sites'), 'out.dex');
    await tools.assemble(join(ownPrograms, name), dex);
    return [...decompileDexes([readFileSync(dex)])].map(({ source }) => source).join('\n');
  };
  const sites = await sourceOf('CallSites');
  assert.match(sites, /\(Runnable\) \(\) -> body\("turn ", \w+\)\)\.run\(\)/);
  assert.match(sites, /\(Function\) object -> new StringBuilder\(\(String\) object\)/);
  assert.match(sites, /"<" \+ \w+ \+ "\|" \+ l \+ "\|"/);
  assert.match(sites, /bootstrap\(MethodHandles\.lookup\(\), "added",/);
  const records = await sourceOf('RecordCallSites');
  assert.match(records, /record Point\(int x, String y\) \{\n {4}\}/);
  assert.match(records, /record Less\(int x, String y\) \{\n\n {8}@Override\n {8}public final boolean equals/);
});

test('a class that says who may extend it is sealed, and those that do say what they let others do', {
  skip: missingTools(),
}, async () => {
  const source = await sourceOfProgram('SealedTrees');
  assert.match(source, /abstract sealed class Animal permits Animal\.Dog, Animal\.Cat \{/);
  assert.match(source, /static non-sealed class Cat extends Animal \{/);
  assert.match(source, /static final class Dog extends Animal \{/);
});

test('try with resources and finally are recognised on every way out, also by return', {
  skip: missingTools(),
}, async () => {
  const tools = JavaTools.ofProcess;
  const folder = temporaryFolder('ways-out');
  const written = join(folder, 'WaysOut.java');
  writeFileSync(
    written,
    `import java.io.*;
public class WaysOut {
  static int first(File file) { try (InputStream in = new FileInputStream(file)) { return in.read(); } catch (IOException e) { return -1; } }
  static String read(Reader reader) throws IOException {
    try (BufferedReader lines = new BufferedReader(reader); StringWriter text = new StringWriter()) {
      for (String line; (line = lines.readLine()) != null; ) { if (line.isEmpty()) return null; text.write(line); }
      return text.toString();
    }
  }
  static int locked(java.util.concurrent.locks.Lock lock, int[] numbers) {
    lock.lock();
    try { for (int number : numbers) if (number > 9) return number; return numbers.length; } finally { lock.unlock(); }
  }
}
`,
  );
  const classes = await smaliOf({ tools, folder }, { name: 'ways-out', sources: [written] });
  assert.ok(Array.isArray(classes));
  mkdirSync(join(folder, 'smali'));
  for (const [index, { text }] of classes.entries()) writeFileSync(join(folder, 'smali', `${index}.smali`), text);
  await tools.assemble(join(folder, 'smali'), join(folder, 'out.dex'));
  const [file] = [...decompileDexes([readFileSync(join(folder, 'out.dex'))])];
  const { source } = file!;
  assert.match(
    source,
    /try \(BufferedReader \w+ = new BufferedReader\(reader\); StringWriter \w+ = new StringWriter\(\)\) \{/,
  );
  assert.match(source, /return null;.*return \w+\.toString\(\);/s);
  assert.match(source, /return numbers\.length;\s+\} finally \{\s+lock\.unlock\(\);\s+\}/);
  assert.doesNotMatch(source, /catch \(Throwable|label/);
  assert.match(
    source,
    /try \(FileInputStream \w+ = new FileInputStream\(file\)\) \{\s+return \w+\.read\(\);\s+\} catch/,
  );
});

test('a variable without a name is called after what gives its value or takes it, and two that never meet may share a name', () => {
  const all = [...sources.values()].join('\n');
  assert.match(all, /catch \(\w+ e\) \{/);
  assert.doesNotMatch(sources.get('Texts.java')!, /int i\d/);
});

test('what ends a method or a turn early is said first, and the long way stands behind it', {
  skip: missingTools(),
}, async () => {
  const source = await sourceOfProgram('LoopExits');
  assert.doesNotMatch(source, /(?:return|throw|break|continue)\b[^;\n]*;\n +\} else/);
});

test('a class says for which types it implements an interface of Java, and leaves the method for objects to javac', {
  skip: missingTools(),
}, async () => {
  const source = await sourceOfProgram('ImplementedTypes');
  for (const head of [
    'class Version implements Comparable<Version> {',
    'class ByLength implements Comparator<String>, Callable<List<String>>, BiFunction<String, Integer, Character> {',
    'class Words implements Iterator<String> {',
    'class Arrays2 implements Supplier<int[]>, Consumer<byte[][]> {',
    'new Comparator<Version>() {',
    // Others extend it, and override what is for its own type.
    'class Base implements Comparable<Base> {',
    'class Twice<T> implements Function<T, String>, Predicate<T> {',
  ])
    assert.ok(source.includes(head), head);
  assert.doesNotMatch(source, /int compareTo\(Object/);
  assert.doesNotMatch(source, /int compare\(Object \w+, Object \w+\) \{\s+return compare/);
});

test('a signature that says other than the code does is not believed', { skip: missingTools() }, async () => {
  const tools = JavaTools.ofProcess;
  const folder = temporaryFolder('lying-signatures');
  await tools.assemble(join(ownPrograms, 'LyingSignatures'), join(folder, 'out.dex'));
  const source = [...decompileDexes([readFileSync(join(folder, 'out.dex'))])].map((file) => file.source).join('\n');
  assert.deepEqual(source.match(/class \w+(?:<\w+>)? implements Comparator<.*/g), [
    'class Free<T> implements Comparator<T> {',
    'class Pieces implements Comparator<String> {',
  ]);
  assert.equal(source.match(/class \w+(?:<\w+>)? implements Comparator \{/g)?.length, 8);
  // A call of the method that was left out.
  assert.match(source, /\(\(Comparator\) pieces\)\.compare\(object, object\)/);
});

test('what all constructors give to fields first stands at the fields, and the constructor that Java makes is left out', () => {
  assert.match(sources.get('Threads.java')!, /private LinkedList<\w+> buffer = new LinkedList<>\(\);/);
  assert.doesNotMatch(sources.get('Texts.java')!, /Texts\(\)/);
});

test('classes, fields and methods say their type parameters and arguments, and values that have them need no cast', {
  skip: missingTools(),
}, async () => {
  const source = await sourceOfProgram('GenericHeads');
  assert.match(source, /interface Shape<S extends Shape<S>> extends Comparable<S> \{/);
  assert.match(
    source,
    /class Cache<K extends Comparable<\? super K>, V> \{\s+private Map<K, List<V>> held = new TreeMap<>\(\);/,
  );
  assert.match(source, /<R> List<R> all\(Function<\? super V, R> \w+\) \{/);
  assert.match(
    source,
    /for \(Map\.Entry<K, List<V>> entry : this\.held\.entrySet\(\)\) \{\s+for \(V \w+ : entry\.getValue\(\)\)/,
  );
  // What javac makes for them is left to it.
  assert.match(source, /class Parse extends Step<String, Integer> \{\s+Integer run\(String text\) \{/);
  assert.doesNotMatch(source, /Object run\(Object \w+\) \{ ?return run/);
});

test('a signature that is none of the code is left out, and what it says of values changes nothing that the code does', {
  skip: missingTools(),
}, async () => {
  const source = await sourceOfProgram('LyingGenerics');
  assert.match(source, /static List broken;\s+static Map few;\s+static Object number;\s+static List<String> texts;/);
  assert.match(source, /static Bounded unbounded;\s+static Map unknown;/);
  assert.match(source, /"joined " \+ \(Object\) texts\.get\(0\)/);
  assert.match(source, /public static Object other\(List list\) \{/);
  assert.match(source, /class Circle \{\s+public Object turn\(Object \w+\)/);
});
