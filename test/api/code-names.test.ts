// Names and notes on the code of an APK over HTTP: given, refused, shown in Java and smali, read and written as mappings, offered.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { buildAxml, element } from '../fixtures/axml-builder.ts';
import { testApk } from '../fixtures/dynamic/test-apps.ts';
import { renamedDexes } from '../fixtures/renamed-dex.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';
import { buildZip } from '../fixtures/zip-builder.ts';

const programs = readFileSync(new URL('../fixtures/dynamic/compiled/programs.dex', import.meta.url));
let workstation: TestWorkstation;
let sha256: string;
let analyst: string;
before(async () => {
  workstation = await startWorkstation();
  sha256 = await uploaded('com.example.named', programs);
  analyst = await workstation.analyst('ada');
});
after(() => workstation[Symbol.asyncDispose]());

async function uploaded(packageName: string, dex: Buffer): Promise<string> {
  const apk = buildZip({
    entries: [
      { name: 'AndroidManifest.xml', content: buildAxml(element('manifest', { package: packageName })) },
      { name: 'classes.dex', content: dex },
    ],
  });
  const { body } = await workstation.upload(apk);
  for (const { id } of (await workstation.ask('/jobs/')).body.results)
    await workstation.ask(`/jobs/${id}/cancel/`, { method: 'POST' });
  return body.sha256;
}

const at = (path = '') => `/apks/${sha256}/code/names/${path}`;
const say = (json: object, token = analyst) => workstation.ask(at(), { method: 'PUT', json, token });
const java = async (name: string) =>
  (await workstation.ask(`/apks/${sha256}/code/java/?class=${encodeURIComponent(name)}`)).body;
const smali = async (name: string) =>
  (await workstation.ask(`/apks/${sha256}/code/class/?name=${encodeURIComponent(name)}`)).body;

/** Lines of all Java that hold a text: each answer goes as far as its time allows. */
async function javaLines(apk: string, text: string): Promise<{ class: string; text: string }[]> {
  const lines: { class: string; text: string }[] = [];
  for (let cursor: number | null = 0; cursor !== null; ) {
    const path = `/apks/${apk}/code/java/search/?q=${encodeURIComponent(text)}&cursor=${cursor}`;
    const { body } = await workstation.ask(path);
    lines.push(...body.results);
    cursor = body.next;
  }
  return lines;
}

test('texts that a run saw the code decrypt stand as comments where they are used, in Java and smali, and are found', async () => {
  const { body } = await workstation.upload(testApk('strings'));
  const lines = async (kind: 'java/?class' | 'class/?name', key: 'source' | 'smali') => {
    const { body: code } = await workstation.ask(
      `/apks/${body.sha256}/code/${kind}=${encodeURIComponent('Lcom/example/app/Main;')}`,
    );
    return (code[key] as string).split('\n').map((line) => line.trim());
  };
  // The worker may have been asked before the run, too: what it showed comes in.
  await lines('java/?class', 'source');
  for (const { id } of (await workstation.ask('/jobs/')).body.results) await workstation.jobEnd(id);
  const smali = await lines('class/?name', 'smali');
  const note = (sign: string, text: string) => `${sign} decoded in a run: "${text}"`;
  for (const text of ['com.example.app.Main', 'report'])
    assert.match(smali[smali.indexOf(note('##', text)) + 1] ?? '', /^invoke-static .*->decrypt\(/);
  const java = await lines('java/?class', 'source');
  assert.match(java[java.indexOf(note('//', 'report')) + 1] ?? '', /decrypt\("qfslqw"\)/);
  const results = await javaLines(body.sha256, 'decoded in a run');
  assert.equal(results.length, 2);
  assert.deepEqual((await workstation.ask(`/apks/${body.sha256}/code/names/`)).body.results, []);
});

test('a name is kept with who gave it, shown to others in Java and smali, found, given anew and taken back', async () => {
  const { status, body } = await say({ symbol: 'LTexts;', text: 'Words' });
  assert.equal(status, 200);
  assert.deepEqual(
    [body.kind, body.symbol, body.text, body.origin, body.analyst],
    ['name', 'LTexts;', 'Words', 'analyst', 'ada'],
  );
  assert.match((await java('LTexts;')).source, /public class Words \{/);
  const code = await smali('LTexts;');
  assert.equal(code.renamed, 'LWords;');
  assert.match(code.smali, /^## renamed from: LTexts;\n\.class public LWords;/);
  const inTables = (await workstation.ask(`/apks/${sha256}/code/search/?q=Words&kinds=class`)).body.results;
  assert.deepEqual([inTables[0].text, inTables[0].renamed], ['LTexts;', 'Words']);
  assert.ok(
    code.shown.some(({ text, symbol }: { text: string; symbol: string }) => text === 'LWords;' && symbol === 'LTexts;'),
  );
  const { classes } = (await workstation.ask(`/apks/${sha256}/code/classes/`)).body;
  assert.equal(classes.find(({ name }: { name: string }) => name === 'LTexts;').renamed, 'Words');
  const hits = await javaLines(sha256, 'class Words');
  assert.equal(hits[0]?.class, 'LTexts;');
  await say({ symbol: 'LTexts;', text: 'Phrases' });
  const listed = (await workstation.ask(`${at()}?q=phras`)).body;
  assert.deepEqual([listed.count, listed.results[0].text], [1, 'Phrases']);
  const ofSymbol = async (symbol: string) =>
    (await workstation.ask(`${at()}?symbol=${encodeURIComponent(symbol)}`)).body.count;
  assert.deepEqual([await ofSymbol('LTexts;'), await ofSymbol('LText')], [1, 0]);
  assert.equal((await say({ symbol: 'LTexts;', text: '' })).status, 204);
  assert.equal((await workstation.ask(at())).body.count, 0);
  assert.match((await java('LTexts;')).source, /public class Texts \{/);
  const { results } = (await workstation.ask('/audit/')).body;
  const told = results.filter(({ action }: { action: string }) => action === 'PUT /apks/:sha256/code/names');
  assert.deepEqual(
    told.map(({ subject }: { subject: string }) => subject.replace(/^\S+ /, '')),
    ['name LTexts; = ', 'name LTexts; = Phrases', 'name LTexts; = Words'],
  );
});

test('a name that the code cannot take is refused in words', async () => {
  const refusal = async (json: object) => {
    const { status, body } = await say(json);
    return [status, ...Object.values(body as Record<string, string[]>).flat()].join(' ');
  };
  assert.equal(
    await refusal({ symbol: 'LTexts;', text: 'Classes' }),
    '400 “Classes” is taken: LClasses; is called so where both would be meant.',
  );
  assert.equal(await refusal({ symbol: 'LTexts;', text: 'no name' }), '400 “no name” is no name in Java.');
  assert.equal(await refusal({ symbol: 'LNone;', text: 'Some' }), '400 The code of this APK has no such thing.');
  assert.equal(
    await refusal({ symbol: 'LClasses$Chain;->iterator()Ljava/util/Iterator;', text: 'walk' }),
    '400 Ljava/lang/Iterable; has others call it by this name, so it keeps it.',
  );
  assert.match(await refusal({ symbol: 'LTexts;', text: 'a'.repeat(501) }), /^400 A name has 500 characters at most/);
  assert.equal((await workstation.ask(at())).body.count, 0);
  assert.equal((await workstation.ask(at(), { token: null })).status, 401);
  assert.equal((await workstation.ask(at('0000000000000000/'), { method: 'DELETE' })).status, 404);
});

test('a note stands above its line in Java and smali, and goes by its id', async () => {
  const symbol = 'LClasses;->sum([I)I';
  const { body } = await say({ kind: 'note', symbol, address: 0, text: 'adds all\nof them' });
  assert.equal(body.address, 0);
  await say({ kind: 'note', symbol, text: 'the sum' });
  assert.match(
    (await java('LClasses;')).source,
    /\/\/ the sum\n {4}static int sum\(int\.\.\. \w+\) \{\n {8}\/\/ adds all\n {8}\/\/ of them\n/,
  );
  const code = await smali('LClasses;');
  assert.match(code.smali, /\n## the sum\n\.method static varargs sum\(\[I\)I\n/);
  assert.match(code.smali, /\n\n {4}## adds all\n {4}## of them\n {4}/);
  const { line } = code.methods.find(({ name }: { name: string }) => name === 'sum');
  assert.match(code.smali.split('\n')[line - 1], /^\.method .* sum\(/);
  assert.equal((await workstation.ask(new URL(body.url).pathname, { method: 'DELETE', token: analyst })).status, 204);
  assert.doesNotMatch((await java('LClasses;')).source, /adds all/);
  await say({ kind: 'note', symbol, text: '' });
});

test('of methods that override each other the newest name counts for all, and is one', async () => {
  await say({ symbol: 'LClasses$Base;->describe()Ljava/lang/String;', text: 'inWords' });
  await say({ symbol: 'LClasses$Derived;->describe()Ljava/lang/String;', text: 'told' });
  const { count, results } = (await workstation.ask(at())).body;
  assert.deepEqual([count, results[0].symbol], [1, 'LClasses$Derived;->describe()Ljava/lang/String;']);
  assert.equal((await java('LClasses;')).source.match(/String told \/\* renamed from: describe \*\//g).length, 2);
  await say({ symbol: 'LClasses$Derived;->describe()Ljava/lang/String;', text: '' });
});

test('a variable is renamed by the symbol that the Java tells', async () => {
  const { variables } = await java('LClasses;');
  const { symbol } = variables.find((one: { symbol: string }) => one.symbol === 'LClasses;->sum([I)I#p0');
  assert.equal((await say({ symbol, text: 'numbers' })).status, 200);
  assert.match((await java('LClasses;')).source, /static int sum\(int\.\.\. numbers\)/);
  await say({ symbol, text: '' });
});

test('a mapping is taken over as far as the code has it, told by lines what not, and written as it was', async () => {
  const mapping = [
    'org.sample.Words -> Texts:',
    'org.sample.Gone -> Missing:',
    'org.sample.All -> Classes:',
    '    int added(int[]) -> sum',
    'nonsense',
  ];
  const { status, body } = await workstation.ask(at('mapping/'), {
    method: 'POST',
    json: { mapping: mapping.join('\n') },
  });
  assert.equal(status, 200);
  assert.deepEqual(body, {
    format: 'proguard',
    applied: 3,
    refused: 2,
    lines: [
      { line: 2, text: 'LMissing; = org.sample.Gone', reason: 'The code of this APK has no such thing.' },
      { line: 5, text: 'nonsense', reason: 'This line is not understood.' },
    ],
  });
  assert.match((await java('LClasses;')).source, /package org\.sample;[\s\S]*static int added/);
  const textOf = async (format: string) => {
    const response = await fetch(`${workstation.url}${at('mapping/')}?format=${format}`, {
      headers: { authorization: `Token ${workstation.ownerToken}` },
    });
    assert.match(response.headers.get('content-type')!, /^text\/plain/);
    return response.text();
  };
  assert.equal(
    await textOf('proguard'),
    'org.sample.All -> Classes:\n    int added(int[]) -> sum\norg.sample.Words -> Texts:\n',
  );
  assert.match(await textOf('jadx'), /^m Classes\.sum\(\[I\)I = added\n/);
  const jadx = await workstation.ask(at('mapping/'), { method: 'POST', json: { mapping: 'c Classes.Chain = Pile\n' } });
  assert.deepEqual([jadx.body.format, jadx.body.applied], ['jadx', 1]);
});

test('an equal class of another APK, whatever it is called there, is offered the names, and takes them over at once', async () => {
  const named = sha256;
  const renamed = renamedDexes([programs], { seed: 3 });
  sha256 = await uploaded('com.example.other', renamed.dexes[0]!);
  try {
    const { classes } = (await workstation.ask(`/apks/${sha256}/code/classes/`)).body;
    const offersOf = async (name: string) =>
      (await workstation.ask(`${at('offers/')}?class=${encodeURIComponent(name)}`)).body.results;
    let found: { name: string; offers: { text: string; from: { sha256: string; symbol: string } }[] } | null = null;
    for (const { name } of classes) {
      const offers = await offersOf(name);
      if (offers.some(({ text }: { text: string }) => text === 'org.sample.All')) found = { name, offers };
    }
    assert.ok(found !== null);
    assert.deepEqual(found.offers.map(({ text }) => text).sort(), ['added', 'org.sample.All']);
    const forAll = (await workstation.ask(at('offers/'))).body.results;
    assert.deepEqual(forAll.map(({ text }: { text: string }) => text).sort(), [
      'Pile',
      'added',
      'org.sample.All',
      'org.sample.Words',
    ]);
    const words = forAll.find(({ text }: { text: string }) => text === 'org.sample.Words').symbol;
    const one = { method: 'POST', json: { symbols: [words] } };
    assert.equal((await workstation.ask(at('offers/'), one)).body.applied, 1);
    assert.equal((await workstation.ask(at('offers/'))).body.count, 3);
    await say({ symbol: words, text: '' });
    assert.ok(found.offers.every(({ from }) => from.sha256 === named && from.symbol.startsWith('LClasses;')));
    const accepted = await workstation.ask(at('offers/'), {
      method: 'POST',
      json: { class: found.name },
      token: analyst,
    });
    assert.deepEqual(accepted.body, { applied: 2, refused: [] });
    assert.deepEqual(await offersOf(found.name), []);
    assert.match((await java(found.name)).source, /class All \{[\s\S]*added/);
    const { results } = (await workstation.ask(at())).body;
    assert.ok(results.every(({ origin, analyst: by }: Record<string, string>) => origin === 'offer' && by === 'ada'));
  } finally {
    sha256 = named;
  }
});

test('what is called by no word has readable names where they are switched on, in Java, smali, lists, searches and mappings', async () => {
  const named = sha256;
  sha256 = await uploaded('com.example.short', renamedDexes([programs], { seed: 4 }).dexes[0]!);
  const flag = `/apks/${sha256}/code/deobfuscation/`;
  const mapping = async (query: string) => {
    const headers = { authorization: `Token ${workstation.ownerToken}` };
    return (await fetch(`${workstation.url}${at('mapping/')}?${query}`, { headers })).text();
  };
  try {
    assert.deepEqual((await workstation.ask(flag)).body, { is_on: false });
    assert.equal(await mapping('derived=false'), '');
    const derived = await mapping('derived=true');
    assert.match(derived, /^Runnable\d+ -> \w+:$/m);
    const list = async () => (await workstation.ask(`/apks/${sha256}/code/classes/`)).body.classes;
    assert.ok((await list()).every(({ renamed }: { renamed: string | null }) => renamed === null));
    const { status, body } = await workstation.ask(flag, { method: 'PUT', json: { is_on: true }, token: analyst });
    assert.deepEqual([status, body], [200, { is_on: true }]);
    assert.deepEqual((await workstation.ask(flag)).body, { is_on: true });
    const runner = (await list()).find(({ renamed }: { renamed: string | null }) =>
      /^Runnable\d+$/.test(renamed ?? ''),
    );
    const { name, renamed } = runner as { name: string; renamed: string };
    assert.match((await java(name)).source, new RegExp(`class ${renamed} `));
    assert.match((await java(name)).source, new RegExp(`renamed from: ${name.slice(1, -1)} `));
    assert.match((await smali(name)).smali, new RegExp(`^## renamed from: ${name}\n\\.class .*L${renamed};`));
    assert.equal(derived.includes(`${renamed} -> ${name.slice(1, -1)}:`), true);
    for (const q of [renamed, name.slice(1, -1)]) {
      const hits = (await workstation.ask(`/apks/${sha256}/code/search/?kinds=class&q=${q}`)).body.results;
      assert.ok(
        hits.some((hit: { text: string; renamed: string }) => hit.text === name && hit.renamed === renamed),
        q,
      );
    }
    const lines = await javaLines(sha256, `class ${renamed}`);
    assert.equal(lines[0]?.class, name);
    assert.equal((await say({ symbol: name, text: 'Worker' })).status, 200);
    assert.match((await java(name)).source, /class Worker /);
    await workstation.ask(flag, { method: 'PUT', json: { is_on: false } });
    assert.doesNotMatch((await java(name)).source, /Runnable\d/);
    assert.equal((await workstation.ask(flag, { method: 'PUT', json: { is_on: 3 } })).status, 400);
    assert.equal((await workstation.ask(flag, { token: null })).status, 401);
  } finally {
    sha256 = named;
  }
});
