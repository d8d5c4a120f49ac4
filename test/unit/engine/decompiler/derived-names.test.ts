// Readable names for what obfuscators leave without: what they are taken from, that nothing clashes, that they are the same each time.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { decompileDexes } from '../../../../server/engine/decompiler/decompiler.ts';
import { derivedNames } from '../../../../server/engine/decompiler/names/derived-names.ts';
import { isWord } from '../../../../server/engine/decompiler/names/words.ts';
import { Findings } from '../../../../server/engine/findings.ts';
import { openDex } from '../../../../server/engine/formats/dex/dex.ts';
import { JavaTools, missingTools } from '../../../fixtures/java-tools.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';

const skip = missingTools();
const folder = temporaryFolder('derived-names');

/** A dex file of smali classes, as Debian's smali assembles them. */
async function assembled(name: string, classes: readonly string[]): Promise<Buffer> {
  const into = join(folder, name);
  mkdirSync(into, { recursive: true });
  for (const [index, text] of classes.entries()) writeFileSync(join(into, `${index}.smali`), text);
  await JavaTools.ofProcess.assemble(into, join(into, 'out.dex'));
  return readFileSync(join(into, 'out.dex'));
}

const namesOf = (dex: Buffer, given: readonly (readonly [string, string])[] = []) =>
  Object.fromEntries(derivedNames([openDex(dex, new Findings(), 'classes.dex')], given));

const head = (name: string, { above = 'Ljava/lang/Object;', source = 'SourceFile', flags = 'public' } = {}) =>
  `.class ${flags} ${name}\n.super ${above}\n.source "${source}"\n`;
const nothing = (name: string, flags = 'public') =>
  `.method ${flags} ${name}()V\n.registers 2\nreturn-void\n.end method\n`;

const user = `${head('La/a;')}
.field private final a:Ljava/lang/String;
.field private b:I
.method public constructor <init>(Ljava/lang/String;I)V
  .registers 3
  invoke-direct {p0}, Ljava/lang/Object;-><init>()V
  iput-object p1, p0, La/a;->a:Ljava/lang/String;
  iput p2, p0, La/a;->b:I
  return-void
.end method
.method public final a()Ljava/lang/String;
  .registers 2
  iget-object v0, p0, La/a;->a:Ljava/lang/String;
  return-object v0
.end method
.method public toString()Ljava/lang/String;
  .registers 3
  new-instance v0, Ljava/lang/StringBuilder;
  invoke-direct {v0}, Ljava/lang/StringBuilder;-><init>()V
  const-string v1, "User(name="
  invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
  iget-object v1, p0, La/a;->a:Ljava/lang/String;
  invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
  const-string v1, ", age="
  invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
  iget v1, p0, La/a;->b:I
  invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(I)Ljava/lang/StringBuilder;
  const-string v1, ")"
  invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
  invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
  move-result-object v0
  return-object v0
.end method
`;
const made =
  '.method public constructor <init>()V\n.registers 1\ninvoke-direct {p0}, Ljava/lang/Object;-><init>()V\nreturn-void\n.end method\n';
const plain = [
  user,
  `${head('La/A;')}${made}.field public if:La/a;\n.field public aa:La/a;\n`,
  `${head('La/b;', { flags: 'public interface abstract' })}.method public abstract a()V\n.end method\n`,
  `${head('La/c;')}.implements La/b;\n.implements Ljava/lang/Runnable;\n${made}${nothing('a')}${nothing('run')}${nothing('b')}`,
  `${head('La/d;', { source: 'Session.java' })}${made}.field public static method0001:I\n`,
  `${head('La/do;')}.implements Ljava/lang/Runnable;\n${made}${nothing('run')}.method public static a(La/c;La/b;)V
  .registers 2
  invoke-virtual {p0}, La/c;->a()V
  invoke-virtual {p0}, La/c;->b()V
  invoke-interface {p1}, La/b;->a()V
  return-void
.end method\n`,
];

test('names come from toString(), source files, roles and types, and one that is kept clashes with none', {
  skip,
}, async () => {
  const dex = await assembled('plain', plain);
  const names = namesOf(dex);
  assert.deepEqual(names, {
    'a/': 'package0001',
    'La/A;': 'Class0001',
    'La/a;': 'User',
    'La/b;': 'Interface0001',
    'La/c;': 'Runnable1',
    'La/d;': 'Session',
    'La/do;': 'Runnable2',
    'La/A;->aa:La/a;': 'user',
    'La/A;->if:La/a;': 'user2',
    'La/a;->a:Ljava/lang/String;': 'name',
    'La/a;->b:I': 'age',
    'La/a;->a()Ljava/lang/String;': 'getName',
    'La/b;->a()V': 'method0002',
    'La/c;->b()V': 'method0003',
    'La/do;->a(La/c;La/b;)V': 'method0004',
  });
  assert.deepEqual(namesOf(dex), names);
});

test('javac takes the source with derived names, in which the names of the code stand as comments', {
  skip,
}, async () => {
  const dex = await assembled('javac', plain);
  const words = { names: [], notes: [], isDeobfuscated: true };
  const files = [...decompileDexes([dex], { words })];
  assert.deepEqual(files.map(({ path }) => path).sort(), [
    'package0001/Class0001.java',
    'package0001/Interface0001.java',
    'package0001/Runnable1.java',
    'package0001/Runnable2.java',
    'package0001/Session.java',
    'package0001/User.java',
  ]);
  const runner = files.find(({ path }) => path.endsWith('Runnable2.java'))!.source;
  assert.match(runner, /renamed from: a\.do/);
  assert.match(runner, /\.method0002\(\);\n +\w+\.method0003\(\);\n +\w+\.method0002\(\);/);
  const paths = files.map(({ path, source }) => {
    const to = join(folder, 'java', path);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, source);
    return to;
  });
  const errors = await JavaTools.ofProcess.compile(paths, join(folder, 'out'), JavaTools.ofProcess.release);
  assert.deepEqual(
    errors.map(({ path, line, message }) => `${path}:${line}: ${message}`),
    [],
  );
});

test('what people named stays, for all methods that override each other, and nothing else is called so', {
  skip,
}, async () => {
  const names = namesOf(await assembled('given', plain), [
    ['La/b;->a()V', 'work'],
    ['La/c;', 'User'],
    ['La/A;->aa:La/a;', 'owner'],
  ]);
  for (const symbol of ['La/b;->a()V', 'La/c;->a()V', 'La/c;', 'La/A;->aa:La/a;'])
    assert.equal(names[symbol], undefined);
  assert.equal(names['La/a;'], 'Class0002');
});

test('a tag that one class alone logs under names it, and a method that Android calls keeps its name', {
  skip,
}, async () => {
  const logging = (name: string, tag: string) => `${head(name, { above: 'Landroid/app/Activity;' })}
.method public a()V
  .registers 3
  const-string v0, "${tag}"
  const-string v1, "begins"
  invoke-static {v0, v1}, Landroid/util/Log;->d(Ljava/lang/String;Ljava/lang/String;)I
  return-void
.end method
.method public native b()V\n.end method
${nothing('onCreate')}`;
  const dex = await assembled('tags', [
    logging('Lb/a;', 'LoginScreen'),
    logging('Lb/b;', 'Common'),
    logging('Lb/c;', 'Common'),
  ]);
  assert.deepEqual(namesOf(dex), {
    'b/': 'package0001',
    'Lb/a;': 'LoginScreen',
    'Lb/b;': 'Activity1',
    'Lb/c;': 'Activity2',
    'Lb/a;->a()V': 'method0001',
    'Lb/b;->a()V': 'method0002',
    'Lb/c;->a()V': 'method0003',
  });
});

/** Fields of a protobuf message: numbers, texts as bytes, messages. */
const message = (...fields: readonly (readonly [number, number | Buffer])[]): Buffer => {
  const varint = (value: number): number[] =>
    value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
  return Buffer.concat(
    fields.map(([field, value]) =>
      typeof value === 'number'
        ? Buffer.from([...varint(field << 3), ...varint(value)])
        : Buffer.concat([Buffer.from([...varint((field << 3) | 2), ...varint(value.length)]), value]),
    ),
  );
};
const escaped = (bytes: Buffer) => Array.from(bytes, (byte) => `\\u${byte.toString(16).padStart(4, '0')}`).join('');
const metadata = (content: Buffer, texts: readonly string[]) => {
  // One record says that the first string is a descriptor.
  const types = message([1, message([3, 2])], [1, message([1, texts.length])]);
  const data = Buffer.concat([Buffer.from([0, types.length]), types, content]);
  return `.annotation runtime Lkotlin/Metadata;
  k = 0x1
  d1 = { "${escaped(data)}" }
  d2 = { ${texts.map((text) => `"${text}"`).join(', ')} }
.end annotation\n`;
};
const said = ['Lcom/example/Account;', 'token', 'a', 'renew', 'b', 'count', '(I)V'] as const;
const at = (text: (typeof said)[number]) => said.indexOf(text);
const account = message(
  [3, at('Lcom/example/Account;')],
  [9, message([2, at('renew')], [6, message([2, at('count')])], [100, message([1, at('b')], [2, at('(I)V')])])],
  [10, message([2, at('token')], [100, message([1, message([1, at('a')])], [3, message([1, at('a')])])])],
);
const kotlin = (content: Buffer) => `${head('Lc/a;')}${metadata(content, said)}${made}
.field private final a:Ljava/lang/String;
.method public final a()Ljava/lang/String;
  .registers 2
  const-string v0, ""
  return-object v0
.end method
.method public final b(I)V
  .registers 2
  return-void
.end method\n`;

test('names of classes, functions and properties come from Kotlin’s metadata, and parameters have theirs without being asked for', {
  skip,
}, async () => {
  const dex = await assembled('kotlin', [kotlin(account)]);
  assert.deepEqual(namesOf(dex), {
    'c/': 'package0001',
    'Lc/a;': 'Account',
    'Lc/a;->a:Ljava/lang/String;': 'token',
    'Lc/a;->a()Ljava/lang/String;': 'getToken',
    'Lc/a;->b(I)V': 'renew',
  });
  const { source } = [...decompileDexes([dex])][0]!;
  assert.match(source, /void b\(int count\)/);
});

test('metadata that is cut off, or lies about its lengths, is left out and stops nothing', { skip }, async () => {
  for (const [index, content] of [
    account.subarray(0, -3),
    Buffer.from([0x1a, 0xff, 0xff, 0xff, 0xff, 0x0f]),
    Buffer.alloc(4000, 0xff),
  ].entries()) {
    const dex = await assembled(`broken${index}`, [kotlin(content)]);
    assert.equal(namesOf(dex)['Lc/a;'], 'Class0001');
    assert.match([...decompileDexes([dex])][0]!.source, /void b\(int \w+\)/);
  }
});

test('a function that suspends says so, with the names of its parameters, and where it is the state machine of a coroutine', {
  skip,
}, async () => {
  const texts = ['Lcom/example/Client;', 'load', 'url'];
  const suspends = 6 | (1 << 13);
  const content = message([3, 0], [9, message([9, suspends], [2, 1], [6, message([2, 2])])]);
  const machine = 'Lc/Client$load$1;';
  const dex = await assembled('suspend', [
    `${head('Lc/Client;')}${metadata(content, texts)}${made}
.method public final load(Ljava/lang/String;Lkotlin/coroutines/Continuation;)Ljava/lang/Object;
  .registers 4
  move-object v0, p2
  check-cast v0, ${machine}
  iget v0, v0, ${machine}->label:I
  if-eqz v0, :begin
  const/4 v0, 0x0
  return-object v0
  :begin
  return-object p1
.end method\n`,
    `${head(machine, { above: 'Lkotlin/coroutines/jvm/internal/ContinuationImpl;' })}.field public label:I\n`,
    '.class public abstract Lkotlin/coroutines/jvm/internal/ContinuationImpl;\n.super Lkotlin/coroutines/jvm/internal/BaseContinuationImpl;\n',
    '.class public abstract Lkotlin/coroutines/jvm/internal/BaseContinuationImpl;\n.super Ljava/lang/Object;\n',
  ]);
  const { source } = [...decompileDexes([dex])].find(({ path }) => path.endsWith('Client.java'))!;
  assert.match(
    source,
    /\/\/ suspend fun load\(url\): state machine of a coroutine\n +public final Object load\(String url, Continuation \$completion\) \{/,
  );
});

test('words are told from what obfuscators count with, hide or make look the same', () => {
  for (const name of ['name', 'getX', 'isOk', 'access$000', 'this$0', 'L$0', 'md5', 'URL', 'größe', '名前', 'MAX_SIZE'])
    assert.ok(isWord(name), name);
  for (const name of [
    'a',
    'aB',
    'do',
    'class',
    'zzab',
    'IlIlIl',
    'OO0O',
    'a$b',
    'b12',
    '\u200bname',
    'nаme',
    'ۣۖۤ',
    'x'.repeat(65),
    'a b',
  ])
    assert.ok(!isWord(name), name);
});
