// Code that was made to keep whoever looks into it busy: the answers stay bounded and true.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  CodeClass,
  CodePackage,
  CodeSearchPage,
  ReferencePage,
} from '../../../../server/contract/engine/exploration.ts';
import { maxJavaLength, maxSpans } from '../../../../server/contract/engine/java-source.ts';
import { classOf } from '../../../../server/engine/exploration/code-classes.ts';
import { referencesOf } from '../../../../server/engine/exploration/code-references.ts';
import { searchCode } from '../../../../server/engine/exploration/code-search.ts';
import { ExplorationFault } from '../../../../server/engine/exploration/fault.ts';
import { searchJava } from '../../../../server/engine/exploration/java-search.ts';
import { javaOf } from '../../../../server/engine/exploration/java-source.ts';
import { OpenedApp } from '../../../../server/engine/exploration/opened-app.ts';
import { permissionUsesOf } from '../../../../server/engine/exploration/permission-uses.ts';
import { memorySource } from '../../../../server/vault/byte-source.ts';
import { buildDex, type ClassSpec } from '../../../fixtures/dex-builder.ts';
import { buildZip } from '../../../fixtures/zip-builder.ts';

const appOf = (...dexes: (readonly ClassSpec[] | string)[]) =>
  new OpenedApp(
    memorySource(
      buildZip({
        entries: dexes.map((classes, index) => ({
          name: `classes${index === 0 ? '' : index + 1}.dex`,
          content: typeof classes === 'string' ? classes : buildDex({ classes }),
        })),
      }),
    ),
  );

const page = { offset: 0, limit: 100 };
const callers = (app: OpenedApp, of: string): ReferencePage => referencesOf(app, { of, direction: 'callers', ...page });
const search = (app: OpenedApp, q: string, more: object = {}): CodeSearchPage =>
  searchCode(app, { q, regex: false, case: false, ...page, ...more });
const level = (app: OpenedApp, name: string): CodePackage | null => app.tree.level(name, 0, 100);

/** `invoke-virtual {v0}, owner->name()V; return-void` */
const calling = (owner: string, name: string): ClassSpec['methods'] => [
  {
    name: 'run',
    descriptor: '()V',
    isVirtual: true,
    accessFlags: 1,
    code: { registers: 1, ins: 1, outs: 1, units: (pool) => [0x106e, pool.method(owner, name, '()V'), 0, 0x000e] },
  },
];
const empty = { registers: 1, ins: 1, units: [0x000e] };

test('classes that extend each other in a circle end a search for callers', () => {
  const app = appOf([
    { descriptor: 'La/A;', superclass: 'La/B;', methods: calling('La/B;', 'gone') },
    { descriptor: 'La/B;', superclass: 'La/A;' },
    { descriptor: 'La/C;', superclass: 'La/C;' },
  ]);
  assert.equal(callers(app, 'La/A;->gone()V').count, 1);
  assert.deepEqual(
    callers(app, 'La/C;').results.map(({ opcode, class: owner }) => `${opcode} ${owner}`),
    ['extends La/C;'],
  );
  assert.deepEqual(permissionUsesOf(app), { permissions: [] });
});

test('a call through a subclass or an overridden method counts, one of another class of that name does not', () => {
  const method = { name: 'go', descriptor: '()V', isVirtual: true, accessFlags: 1, code: empty };
  const app = appOf([
    { descriptor: 'La/Base;', methods: [method] },
    { descriptor: 'La/Heir;', superclass: 'La/Base;' },
    { descriptor: 'La/Override;', superclass: 'La/Base;', methods: [method] },
    { descriptor: 'La/Other;', methods: [method] },
    { descriptor: 'La/ViaHeir;', methods: calling('La/Heir;', 'go') },
    { descriptor: 'La/ViaBase;', methods: calling('La/Base;', 'go') },
    { descriptor: 'La/ViaOther;', methods: calling('La/Other;', 'go') },
  ]);
  const classesOf = (of: string) => callers(app, of).results.map((place) => place.class);
  assert.deepEqual(classesOf('La/Base;->go()V'), ['La/ViaHeir;', 'La/ViaBase;']);
  // Whoever calls the base may end at the override.
  assert.deepEqual(classesOf('La/Override;->go()V'), ['La/ViaBase;']);
  assert.deepEqual(classesOf('La/Other;->go()V'), ['La/ViaOther;']);
});

test('a class that two dex files define is shown from the first, as Android takes it, and from the other on demand', () => {
  const app = appOf([{ descriptor: 'La/A;', sourceFile: 'first' }], [{ descriptor: 'La/A;', sourceFile: 'second' }]);
  const first: CodeClass = classOf(app, { name: 'La/A;' });
  assert.deepEqual([first.source, first.dexes], ['first', ['classes.dex', 'classes2.dex']]);
  assert.equal(classOf(app, { name: 'La/A;', dex: 'classes2.dex' }).source, 'second');
  assert.throws(() => classOf(app, { name: 'La/A;', dex: 'classes3.dex' }), ExplorationFault);
});

test('names of thousands of levels make a tree of few', () => {
  const deep = `L${'p/'.repeat(5000)}A;`;
  const app = appOf([
    { descriptor: deep },
    { descriptor: 'LTop;' },
    { descriptor: 'L;' },
    { descriptor: 'no descriptor' },
  ]);
  let name = '';
  let depth = 0;
  for (let at = level(app, name); at !== null && at.packages.length > 0; at = level(app, name)) {
    name = at.packages[0]!.name;
    depth++;
  }
  assert.ok(depth <= 64, String(depth));
  assert.deepEqual(
    level(app, name)!.classes.map((found) => found.name),
    [deep],
  );
  assert.deepEqual(
    level(app, '')!
      .classes.map((found) => found.name)
      .sort(),
    ['L;', 'LTop;', 'no descriptor'],
  );
});

test('a dex that cannot be opened is named, and the others are read', () => {
  const app = appOf('no dex at all', [{ descriptor: 'La/A;' }]);
  assert.equal(app.dexes.length, 1);
  assert.equal(app.unreadableDexes[0]!.name, 'classes.dex');
  assert.equal(search(app, 'a.A').count, 1);
});

test('a search finds names with dots or slashes, members by their class, and tells faults of a pattern', () => {
  const app = appOf([
    {
      descriptor: 'Lcom/a/B;',
      fields: [{ name: 'count', type: 'I', accessFlags: 1 }],
      methods: calling('Lcom/other/Api;', 'call'),
    },
  ]);
  const found = (q: string, more: object = {}) =>
    search(app, q, more).results.map(({ kind, text }) => `${kind} ${text}`);
  assert.deepEqual(found('com.a.b'), ['class Lcom/a/B;', 'method Lcom/a/B;->run()V', 'field Lcom/a/B;->count:I']);
  assert.deepEqual(found('com.a.B', { case: true, kinds: 'class' }), ['class Lcom/a/B;']);
  assert.deepEqual(found('com/a/b', { case: true }), []);
  assert.deepEqual(found('a.B.run'), ['method Lcom/a/B;->run()V']);
  assert.deepEqual(found('^r.n$', { regex: true }), ['method Lcom/a/B;->run()V']);
  assert.deepEqual(found('CALL', { kinds: 'api' }), ['api Lcom/other/Api;->call()V']);
  assert.deepEqual(found('^R.N$', { regex: true }), ['method Lcom/a/B;->run()V']);
  assert.deepEqual(found('^R.N$', { regex: true, case: true }), []);
  assert.throws(() => search(app, '[', { regex: true }), /Invalid regular expression/);
});

test('the Java source of a class is cut at a line, with its spans, where it grows past what may be handed over', () => {
  const name = `field${'x'.repeat(2000)}`;
  const fields = Array.from({ length: 3000 }, (_, index) => ({ name: `${name}${index}`, type: 'I', accessFlags: 1 }));
  const long = javaOf(appOf([{ descriptor: 'La/Long;', fields }]), { class: 'La/Long;', whole: false });
  assert.ok(long.is_cut && long.source.length <= maxJavaLength && long.source.endsWith(';\n'));
  assert.ok(long.spans.length > 1000 && long.spans.every(({ end }) => end <= long.source.length));
  const many = Array.from({ length: 80_001 }, (_, index) => ({ name: `f${index}`, type: 'I', accessFlags: 1 }));
  const dense = javaOf(appOf([{ descriptor: 'La/Dense;', fields: many }]), { class: 'La/Dense;', whole: false });
  assert.ok(dense.is_cut && dense.spans.length <= maxSpans && dense.source.endsWith(';\n'));
  const short = javaOf(appOf([{ descriptor: 'La/Short;' }]), { class: 'La/Short;', whole: false });
  assert.ok(!short.is_cut && short.source.endsWith('}\n'));
});

test('a search of the Java shows the lines as they are, however letters grow in lower case, and long ones around what was found', () => {
  const names = [
    ...Array.from({ length: 30 }, (_, index) => `\u0130${index}`),
    `far${'x'.repeat(900)}Sought`,
    'SOUGHT',
  ];
  const fields = names.map((name) => ({ name, type: 'I', accessFlags: 1 }));
  const app = appOf([{ descriptor: 'La/Lines;', fields }]);
  const lines = javaOf(app, { class: 'La/Lines;', whole: false }).source.split('\n');
  const { results, next, searched, total } = searchJava(app, { q: 'sought', case: false, cursor: 0 });
  assert.deepEqual([results.length, next, searched, total], [2, null, 1, 1]);
  for (const { line, text } of results) assert.ok(lines[line - 1]!.includes(text) && /sought/i.test(text), text);
  assert.deepEqual(searchJava(app, { q: 'sought', case: true, cursor: 0 }).results, []);
});
