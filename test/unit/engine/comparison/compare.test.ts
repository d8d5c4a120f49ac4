// The difference of two builds of an app: manifest, files, and code with names that changed.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ComparedPart, Comparison } from '../../../../server/contract/engine/comparison.ts';
import { inVersionOrder } from '../../../../server/contract/engine/version-order.ts';
import { lineDifference } from '../../../../server/engine/comparison/manifest-lines.ts';
import { buildAxml, element } from '../../../fixtures/axml-builder.ts';
import { comparedSide, difference } from '../../../fixtures/compared-apks.ts';
import { buildDex, type ClassSpec, type CodeSpec } from '../../../fixtures/dex-builder.ts';
import { realApks } from '../../../fixtures/real-apks.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';
import { buildZip } from '../../../fixtures/zip-builder.ts';

const folder = temporaryFolder('comparison');
const compared = (first: Buffer, second: Buffer) => difference(comparedSide(first), comparedSide(second));

function app(classes: readonly ClassSpec[], { versionCode = 1, permissions = ['INTERNET'], files = {} } = {}): Buffer {
  const manifest = element(
    'manifest',
    { package: 'com.example.app', 'android:versionCode': versionCode },
    ...permissions.map((name) => element('uses-permission', { 'android:name': `android.permission.${name}` })),
    element('application', { 'android:label': 'App' }),
  );
  const others = Object.entries<string>(files).map(([name, text]) => ({ name, content: Buffer.from(text) }));
  const entries = [
    { name: 'AndroidManifest.xml', content: buildAxml(manifest) },
    { name: 'classes.dex', content: buildDex({ classes }) },
    ...others,
  ];
  return buildZip({ entries });
}

const listed = ({ parts }: Comparison, part: ComparedPart) =>
  parts[part].differences.map(({ state, name, to }) =>
    to === null ? `${state} ${name}` : `${state} ${name} -> ${to}`,
  );

/** const-string v0; const/16 v1; invoke-static; return-void */
const calling = (text: string, number: number, owner: string, name: string): CodeSpec => ({
  registers: 2,
  outs: 1,
  units: (pool) => [
    0x001a,
    pool.string(text),
    0x0113,
    number,
    0x1071,
    pool.method(owner, name, '(Ljava/lang/String;)V'),
    0x0000,
    0x000e,
  ],
});
const logging = (text: string, number = 1): CodeSpec => calling(text, number, 'Landroid/util/Log;', 'wtf');
const method = (name: string, code: CodeSpec) => ({ name, descriptor: '(Ljava/lang/String;)V', accessFlags: 9, code });

const builds = (helper: string, use: string, value: number, name = 'open') => [
  { descriptor: helper, methods: [method(use, { ...logging('of the helper'), registers: 3, ins: 1 })] },
  {
    descriptor: 'Lcom/example/Main;',
    methods: [
      method('run', { ...calling('run', 5, helper, use), registers: 3, ins: 1 }),
      method('count', { ...logging('count', value), registers: 3, ins: 1 }),
      method(name, { ...logging('opened'), registers: 3, ins: 1 }),
    ],
  },
];

test('an app compared with itself has no difference in any part', () => {
  const demos = comparedSide(realApks.uiautomator2Test);
  const { manifest, parts } = difference(demos, demos);
  assert.deepEqual(manifest, { removed: 0, added: 0, is_cut: false, hunks: [] });
  for (const [name, { counts, differences }] of Object.entries(parts)) {
    assert.deepEqual({ ...counts, same: 0 }, { removed: 0, added: 0, changed: 0, renamed: 0, same: 0 }, name);
    assert.deepEqual(differences, [], name);
  }
  assert.ok(parts.methods.counts.same > 2000);
});

test('a renamed class is known by its code, and who calls it did not change', () => {
  const found = compared(app(builds('Lcom/example/Helper;', 'help', 7)), app(builds('La/b;', 'a', 7)));
  assert.deepEqual(listed(found, 'classes'), ['renamed Lcom/example/Helper; -> La/b;']);
  assert.deepEqual(listed(found, 'methods'), [
    'renamed Lcom/example/Helper;->help(Ljava/lang/String;)V -> La/b;->a(Ljava/lang/String;)V',
  ]);
});

test('a changed constant changes its method and class alone', () => {
  const found = compared(
    app(builds('Lcom/example/Helper;', 'help', 7)),
    app(builds('Lcom/example/Helper;', 'help', 8)),
  );
  assert.deepEqual(listed(found, 'classes'), ['changed Lcom/example/Main;']);
  assert.deepEqual(listed(found, 'methods'), ['changed Lcom/example/Main;->count(Ljava/lang/String;)V']);
});

test('a method that was renamed in its class is told with both names, one that calls another of the same class is changed', () => {
  const found = compared(
    app(builds('Lcom/example/Helper;', 'help', 7)),
    app(builds('Lcom/example/Helper;', 'help', 7, 'opened')),
  );
  assert.deepEqual(listed(found, 'methods'), [
    'renamed Lcom/example/Main;->open(Ljava/lang/String;)V -> Lcom/example/Main;->opened(Ljava/lang/String;)V',
  ]);
  const main = (called: string) => [
    {
      descriptor: 'Lcom/example/Main;',
      methods: [
        method('one', { ...logging('one'), registers: 3, ins: 1 }),
        method('two', { ...logging('two'), registers: 3, ins: 1 }),
        method('run', { ...calling('run', 1, 'Lcom/example/Main;', called), registers: 3, ins: 1 }),
      ],
    },
  ];
  assert.deepEqual(listed(compared(app(main('one')), app(main('two'))), 'methods'), [
    'changed Lcom/example/Main;->run(Ljava/lang/String;)V',
  ]);
});

test('permissions, files and strings that came and went are listed, and files under another name', () => {
  const long = 'the same in both '.repeat(10);
  const found = compared(
    app(builds('La/b;', 'a', 7), { permissions: ['INTERNET', 'CAMERA'], files: { 'a.txt': long, 'b.txt': 'one' } }),
    app(builds('La/b;', 'a', 7), { permissions: ['INTERNET', 'SEND_SMS'], files: { 'c.txt': long, 'b.txt': 'two' } }),
  );
  assert.deepEqual(listed(found, 'permissions'), [
    'removed android.permission.CAMERA',
    'added android.permission.SEND_SMS',
  ]);
  assert.deepEqual(
    listed(found, 'files').filter((line) => !line.includes('AndroidManifest')),
    ['renamed a.txt -> c.txt', 'changed b.txt'],
  );
});

test('the manifests are told apart as diff does it', () => {
  const numbers = Array.from({ length: 60 }, (_, index) => `line ${index}`);
  const other = numbers.toSpliced(40, 2, 'changed', 'more', 'lines').toSpliced(10, 1);
  const [one, two] = [numbers, other].map((lines) => `${lines.join('\n')}\n`);
  const paths = [join(folder, 'one'), join(folder, 'two')];
  writeFileSync(paths[0]!, one!);
  writeFileSync(paths[1]!, two!);
  let told = '';
  try {
    execFileSync('diff', ['-u', ...paths]);
  } catch (error) {
    told = (error as { stdout: Buffer }).stdout.toString();
  }
  const { hunks, removed, added } = lineDifference(one!, two!);
  const shown = hunks.flatMap((hunk) => [
    `@@ -${hunk.first_start},${hunk.first_lines} +${hunk.second_start},${hunk.second_lines} @@`,
    ...hunk.lines,
  ]);
  assert.deepEqual(shown, told.trimEnd().split('\n').slice(2));
  assert.deepEqual([removed, added], [3, 3]);
});

test('texts that have nothing in common are told as one in place of the other, in bounded time', () => {
  const text = (word: string) => Array.from({ length: 20_000 }, (_, index) => `${word} ${index}`).join('\n');
  assert.deepEqual(lineDifference(text('one'), text('two')), {
    removed: 20_000,
    added: 20_000,
    is_cut: true,
    hunks: [],
  });
});

test('the lower version code stands left, and what is no number leaves the order as it is', () => {
  const [low, high, none] = ['9', '10', ''].map((versionCode) => ({ versionCode }));
  assert.deepEqual(inVersionOrder(high!, low!), [low, high]);
  assert.deepEqual(inVersionOrder(low!, high!), [low, high]);
  assert.deepEqual(inVersionOrder(high!, none!), [high, none]);
});
