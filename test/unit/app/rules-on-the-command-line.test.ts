// YARA rules on the command line: real processes, real rules, a real APK.
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { AnalysisLine } from '../../../server/app/analysis-output.ts';
import { commandLine } from '../../fixtures/program.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { buildZip } from '../../fixtures/zip-builder.ts';

const folder = mkdtempSync(join(tmpdir(), 'apk-workstation-rules-'));
after(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, 'rules'));
mkdirSync(join(folder, 'files'));
const moduleRule = 'import "androguard" rule unlocks { condition: androguard.package_name("io.appium.unlock") }';
writeFileSync(join(folder, 'rules', 'app.yar'), moduleRule);
writeFileSync(join(folder, 'rules', 'broken.yara'), 'rule broken {\n  condition: nothing\n}');
writeFileSync(join(folder, 'rules', 'README.md'), 'no rules');
writeFileSync(join(folder, 'needle.yar'), 'rule needle { strings: $a = "needle" condition: $a }');
copyFileSync(realApks.unlock, join(folder, 'files', 'unlock.apk'));
writeFileSync(join(folder, 'files', 'text'), 'a needle');

interface Ended {
  status: number;
  stdout: string;
  stderr: string;
}

const run = (...words: string[]) => linesOf(runRaw(...words));

async function linesOf(ended: Promise<Ended>): Promise<Omit<Ended, 'stdout'> & { lines: AnalysisLine[] }> {
  const { stdout, ...others } = await ended;
  const lines = stdout.split('\n').filter((line) => line !== '');
  return { ...others, lines: lines.map((line) => JSON.parse(line) as AnalysisLine) };
}

const runRaw = (...words: string[]): Promise<Ended> => runFed('', ...words);

/** With this as standard input. */
async function runFed(input: string | Buffer, ...words: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const { stdin } = execFile(
      process.execPath,
      [commandLine, ...words],
      { cwd: folder, maxBuffer: 2 ** 26 },
      (error, stdout, stderr) => {
        resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr });
      },
    );
    stdin!.end(input);
  });
}

const matchesOf = ({ yara }: AnalysisLine) =>
  yara!.flatMap(({ id, rules_matched }) => rules_matched.map(({ name, file }) => [id, name, file]));

test('analyze with rules adds their outcome to the static report; a broken ruleset says where and stops nothing', async () => {
  const { status, lines, stderr } = await run('analyze', 'files/unlock.apk', '--rules', 'rules', 'needle.yar');
  assert.equal(status, 0);
  assert.match(stderr, /rules\/broken\.yara:2:14: unknown identifier/);
  assert.equal(lines[0]!.androguard?.package_name, 'io.appium.unlock');
  const matches = matchesOf(lines[0]!);
  // The report is the APK's in every file inside it, so that the rule matches each.
  assert.deepEqual(matches[0], ['rules/app.yar', 'unlocks', '']);
  assert.ok(matches.some(([, , file]) => file === 'classes.dex'));
  const broken = lines[0]!.yara!.find(({ status: outcome }) => outcome === 'broken');
  assert.deepEqual([broken?.id, broken?.errors[0]?.line], ['rules/broken.yara', 2]);
});

test('files may stand behind the rules too', async () => {
  const { status, lines } = await run('analyze', '--rules', 'rules', 'needle.yar', 'files/unlock.apk', '--json');
  assert.equal(status, 0);
  assert.deepEqual(
    lines.map(({ file, yara }) => [file, yara!.map(({ id }) => id)]),
    [['files/unlock.apk', ['rules/app.yar', 'rules/broken.yara', 'needle.yar']]],
  );
  const none = await runRaw('analyze', '--rules', 'rules', 'needle.yar');
  assert.equal(none.status, 1);
  assert.match(none.stderr, /missing required argument 'file'/);
});

test('scan looks at every file of a folder, whether an APK or not, and into what archives carry', async () => {
  const packed = (name: string, content: Buffer) => buildZip({ entries: [{ name, content, method: 8 }] });
  const jar = packed('classes.dex', Buffer.from(`dex\n035\0${'a needle '.repeat(20)}`));
  writeFileSync(join(folder, 'carrier.zip'), packed('assets/a.zip', packed('assets/deep.jar', jar)));
  const { status, lines } = await run('scan', '--rules', 'needle.yar', 'files', 'carrier.zip');
  assert.equal(status, 0);
  const place = 'assets/a.zip!/assets/deep.jar!/classes.dex';
  assert.deepEqual(lines.map(matchesOf), [[['needle.yar', 'needle', '']], [], [['needle.yar', 'needle', place]]]);
});

test('rules that are not there are an error that names them', async () => {
  const { status, stderr } = await run('scan', '--rules', 'missing.yar', 'files');
  assert.equal(status, 1);
  assert.match(stderr, /missing\.yar/);
});

test('a table has a row for each rule that matches, in columns that stand one below the other', async () => {
  const { status, stdout } = await runRaw(
    'scan',
    '--format',
    'table',
    '--rules',
    'rules',
    '--rules',
    'needle.yar',
    'files',
  );
  assert.equal(status, 0);
  const [title, ...rows] = stdout.trimEnd().split('\n');
  const starts = ['FILE', 'RULE', 'RULESET', 'WHERE'].map((name) => title!.indexOf(name));
  const cells = rows.map((row) => starts.map((start, index) => row.slice(start, starts[index + 1]).trim()));
  assert.deepEqual(cells[0], [join('files', 'text'), 'needle', 'needle.yar', '(file itself)']);
  // A condition on the manifest is true of the APK: it is not said of each file inside.
  assert.deepEqual(cells[1], [join('files', 'unlock.apk'), 'unlocks', 'rules/app.yar', '(file itself)']);
  assert.equal(rows.length, 2);
});

test('a file that is not there is named in its place, and the exit status says so', async () => {
  const { status, stdout } = await runRaw(
    'scan',
    '--format',
    'table',
    '--rules',
    'needle.yar',
    'files/text',
    'absent.apk',
  );
  assert.equal(status, 1);
  assert.match(stdout, /^files\/text +needle +needle\.yar +\(file itself\)$/m);
  assert.match(stdout, /^absent\.apk +failed +.*ENOENT/m);
});

test('rules of which none compiles are an error', async () => {
  const { status, stderr } = await runRaw('scan', '--rules', 'rules/broken.yara', 'files/text');
  assert.equal(status, 1);
  assert.match(stderr, /broken\.yara:2:14:/);
});

test('rules that do not compile are told of also where the first file cannot be read', async () => {
  const { status, stderr } = await runRaw('scan', '--rules', 'rules', 'absent.apk', 'files/text', 'files/unlock.apk');
  assert.equal(status, 1);
  assert.equal(stderr.match(/broken\.yara:2:14:/g)?.length, 1);
});

test('a ruleset that no worker survives is named, and stops no other', async () => {
  writeFileSync(
    join(folder, 'deadly.yar'),
    `rule deadly { condition: ${'('.repeat(100_000)}true${')'.repeat(100_000)} }`,
  );
  const { status, lines } = await run('scan', '--rules', 'needle.yar', '--rules', 'deadly.yar', 'files');
  assert.equal(status, 1);
  assert.deepEqual(lines.map(matchesOf), [[['needle.yar', 'needle', '']], []]);
  for (const line of lines) {
    const outcomes = line.yara!.map(({ id, status: outcome, code }) => [id, outcome, code]);
    assert.deepEqual(
      [line.status, outcomes],
      [
        'partial',
        [
          ['needle.yar', 'done', 'done'],
          ['deadly.yar', 'failed', 'crashed'],
        ],
      ],
    );
  }
});

test('standard input can be the rules or the file, but not both', async () => {
  const rules = 'rule fed { strings: $a = "needle" condition: $a }';
  const byRules = await linesOf(runFed(rules, 'scan', '--rules', '-', 'files/text'));
  assert.deepEqual([byRules.status, matchesOf(byRules.lines[0]!)], [0, [['-', 'fed', '']]]);
  const apk = readFileSync(realApks.unlock);
  const byFile = await linesOf(runFed(apk, 'analyze', '--rules', 'rules/app.yar', '--kinds', 'static,yara', '-'));
  const [line] = byFile.lines;
  assert.deepEqual([byFile.status, line!.file, line!.androguard?.package_name], [0, '-', 'io.appium.unlock']);
  assert.deepEqual(matchesOf(line!)[0], ['rules/app.yar', 'unlocks', '']);
  const both = await runFed(rules, 'scan', '--rules', '-', '-');
  assert.deepEqual([both.status, both.stdout], [1, '']);
  assert.match(both.stderr, /standard input/);
});

test('a folder without rules, or no rules at all where some are wanted, are errors', async () => {
  const none = await runRaw('scan', '--rules', 'files', 'files/text');
  assert.deepEqual([none.status, none.stdout], [1, '']);
  assert.match(none.stderr, /files holds no file that is called \*\.yar/);
  const forgotten = await runRaw('analyze', '--kinds', 'yara', 'files/text');
  assert.deepEqual([forgotten.status, forgotten.stdout], [1, '']);
  assert.match(forgotten.stderr, /no rules were given/);
});

test('files in a folder are named by the path that was given', async () => {
  const { lines } = await run('scan', '--rules', 'needle.yar', 'files');
  assert.deepEqual(
    lines.map(({ file }) => file),
    [join('files', 'text'), join('files', 'unlock.apk')],
  );
});

test('a pattern that no shell has filled in stands for what it finds, files and rules alike', async () => {
  writeFileSync(join(folder, '[1].txt'), 'a needle');
  const { status, lines } = await run('scan', '--rules', 'n*.yar', 'files/*', '[1].txt');
  assert.equal(status, 0);
  const paths = lines.map(({ file }) => file);
  assert.deepEqual(paths, [join('files', 'text'), join('files', 'unlock.apk'), '[1].txt']);
  assert.deepEqual(matchesOf(lines[2]!), [['needle.yar', 'needle', '']]);
  const none = await runRaw('scan', '--format', 'table', '--rules', 'needle.yar', 'files/*.none');
  assert.equal(none.status, 1);
  assert.match(none.stdout, /^files\/\*\.none +failed +.*ENOENT/m);
});

test('what is no ordinary file is named in its place, and links in a folder are not followed', {
  skip: process.platform === 'win32',
}, async () => {
  const tree = join(folder, 'tree');
  mkdirSync(join(tree, 'below'), { recursive: true });
  writeFileSync(join(tree, 'below', 'text'), 'a needle');
  symlinkSync('..', join(tree, 'loop'));
  execFileSync('mkfifo', [join(tree, 'pipe')]);
  const { status, lines } = await run('scan', '--rules', 'needle.yar', 'tree', '/dev/zero', 'tree/pipe');
  assert.equal(status, 1);
  assert.deepEqual(
    lines.map(({ file, error }) => [file, error?.message ?? null]),
    [
      ['tree/below/text', null],
      ['/dev/zero', 'it is no ordinary file'],
      ['tree/pipe', 'it is no ordinary file'],
    ],
  );
  const [line] = (await run('analyze', 'tree')).lines;
  assert.deepEqual(line!.error, { code: 'unreadable-file', message: 'it is a folder' });
});

test('whoever stops reading the output ends the command without a word', async () => {
  const words = Array.from({ length: 40 }, () => 'files/unlock.apk');
  const command = execFile(process.execPath, [commandLine, 'analyze', ...words], {
    cwd: folder,
  });
  command.stdout!.once('data', () => command.stdout!.destroy());
  let stderr = '';
  command.stderr!.on('data', (text: string) => {
    stderr += text;
  });
  const [status] = await once(command, 'close');
  assert.deepEqual([status, stderr], [0, '']);
});
