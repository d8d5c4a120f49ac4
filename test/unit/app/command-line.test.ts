// The command line as scripts use it: real processes, a real data folder, real APKs.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { on, once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { setTimeout as elapse } from 'node:timers/promises';
import { configure, Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';
import SqliteDatabase from 'better-sqlite3';
import { inWords, quietLog } from '../../../server/app/log.ts';
import type { Comparison } from '../../../server/contract/engine/comparison.ts';
import { androguardReportSchema, cuckooReportSchema } from '../../../server/contract/engine/reports.ts';
import { createTokenFor } from '../../../server/services/people/accounts.ts';
import { openStore } from '../../../server/store/store.ts';
import { buildAxml, element } from '../../fixtures/axml-builder.ts';
import { variant } from '../../fixtures/client-samples.ts';
import { commandLine, type Ended, isBuiltTested, runCommand } from '../../fixtures/program.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { renamedDexes } from '../../fixtures/renamed-dex.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { buildZip } from '../../fixtures/zip-builder.ts';

configure({ useWebWorkers: false });
const newFolder = () => temporaryFolder('command');
const servers: ChildProcess[] = [];
after(() => {
  for (const server of servers) server.kill('SIGKILL');
});

const run = (folder: string, ...words: string[]) => runCommand(words, { folder });

/** In a namespace of mounts where the programs that make walls are none. */
const hidingWalls = [
  ...['unshare', '--mount', 'sh', '-c'],
  'for each in /usr/bin/bwrap /usr/local/bin/bwrap /usr/bin/unshare; do [ ! -e $each ] || mount --bind /dev/null $each; done && exec "$@"',
  'sh',
];
const canHideWalls = spawnSync(hidingWalls[0]!, [...hidingWalls.slice(1), 'true']).status === 0;
const runWithoutWalls = (folder: string, ...words: string[]) => runCommand(words, { folder, starter: hidingWalls });

/** As a failing disk does. */
function overwriteTable(path: string, table: string): void {
  const database = new SqliteDatabase(path);
  const page = database.prepare('select rootpage from sqlite_schema where name = ?').pluck().get(table) as number;
  const pageSize = database.pragma('page_size', { simple: true }) as number;
  database.close();
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0x5a, (page - 1) * pageSize, page * pageSize));
}

async function serve(dataDir: string): Promise<{ url: string; pid: number; child: ChildProcess }> {
  const child = spawn(process.execPath, [commandLine, 'serve', '--port', '0', '--data-dir', dataDir], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  servers.push(child);
  const [line] = (await once(createInterface(child.stdout!), 'line')) as [string];
  return { ...(JSON.parse(line) as { url: string; pid: number }), child };
}

/** Makes accounts as `token create` does, which has a test of its own. */
async function makeAccounts(folder: string, ...names: string[]): Promise<void> {
  const store = await openStore(folder, { log: quietLog });
  for (const name of names) await createTokenFor(store, name);
  await store.close();
}

const sha256Of = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

test('serve prints one JSON line with its address and process, and SIGTERM ends it cleanly', async () => {
  const { url, pid, child } = await serve(newFolder());
  assert.equal(pid, child.pid);
  assert.equal((await fetch(`${url}/health/`)).status, 200);
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  assert.deepEqual(await exited, [0, null]);
});

/** As somebody at a terminal sees it: util-linux's `script` gives a program one. */
const canHaveTerminal = spawnSync('script', ['--version']).status === 0;

/** What a program says at a terminal until something is said, and what it has logged once its page was asked for. */
async function saidAtTerminal(dataDir: string, words: readonly string[], until: RegExp) {
  const line = [process.execPath, ...words].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['--quiet', '--command', line, '/dev/null'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, APK_WORKSTATION_DATA: dataDir, DISPLAY: '', WAYLAND_DISPLAY: '' },
  });
  servers.push(child);
  let said = '';
  // Left before its end, the stream would be closed, and the program ended with its terminal.
  for await (const [chunk] of on(child.stdout!, 'data')) {
    said += chunk;
    if (until.test(said)) break;
  }
  const { url } = JSON.parse(readFileSync(join(dataDir, 'server.json'), 'utf8')) as { url: string };
  await fetch(`${url}/app/`);
  const log = join(dataDir, 'logs/server.log');
  // A request is logged after its answer is sent.
  while (!existsSync(log) || !readFileSync(log, 'utf8').includes('"msg":"request"')) await elapse(20);
  child.kill('SIGTERM');
  return { said, logged: readFileSync(log, 'utf8') };
}

test('a fresh server that nobody looks at tells how the first one logs in, and one that has an owner does not', async () => {
  const folder = newFolder();
  const told = async () => {
    const child = spawn(process.execPath, [commandLine, 'serve', '--port', '0', '--data-dir', folder]);
    servers.push(child);
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    await once(createInterface(child.stdout), 'line');
    await fetch(`${(JSON.parse(readFileSync(join(folder, 'server.json'), 'utf8')) as { url: string }).url}/health/`);
    child.kill('SIGTERM');
    await once(child, 'close');
    return said;
  };
  assert.match(
    await told(),
    /Open http:.*\/app\/#\/login\?code=.*\n.*Nobody has an account yet: whoever opens it is the owner/,
  );
  await makeAccounts(folder, 'ada');
  assert.doesNotMatch(await told(), /login\?code/);
});

test('at a terminal the server says in words who logs in where, and writes its log into files', {
  skip: !canHaveTerminal,
}, async () => {
  const folder = newFolder();
  await makeAccounts(folder, 'ada');
  const { said, logged } = await saidAtTerminal(folder, [commandLine, 'serve', '--port', '0'], /afterwards/);
  assert.match(said, /Open http:.*login\?code=[\w-]+\r\n {2}It logs in ada, the owner/);
  assert.doesNotMatch(said, /"level"/);
  assert.match(logged, /"path":"\/app/);
});

const isBlocked = process.platform !== 'linux' || !canHaveTerminal || !isBuiltTested;
test('what `npm start` runs says at a terminal why there is no window, who logs in where, and nothing of its log', {
  skip: isBlocked && '`npm start` runs what is built, and there has to be a terminal on Linux',
}, async () => {
  const folder = newFolder();
  const program = join(import.meta.dirname, '../../../main/start.ts');
  const { said, logged } = await saidAtTerminal(folder, [program], /Ctrl\+C ends it/);
  assert.match(said, /^The desktop window is not opened: .+\. Serving to a browser instead\.\r\n/m);
  assert.match(said, /Open http:.*login\?code=[\w-]+\r\n {2}Nobody has an account yet: whoever opens it is the owner/);
  assert.ok(!said.split('\r\n').some((line) => line.startsWith('{')), said);
  assert.match(logged, /"path":"\/app/);
});

test('at a terminal warnings are words, and what hostile names steer is shown as a mark', () => {
  const line = (level: number, rest: object) => JSON.stringify({ level, time: 1, msg: 'it failed', ...rest });
  assert.equal(inWords(line(30, {})), '');
  assert.equal(inWords(line(40, { path: '/x' })), 'Warning: it failed\n');
  assert.equal(inWords(line(50, { err: { message: 'no \u001b[2Jroom' } })), 'Error: it failed: no \ufffd[2Jroom\n');
});

/** A server that nobody has an account on at first. */
const running = { folder: newFolder(), server: null as ReturnType<typeof serve> | null };
const runningServer = () => (running.server ??= serve(running.folder));

test('a second server on the same data folder is refused in one line that names the first', async () => {
  const { pid } = await runningServer();
  const second = await run(running.folder, 'serve', '--port', '0');
  assert.equal(second.status, 1);
  assert.match(second.stderr, new RegExp(`apk-workstation: .*already running.*${pid}`));
  assert.equal(second.stdout, '');
});

test('no server starts on a damaged catalogue, and what to do is told', async () => {
  const folder = newFolder();
  await (await openStore(folder, { log: quietLog })).close();
  overwriteTable(join(folder, 'catalogue.db'), 'settings');
  const { status, stderr } = await run(folder, 'serve', '--port', '0');
  assert.equal(status, 1);
  assert.match(stderr, /apk-workstation: .*damaged.*apk-workstation repair.*backup/);
});

test('repair makes a damaged catalogue anew, says what became of each table, and the server starts on it', async () => {
  const folder = newFolder();
  await makeAccounts(folder, 'ada');
  overwriteTable(join(folder, 'catalogue.db'), 'settings');
  const { status, stdout } = await run(folder, 'repair', '--json');
  const { repaired, set_aside: aside, tables } = JSON.parse(stdout);
  assert.deepEqual([status, repaired, tables.accounts.kept, tables.accounts.lost], [0, true, 1, 0]);
  assert.ok(existsSync(join(aside, 'catalogue.db')));
  assert.equal(tables.settings.lost, null);
  await serve(folder);
  assert.match((await run(folder, 'repair')).stderr, /already running/);
});

test('an address that cannot be listened on is named, with what to do', async () => {
  await using other = createServer();
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const port = String((other.address() as AddressInfo).port);
  const refused = async (...words: string[]) =>
    (await run(newFolder(), 'serve', ...words)).stderr.trim().split('\n').at(-1);
  assert.equal(
    await refused('--port', port),
    `apk-workstation: 127.0.0.1 port ${port} cannot be listened on: another program uses it. Choose another with --port.`,
  );
  // Of the addresses that are kept for examples (RFC 5737).
  assert.match((await refused('--host', '203.0.113.5', '--plain-http', '--port', '0')) ?? '', /another --host\.$/);
});

test('token create prints a bare token that works at once while a server runs; the first account is the owner', async () => {
  const { folder } = running;
  const { url } = await runningServer();
  const first = await run(folder, 'token', 'create', '--user', 'alice');
  assert.match(first.stdout, /^[0-9a-f]{40}\n$/);
  const second = await run(folder, 'token', 'create', '--user', 'bob', '--group', 'gold');
  const accountOf = async ({ stdout }: Ended) =>
    (await (await fetch(`${url}/account/`, { headers: { authorization: `Token ${stdout.trim()}` } })).json()) as {
      username: string;
      api_group: string;
    };
  const alice = await accountOf(first);
  assert.deepEqual([alice.username, alice.api_group], ['alice', 'workstation']);
  const bob = await accountOf(second);
  assert.deepEqual([bob.username, bob.api_group], ['bob', 'gold']);
  const unknown = await run(folder, 'token', 'create', '--user', 'eve', '--group', 'platinum');
  assert.equal(unknown.status, 1);
  assert.match(unknown.stderr, /basic, bronze, silver, gold, workstation/);
});

test('analyze prints one report line per file in the order given, without touching a data folder', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'text.apk'), 'this is no ZIP file');
  const manifest = { name: 'AndroidManifest.xml', content: buildAxml(element('manifest', { package: 'the.carrier' })) };
  const carried = { name: 'assets/inner.dat', content: readFileSync(realApks.unlock) };
  writeFileSync(join(folder, 'carrier.apk'), buildZip({ entries: [manifest, carried] }));
  const condition = 'uint32(0) == 0x0a786564 and $a';
  const rule = `rule Locks : suspicious { strings: $a = "Lio/appium/unlock/" condition: ${condition} }`;
  writeFileSync(join(folder, 'locks.yar'), rule);
  const { stdout, status } = await run(
    folder,
    'analyze',
    ...['--kinds', 'static,yara', '--rules', 'locks.yar'],
    realApks.unlock,
    'text.apk',
    realApks.uiautomator2Test,
    'carrier.apk',
    '--json',
  );
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(status, 0);
  assert.deepEqual(
    lines.map((line) => [line.sha256, line.file, line.status]),
    [
      [sha256Of(realApks.unlock), realApks.unlock, 'done'],
      [sha256Of(join(folder, 'text.apk')), 'text.apk', 'failed'],
      [sha256Of(realApks.uiautomator2Test), realApks.uiautomator2Test, 'done'],
      [sha256Of(join(folder, 'carrier.apk')), 'carrier.apk', 'done'],
    ],
  );
  assert.equal(lines[1].error.code, 'not-an-apk');
  assert.equal(lines[1].risk, null);
  for (const { androguard, cuckoo, findings, risk, timings } of [lines[0], lines[2]]) {
    androguardReportSchema.parse(androguard);
    cuckooReportSchema.parse(cuckoo);
    assert.deepEqual(
      findings.map(({ cwe: _, masvs: __, attack: ___, ...finding }: Record<string, unknown>) => finding),
      androguard.findings,
    );
    assert.equal(risk.level, 'low');
    const sum = risk.parts.reduce((all: number, { points }: { points: number }) => all + points, 0);
    assert.ok(risk.parts.length > 0 && Math.abs(sum - risk.score) < 1);
    assert.deepEqual(Object.keys(risk.parts[0].evidence[0]), ['kind', 'name', 'where', 'text']);
    assert.ok(timings.total > 0);
  }
  assert.equal(lines[0].androguard.package_name, 'io.appium.unlock');
  assert.deepEqual(lines[0].children, []);
  const [child] = lines[3].children;
  assert.deepEqual(
    [child.sha256, child.kind, child.package_name, child.ways[0].path, child.status],
    [sha256Of(realApks.unlock), 'apk', 'io.appium.unlock', 'assets/inner.dat', 'done'],
  );
  // What rules say of it counts in both.
  assert.deepEqual([child.risk, child.findings], [lines[0].risk.score, lines[0].findings.length]);
  assert.ok(lines[0].risk.parts.some(({ group }: { group: string }) => group === 'rules'));
  assert.ok(lines[3].findings.some(({ code }: { code: string }) => code === 'payload-app'));
});

test('compare tells two files apart that no workstation holds, and names the one that is no app', async () => {
  const folder = newFolder();
  const [first, second] = [realApks.unlock, realApks.unicodeIme];
  writeFileSync(join(folder, 'text.apk'), 'this is no ZIP file');
  const [told, refused] = await Promise.all([
    run(folder, 'compare', first, second),
    run(folder, 'compare', first, 'text.apk'),
  ]);
  assert.equal(told.status, 0, told.stderr);
  const { parts, manifest, ...sides } = JSON.parse(told.stdout) as Comparison;
  assert.deepEqual([sides.first, sides.second].toSorted(), [sha256Of(first), sha256Of(second)].toSorted());
  const changed = parts.components.differences.map(({ state }) => state);
  assert.ok(changed.includes('added') && changed.includes('removed') && manifest.removed > 0);
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /^apk-workstation: text\.apk: /);
  assert.deepEqual(readdirSync(folder), ['text.apk']);
});

test('decompile writes Java and the manifest, and sums up in one line; a class that is not there is a failure', async () => {
  const folder = newFolder();
  const [told, refused] = await Promise.all([
    run(folder, 'decompile', realApks.unlock, '--out', 'java', '--json'),
    run(folder, 'decompile', realApks.unlock, '--out', 'none', '--class', 'no.such.Name'),
  ]);
  assert.equal(told.status, 0, told.stderr);
  const { seconds, ...counts } = JSON.parse(told.stdout.trimEnd().split('\n').at(-1)!);
  assert.deepEqual(counts, { classes: 3, methods: 10, lost: 0, unresolved: 0, dispatched: 0 });
  assert.ok(seconds > 0);
  const source = readFileSync(join(folder, 'java/sources/io/appium/unlock/Unlock.java'), 'utf8');
  assert.match(source, /^package io\.appium\.unlock;\n/);
  assert.match(source, /\bclass Unlock extends Activity \{/);
  assert.match(
    readFileSync(join(folder, 'java/resources/AndroidManifest.xml'), 'utf8'),
    /package="io\.appium\.unlock"/,
  );
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /there is no class no\.such\.Name/);
});

test('decompile calls code as a mapping file does, and tells the lines that it cannot take over', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'map.txt'), 'org.sample.Opener -> io.appium.unlock.Unlock:\norg.sample.Gone -> a.b.C:\n');
  const told = await run(folder, 'decompile', realApks.unlock, '--out', 'java', '--mapping', 'map.txt');
  assert.equal(told.status, 0, told.stderr);
  assert.match(told.stderr, /map\.txt:2: unknown: La\/b\/C; = org\.sample\.Gone/);
  const source = readFileSync(join(folder, 'java/sources/org/sample/Opener.java'), 'utf8');
  assert.match(source, /^package org\.sample;\n/);
  assert.match(source, /\bclass Opener extends Activity \{/);
});

test('decompile gives what is called by no word a readable name where it is asked to', async () => {
  const folder = newFolder();
  const programs = readFileSync(new URL('../../fixtures/dynamic/compiled/programs.dex', import.meta.url));
  const { dexes, classes } = renamedDexes([programs], { seed: 3 });
  writeFileSync(join(folder, 'short.apk'), buildZip({ entries: [{ name: 'classes.dex', content: dexes[0]! }] }));
  const name = classes.get('LTexts;')!.slice(1, -1);
  const told = await run(folder, 'decompile', 'short.apk', '--deobfuscate', '--class', name);
  assert.equal(told.status, 0, told.stderr);
  const source = readFileSync(join(folder, 'short-java/sources/Texts.java'), 'utf8');
  assert.match(source, new RegExp(`renamed from: ${name} \\*/\npublic class Texts \\{`));
});

test('analyze exits with 1 where a file cannot be read at all, and still reports the others', async () => {
  const { stdout, status } = await run(newFolder(), 'analyze', '/nowhere/at/all.apk', realApks.unlock);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(status, 1);
  assert.deepEqual(
    lines.map((line) => [line.status, line.error?.code]),
    [
      ['failed', 'unreadable-file'],
      ['done', undefined],
    ],
  );
});

async function folderOfSamples(): Promise<string> {
  const samples = newFolder();
  mkdirSync(join(samples, 'deeper'));
  copyFileSync(realApks.unlock, join(samples, 'unlock.apk'));
  copyFileSync(realApks.unlock, join(samples, 'the same again.apk'));
  copyFileSync(realApks.uiautomator2Test, join(samples, 'deeper/test.apk'));
  writeFileSync(join(samples, 'notes.txt'), 'nothing to see');
  const zip = new ZipWriter(new Uint8ArrayWriter(), { password: 'infected', encryptionStrength: 3 });
  await zip.add('ime.apk', new Uint8ArrayReader(readFileSync(realApks.unicodeIme)));
  await zip.add('readme.txt', new Uint8ArrayReader(Buffer.from('inside')));
  writeFileSync(join(samples, 'collection.zip'), await zip.close());
  return samples;
}

const exported = async (folder: string, ...words: string[]) =>
  (await run(folder, 'export', ...words)).stdout.split('\n').filter(Boolean);

for (const mode of ['without a server', 'with a server that holds the folder'] as const) {
  test(`import ${mode} takes files, folders and locked ZIPs, skips what is held and tells every refusal`, async () => {
    const folder = newFolder();
    if (mode !== 'without a server') await serve(folder);
    const samples = await folderOfSamples();
    const first = await run(folder, 'import', samples);
    assert.equal(first.status, 0, first.stderr);
    assert.match(first.stdout, /2 added, 1 held already, 1 refused\n$/);
    assert.match(first.stdout, /refused .*notes\.txt: .*not an Android application/);
    const again = await run(folder, 'import', samples, '--recursive', '--json');
    const { refused, ...counts } = JSON.parse(again.stdout);
    assert.deepEqual(counts, { added: 1, held: 3 });
    assert.deepEqual([refused.length, refused[0].name], [1, join(samples, 'notes.txt')]);
    assert.match(refused[0].reason, /not an Android application/);
    const other = join(newFolder(), 'Free Gift.apk');
    copyFileSync(realApks.unlock, other);
    assert.match((await run(folder, 'import', other)).stdout, /^0 added, 1 held already, 0 refused$/m);
    const [named, ...more] = await exported(folder, '--search', 'filename:"Free Gift"');
    assert.deepEqual([JSON.parse(named!).package_name, more], ['io.appium.unlock', []], 'a further name is kept');
    const packages = (await exported(folder)).map((line) => JSON.parse(line).package_name);
    assert.deepEqual(packages.sort(), [
      'io.appium.android.ime',
      'io.appium.uiautomator2.server.test',
      'io.appium.unlock',
    ]);
  });
}

test('where no wall of the system stands, analyze and scan say so once, and do nothing with --require-isolation', {
  skip: !canHideWalls && 'nobody but root hides programs from others',
}, async () => {
  const folder = newFolder();
  const rules = join(folder, 'every.yar');
  writeFileSync(rules, 'rule every_file { condition: true }');
  const scan = ['scan', '--rules', rules];
  const files = [realApks.unlock, realApks.unicodeIme];
  const [walled, open, refused] = await Promise.all([
    run(folder, ...scan, '--require-isolation', ...files),
    runWithoutWalls(folder, ...scan, ...files),
    runWithoutWalls(folder, 'analyze', '--require-isolation', ...files),
  ]);
  assert.deepEqual([walled.status, walled.stderr], [0, '']);
  assert.deepEqual([open.status, open.stdout.match(/"status":"done","cuckoo"/g)?.length], [0, files.length]);
  assert.match(open.stderr, /^apk-workstation: no wall of the system stands [^\n]*\n$/);
  assert.deepEqual([refused.status, refused.stdout], [1, '']);
  assert.match(refused.stderr, /^apk-workstation: nothing was analysed: no wall of the system that holds [^\n]*\n$/);
});

test('import exits with 1 and names the path where one does not exist, and takes the others', async () => {
  const { status, stdout } = await run(newFolder(), 'import', '/nowhere/at/all', realApks.unlock);
  assert.equal(status, 1);
  assert.match(stdout, /refused \/nowhere\/at\/all: .*\n1 added/);
});

test('export writes what a search finds as JSON lines or CSV, with what people said of it', async () => {
  const folder = newFolder();
  await run(folder, 'import', realApks.unlock, realApks.unicodeIme);
  const store = await openStore(folder, { log: quietLog });
  const { id } = (await store.apks.findBySha256(sha256Of(realApks.unlock)))!;
  const word = { verdict: 'malicious', family: 'Joker', note: 'dials' } as const;
  await store.transaction(async ({ apks }) => {
    await apks.update(id, word);
    await apks.setRisk(id, 81, 'high');
  });
  await store.close();
  const [line, ...others] = await exported(folder, '--search', 'io.appium.unlock');
  assert.equal(others.length, 0);
  const { sha256, verdict, family, note, risk, severity } = JSON.parse(line!);
  assert.deepEqual([sha256, verdict, family, note], [sha256Of(realApks.unlock), 'malicious', 'Joker', 'dials']);
  assert.deepEqual([risk, severity], [81, 'high']);
  const [header, ...rows] = await exported(folder, '--format', 'csv');
  assert.match(header!, /^sha256,md5,sha1,app,package_name,.*,verdict,family,note,risk,severity/);
  assert.equal(rows.length, 2);
});

test("export finds by the owner's private rulesets, not by others'", async () => {
  const folder = newFolder();
  await run(folder, 'import', realApks.unlock);
  await makeAccounts(folder, 'alice', 'bob');
  const store = await openStore(folder, { log: quietLog });
  const apk = (await store.apks.findBySha256(sha256Of(realApks.unlock)))!;
  for (const username of ['alice', 'bob']) {
    const { id: authorId } = (await store.accounts.findByUsername(username))!;
    const name = `of-${username}`;
    const fields = {
      name,
      isEnabled: true,
      isPublic: false,
      isNotifier: false,
      rules: '',
      rulesCount: 0,
      activeSince: null,
    };
    const rulesetId = await store.transaction(({ rulesets }) =>
      rulesets.insert(authorId, { ...fields, socialStatus: 'none' }),
    );
    await store.transaction(({ matches }) => matches.save(apk.id, rulesetId, []));
  }
  await store.close();
  assert.equal((await exported(folder, '--search', 'ruleset:of-alice')).length, 1);
  assert.equal((await exported(folder, '--search', 'ruleset:of-bob')).length, 0);
});

test('an import takes what a pattern finds that no shell has filled in', async () => {
  const folder = newFolder();
  mkdirSync(join(folder, 'samples'));
  for (const name of ['a.apk', 'b.apk', 'c.bin']) {
    writeFileSync(join(folder, 'samples', name), variant(`pattern ${name}`).content);
  }
  const { status, stdout } = await run(folder, 'import', 'samples/*.apk');
  assert.deepEqual({ status, stdout }, { status: 0, stdout: '2 added, 0 held already, 0 refused\n' });
});

test('what an import refused stands in a list that can be imported once more, with another password', async () => {
  const folder = newFolder();
  const zip = new ZipWriter(new Uint8ArrayWriter(), { password: 'other', encryptionStrength: 3 });
  await zip.add('one.apk', new Uint8ArrayReader(variant('locked').content));
  writeFileSync(join(folder, 'locked.zip'), await zip.close());
  writeFileSync(join(folder, 'notes.txt'), 'no app');
  const first = await run(folder, 'import', 'locked.zip', 'notes.txt', 'away.apk', '--refused', 'refused.jsonl');
  assert.match(first.stdout, /0 added, 0 held already, 3 refused\n$/);
  const list = readFileSync(join(folder, 'refused.jsonl'), 'utf8').trim().split('\n');
  const refused = list.map((line) => JSON.parse(line) as { name: string; path: string; reason: string });
  assert.deepEqual(refused.map(({ path }) => basename(path)).sort(), ['away.apk', 'locked.zip', 'notes.txt']);
  assert.match(refused.find(({ name }) => name === 'locked.zip/one.apk')!.reason, /locked with a password/);
  const again = await run(
    folder,
    'import',
    '--retry',
    'refused.jsonl',
    '--password',
    'other',
    '--refused',
    'still.jsonl',
  );
  assert.match(again.stdout, /1 added, 0 held already, 2 refused\n$/);
  assert.equal(readFileSync(join(folder, 'still.jsonl'), 'utf8').trim().split('\n').length, 2);
  assert.match((await run(folder, 'import', '--retry', 'notes.txt')).stderr, /no list of refused files/);
  assert.match((await run(folder, 'import')).stderr, /Name files or folders/);
});

/** Resolves once a file stands in the store. */
async function hasTakenOne(folder: string): Promise<void> {
  const apks = join(folder, 'apks');
  const stored = /^[0-9a-f]{64}$/;
  const names = () => (existsSync(apks) ? readdirSync(apks, { recursive: true, encoding: 'utf8' }) : []);
  while (!names().some((path) => stored.test(basename(path)))) await elapse(10);
}

test('an import whose server ends stops with a word and the status 1, and takes the rest when it is started again', async () => {
  const folder = newFolder();
  const { child } = await serve(folder);
  const samples = newFolder();
  // So many that the first is found long before the last is taken.
  const count = 60;
  for (let index = 0; index < count; index++) {
    writeFileSync(join(samples, `${index}.apk`), variant(`import ${index}`).content);
  }
  const importing = run(folder, 'import', samples);
  await hasTakenOne(folder);
  child.kill('SIGKILL');
  const { status, stdout, stderr } = await importing;
  assert.equal(status, 1);
  assert.match(
    stderr,
    /^apk-workstation: The server does not answer \(.*\)\. The import has stopped; started again, /m,
  );
  assert.match(stdout, /^\d+ added, 0 held already, 0 refused\n$/);
  const again = await run(folder, 'import', samples);
  const [, added, held] = /^(\d+) added, (\d+) held already, 0 refused/.exec(again.stdout) ?? [];
  assert.equal(Number(added) + Number(held), count);
  assert.ok(Number(held) >= Number.parseInt(stdout, 10));
});

test('an interrupted import goes on where it stopped', async () => {
  const folder = newFolder();
  const importer = spawn(
    process.execPath,
    [commandLine, 'import', realApks.unlock, realApks.unicodeIme, realApks.uiautomator2Server, '--data-dir', folder],
    { stdio: 'ignore' },
  );
  const exited = once(importer, 'exit');
  await hasTakenOne(folder);
  importer.kill('SIGKILL');
  await exited;
  const { stdout } = await run(folder, 'import', realApks.unlock, realApks.unicodeIme, realApks.uiautomator2Server);
  const [, added, held] = /(\d) added, (\d) held already, 0 refused/.exec(stdout) ?? [];
  assert.equal(Number(added) + Number(held), 3, stdout);
  assert.equal((await exported(folder)).length, 3);
});
