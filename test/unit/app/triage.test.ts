// `triage` as scripts use it: real processes, APKs with a family of their own, what earlier runs found.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { findingCatalogue } from '../../../server/contract/findings/finding-catalogue.ts';
import { buildAxml, element } from '../../fixtures/axml-builder.ts';
import { familyMember, unrelatedApp } from '../../fixtures/built-family.ts';
import { commandLine } from '../../fixtures/program.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { buildZip } from '../../fixtures/zip-builder.ts';

const cache = temporaryFolder('triage-cache');

const triage = (folder: string, ...words: string[]): Promise<{ status: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const env = { ...process.env, XDG_CACHE_HOME: cache, LOCALAPPDATA: cache, HOME: cache };
    execFile(process.execPath, [commandLine, 'triage', ...words], { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });

interface Line {
  sha256: string;
  file: string;
  duplicates: string[];
  package_name: string;
  risk: { score: number; level: string; parts: { title: string }[] };
  family: { name: string; members: number } | null;
  neighbours: { file: string; score: number; reason: string }[];
  error?: { code: string };
}
const linesOf = (text: string): Line[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Two versions of an app, one of them twice, a stranger, and what is no app. */
function sampleFolder(): string {
  const folder = temporaryFolder('triage');
  mkdirSync(join(folder, 'in/deep'), { recursive: true });
  writeFileSync(join(folder, 'in/one.apk'), familyMember(0));
  writeFileSync(join(folder, 'in/deep/two.apk'), familyMember(1));
  copyFileSync(join(folder, 'in/one.apk'), join(folder, 'in/deep/copy.apk'));
  writeFileSync(join(folder, 'in/stranger.apk'), unrelatedApp(0));
  copyFileSync(realApks.unlock, join(folder, 'in/unlock.apk'));
  writeFileSync(join(folder, 'in/notes.txt'), 'no app');
  writeFileSync(join(folder, 'in/archive.zip'), buildZip({ entries: [{ name: 'a', content: Buffer.from('b') }] }));
  return folder;
}

test('a folder becomes one table: the riskiest first, copies in one line, versions of an app as family and neighbours', async () => {
  const folder = sampleFolder();
  const { status, stdout, stderr } = await triage(folder, 'in', '--jobs', '2');
  assert.equal(status, 0, stderr);
  assert.match(stderr, /1 files of folders are no APKs/);
  const lines = linesOf(stdout);
  assert.equal(lines.length, 4);
  assert.deepEqual(
    lines.map(({ risk }) => risk.score),
    lines.map(({ risk }) => risk.score).toSorted((one, other) => other - one),
  );
  const of = (file: string) => lines.find((line) => line.file === join('in', file))!;
  assert.deepEqual(of('deep/copy.apk').duplicates, [join('in', 'one.apk')]);
  const [copy, two] = [of('deep/copy.apk'), of('deep/two.apk')];
  assert.equal(copy.family?.members, 2);
  assert.deepEqual(copy.family, two.family);
  assert.equal(copy.neighbours[0]?.file, join('in', 'deep/two.apk'));
  assert.match(copy.neighbours[0]!.reason, /^\d+ of \d+ own methods, another signer$/);
  assert.equal(of('stranger.apk').family, null);
  assert.deepEqual(of('unlock.apk').neighbours, []);
});

test('what an earlier run found of the same content is not analysed again, and a damaged record of it is', async () => {
  const folder = temporaryFolder('triage');
  copyFileSync(realApks.unlock, join(folder, 'unlock.apk'));
  const [first] = linesOf((await triage(folder, 'unlock.apk')).stdout);
  const kept = join(cache, 'apk-workstation/triage');
  const engine = join(kept, readdirSync(kept)[0]!);
  const record = join(engine, first!.sha256.slice(0, 2), first!.sha256);
  const before = readFileSync(record);
  // What is kept is what is shown: a record of something else shows that the file itself was not looked into.
  const [unicode] = linesOf((await triage(folder, realApks.unicodeIme)).stdout);
  writeFileSync(record, readFileSync(join(engine, unicode!.sha256.slice(0, 2), unicode!.sha256)));
  const [again] = linesOf((await triage(folder, 'unlock.apk')).stdout);
  assert.equal(again!.package_name, 'io.appium.android.ime');
  writeFileSync(record, before.subarray(0, 20));
  const [anew] = linesOf((await triage(folder, 'unlock.apk')).stdout);
  assert.deepEqual(anew, first);
  assert.deepEqual(readFileSync(record), before);
});

test('the exit status tells the worst risk, and that a named file could not be read where none is risky', async () => {
  const folder = temporaryFolder('triage');
  writeFileSync(join(folder, 'broken.apk'), 'no archive');
  const broken = await triage(folder, 'broken.apk', realApks.unlock);
  assert.equal(broken.status, 1);
  assert.deepEqual(
    linesOf(broken.stdout).map(({ file, error }) => [file, error?.code]),
    [
      [realApks.unlock, undefined],
      ['broken.apk', 'not-an-apk'],
    ],
  );
  assert.equal((await triage(folder, 'absent.apk')).status, 1);
  // Risk is weighed anew of what is kept: of a record with everything that an app can be found doing, it is critical.
  const [{ sha256 }] = linesOf(broken.stdout) as [Line];
  const [engine] = readdirSync(join(cache, 'apk-workstation/triage'));
  const record = join(cache, 'apk-workstation/triage', engine!, sha256.slice(0, 2), sha256);
  const evidence = JSON.parse(zstdDecompressSync(readFileSync(record)).toString());
  const findings = Object.entries(findingCatalogue).map(([code, { severity }]) => ({
    ...{ code, severity, where: 'LA;->b()V', evidence: 'c' },
  }));
  writeFileSync(record, zstdCompressSync(JSON.stringify({ ...evidence, findings })));
  const risky = await triage(folder, 'broken.apk', realApks.unlock);
  assert.equal(linesOf(risky.stdout)[0]!.risk.level, 'critical');
  assert.equal(risky.status, 30);
});

test('CSV holds no formula, and the page runs and loads nothing that an app is called', async () => {
  const folder = temporaryFolder('triage');
  const hostile = `=cmd|' /C calc'!A0"><script>alert(1)</script><img src=http://a.b/c>\u202e`;
  const label = { 'android:label': hostile };
  const content = buildAxml(element('manifest', { package: 'a.b' }, element('application', label)));
  writeFileSync(join(folder, 'a.apk'), buildZip({ entries: [{ name: 'AndroidManifest.xml', content }] }));
  const { stdout } = await triage(folder, 'a.apk', '--csv');
  const [title, row] = stdout.split('\r\n');
  assert.equal(
    title,
    'risk,level,file,sha256,package_name,app_name,version,why,family,signer,signer_company,duplicates,neighbours',
  );
  assert.match(row!, /,a\.b,"'=cmd/);
  const { stdout: nothing } = await triage(folder, 'a.apk', '--html', 'page.html');
  assert.equal(nothing, '');
  const page = readFileSync(join(folder, 'page.html'), 'utf8');
  assert.match(page, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
  assert.doesNotMatch(page, /<script|<img|\u202e/);
  assert.match(page, /default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src data:/);
  assert.match((await triage(folder, 'a.apk', '--csv', '--json')).stderr, /cannot be used with/);
});
