// Mapping files of ProGuard, R8 and jadx. What stands in them is as their manuals show it, and as R8 8.2 and jadx 1.4.7 write it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mappingOf } from '../../../server/services/names/mapping.ts';
import { mappingLines } from '../../../server/services/names/written-mapping.ts';

const shown = (text: string) => {
  const { format, entries, faults } = mappingOf(text, null);
  return { format, names: entries.map(({ line, symbol, text: name }) => [line, symbol, name]), faults };
};

test('a ProGuard mapping names classes, fields and methods by the descriptors that the code has', () => {
  const text = `# compiler: R8
# {"id":"com.android.tools.r8.mapping","version":"2.2"}
com.example.net.Sender -> a.b:
# {"id":"sourceFile","fileName":"Sender.kt"}
    java.lang.String host -> a
    com.example.net.Sender[] others -> c
    int port -> port
    1:4:void <init>(java.lang.String,int):10:13 -> <init>
    1:1:void com.example.net.Log.write(java.lang.String):7:7 -> a
    1:1:boolean send(com.example.net.Sender,byte[],long):20 -> a
    2:5:boolean send(com.example.net.Sender,byte[],long):21:24 -> a
    void moved(com.example.Gone) -> b
      # {"id":"com.android.tools.r8.residualsignature","signature":"(La/c;I)V"}
com.example.Main -> com.example.Main:
    void helper() -> x
com.example.Main$Inner -> a.c:
com.example.Kept$Inner -> com.example.Kept$a:
this is nothing
`;
  assert.deepEqual(shown(text), {
    format: 'proguard',
    names: [
      [3, 'La/b;', 'com.example.net.Sender'],
      [5, 'La/b;->a:Ljava/lang/String;', 'host'],
      [6, 'La/b;->c:[La/b;', 'others'],
      [10, 'La/b;->a(La/b;[BJ)Z', 'send'],
      [12, 'La/b;->b(La/c;I)V', 'moved'],
      [15, 'Lcom/example/Main;->x()V', 'helper'],
      [16, 'La/c;', 'com.example.Main$Inner'],
      [17, 'Lcom/example/Kept$a;', 'Kept$Inner'],
    ],
    faults: [{ line: 18, text: 'this is nothing' }],
  });
});

test('a map of jadx names packages, classes, fields and methods; where names part all by dots, classes may stand in others', () => {
  const text = `p a.b = network
c a.b.c = Sender
c defpackage.d = Alone
f a.b.c.x:Ljava/util/List; = queue
m a.b.c.a(Ljava/lang/String;[I)La/b/c; = sent
q nothing
`;
  assert.deepEqual(shown(text), {
    format: 'jadx',
    names: [
      [1, 'a/b/', 'network'],
      [2, 'La/b/c;', 'Sender'],
      [3, 'Ld;', 'Alone'],
      [4, 'La/b/c;->x:Ljava/util/List;', 'queue'],
      [5, 'La/b/c;->a(Ljava/lang/String;[I)La/b/c;', 'sent'],
    ],
    faults: [{ line: 6, text: 'q nothing' }],
  });
  assert.deepEqual(mappingOf('c a.b.C.D = E', null).entries[0]!.others, ['La/b/C$D;', 'La/b$C$D;', 'La$b$C$D;']);
});

const sayings = [
  ['La/b;', 'com.example.Sender'],
  ['La/b$c;', 'Part'],
  ['La/b;->a:[La/b$c;', 'parts'],
  ['La/b;->a(ILa/b;)V', 'send'],
  ['La/b;->a(ILa/b;)V#p0', 'count'],
  ['a/', 'network'],
].map(([symbol, text]) => ({ kind: 'name' as const, symbol: symbol!, address: null, text: text! }));
const note = { kind: 'note' as const, symbol: 'La/b;->a(ILa/b;)V', address: 4, text: 'sends\nall' };

test('what is written as a mapping is read as the same', () => {
  assert.deepEqual([...mappingLines(sayings, 'proguard')].slice(0, 4), [
    'a.Part -> a.b$c:',
    'com.example.Sender -> a.b:',
    '    a.Part[] parts -> a',
    '    void send(int,com.example.Sender) -> a',
  ]);
  assert.deepEqual([...mappingLines(sayings, 'jadx')].slice(0, 4), [
    'c a.b$c = Part',
    'f a.b.a:[La/b$c; = parts',
    'm a.b.a(ILa/b;)V = send',
    'p a = network',
  ]);
  const all = [...sayings, note];
  for (const format of ['proguard', 'jadx'] as const) {
    const { entries, faults } = mappingOf([...mappingLines(all, format)].join('\n'), null);
    assert.deepEqual(faults, []);
    const read = entries.map(({ kind, symbol, address, text }) => JSON.stringify({ kind, symbol, address, text }));
    const said = all.map(({ kind, symbol, address, text }) => JSON.stringify({ kind, symbol, address, text }));
    assert.deepEqual(read.sort(), said.sort());
  }
});
