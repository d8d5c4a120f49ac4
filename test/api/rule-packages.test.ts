// Packages of rulesets over HTTP: an archive is imported by a job, updated by a newer one, switched and removed whole.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  importRules,
  previewRules,
  removePackage,
  shownPackages,
  shownPreview,
  switchPackage,
} from '../../server/app/commands/rules.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';
import { buildZip } from '../fixtures/zip-builder.ts';

const sha256 = createHash('sha256').update(readFileSync(realApks.unlock)).digest('hex');
let workstation: TestWorkstation;
before(async () => {
  workstation = await startWorkstation();
});
after(() => workstation[Symbol.asyncDispose]());

const zipRule = 'rule archive { strings: $a = "PK" condition: $a at 0 }';
const other = 'import "pe" rule windows { condition: pe.number_of_sections > 1 }';
const licence = 'MIT License\n\nPermission is hereby granted, free of charge, to any person …';

const zipOf = (files: Record<string, string>) =>
  Buffer.from(buildZip({ entries: Object.entries(files).map(([name, content]) => ({ name, content, method: 8 })) }));

/** As Debian's tar packs a folder, with names longer than a header has room for. */
function tarOf(files: Record<string, string>): Buffer<ArrayBuffer> {
  const folder = temporaryFolder('rules');
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, 'tree', name)), { recursive: true });
    writeFileSync(join(folder, 'tree', name), content);
  }
  execFileSync('tar', [
    'czf',
    join(folder, 'a.tar.gz'),
    '-C',
    join(folder, 'tree'),
    ...readdirSync(join(folder, 'tree')),
  ]);
  return readFileSync(join(folder, 'a.tar.gz'));
}

async function sent(body: Buffer<ArrayBuffer> | string, query: string) {
  const { status, body: job } = await workstation.ask(`/rule-packages/?${query}`, { method: 'POST', body });
  assert.equal(status, 202);
  return workstation.jobEnd(job.id);
}

const packages = async () => (await workstation.ask('/rule-packages/')).body;
const detail = async (name: string) => (await workstation.ask(`/rule-packages/${name}/`)).body;
const rulesetsOf = async (name: string) => (await workstation.ask(`/rulesets/?package=${name}`)).body.results;
const matchesOn = async () => {
  await workstation.ask(`/apks/${sha256}/analyze_yara/`);
  await workstation.server.idle();
  return (await workstation.ask(`/apks/${sha256}/matches/`)).body.results.map(
    (match: { ruleset: { name: string } }) => match.ruleset.name,
  );
};

test('an archive becomes rulesets that match, and a newer one adds, changes, removes and says so', async () => {
  const long = `${'deep/'.repeat(30)}windows.yar`;
  const first = tarOf({
    'signatures-1.2/archives.yar': zipRule,
    [`signatures-1.2/${long}`]: other,
    'signatures-1.2/gone.yara': other.replace('windows', 'gone'),
    'signatures-1.2/broken.yar': 'rule broken { condition: nothing }',
    'signatures-1.2/notes.md': 'not rules',
    'signatures-1.2/LICENSE': licence,
  });
  assert.equal((await sent(first, 'file_name=signatures.tar.gz')).status, 'done');
  const { last_change, imported_at: _, ...imported } = await detail('signatures');
  assert.deepEqual(imported, {
    name: 'signatures',
    version: '1.2',
    licence: 'MIT',
    source: 'signatures.tar.gz',
    is_enabled: true,
    is_public: false,
    rulesets_count: 3,
    enabled_count: 3,
    rules_count: 3,
    matches_count: 0,
    duplicates_count: 0,
  });
  assert.deepEqual(last_change.added.toSorted(), ['archives.yar', long, 'gone.yara'].toSorted());
  assert.deepEqual(last_change.refused, [
    {
      path: 'broken.yar',
      reason: 'line 1, column 26: unknown identifier `nothing`: this identifier has not been declared',
    },
  ]);
  await workstation.upload(realApks.unlock);
  await workstation.server.idle();
  assert.deepEqual(await matchesOn(), ['archives.yar']);

  const newer = zipOf({
    'signatures-1.3/archives.yar': zipRule.replace('at 0', 'at 1'),
    [`signatures-1.3/${long}`]: other,
    'signatures-1.3/new.yar': zipRule.replace('archive', 'archive_too'),
    'signatures-1.3/copy.yar': other,
  });
  assert.equal((await sent(newer, 'file_name=signatures.zip')).status, 'done');
  const updated = await detail('signatures');
  assert.equal(updated.version, '1.3');
  assert.deepEqual(updated.last_change, {
    added: ['new.yar', 'copy.yar'],
    changed: ['archives.yar'],
    removed: ['gone.yara'],
    refused: [],
    left_out: 0,
  });
  assert.equal(updated.duplicates_count, 2);
  assert.deepEqual(await matchesOn(), ['new.yar']);
  const changed = (await rulesetsOf('signatures')).find(({ name }: { name: string }) => name === 'archives.yar');
  assert.equal(changed.version, 2);
});

test('a package is switched whole, updates follow it, and it goes with its matches', async () => {
  const address = '/rule-packages/signatures/';
  const off = await workstation.ask(address, { method: 'PATCH', json: { is_enabled: false } });
  assert.deepEqual([off.status, off.body.enabled_count], [200, 0]);
  await sent(zipOf({ 'one.yar': zipRule, 'two.yar': zipRule.replace('archive', 'second') }), 'name=signatures');
  assert.equal((await detail('signatures')).enabled_count, 0);
  const on = await workstation.ask(address, { method: 'PATCH', json: { is_enabled: true } });
  assert.equal(on.body.enabled_count, 2);
  assert.deepEqual((await matchesOn()).toSorted(), ['one.yar', 'two.yar']);
  assert.equal((await detail('signatures')).matches_count, 2);
  assert.equal((await workstation.ask(address, { method: 'DELETE' })).status, 204);
  assert.equal((await workstation.ask(address)).status, 404);
  assert.deepEqual(await matchesOn(), []);
  assert.deepEqual((await workstation.ask('/rulesets/')).body.results, []);
});

test('a folder is imported on the command line while the server runs, which scans with it at once', async () => {
  const folder = join(temporaryFolder('folder'), 'own-rules-7');
  mkdirSync(join(folder, 'inner'), { recursive: true });
  writeFileSync(join(folder, 'inner/zip.yar'), zipRule);
  writeFileSync(join(folder, 'LICENSE'), licence);
  const place = { dataDir: workstation.dataDir };
  const { last_change: _, ...line } = await importRules(folder, { ...place, source: 'https://rules.example/' });
  assert.deepEqual(line, {
    name: 'own-rules',
    version: '7',
    licence: 'MIT',
    source: 'https://rules.example/',
    rulesets: 1,
    enabled: 1,
    rules: 1,
    matches: 0,
    duplicates: 0,
  });
  assert.deepEqual(await matchesOn(), ['inner/zip.yar']);
  writeFileSync(join(folder, 'inner/zip.yar'), `${zipRule}\n// a line more`);
  writeFileSync(join(folder, 'new.yar'), 'rule fresh { condition: filesize == 1 }');
  const preview = await previewRules(folder, place);
  assert.deepEqual(
    [preview.isNew, preview.change.added, preview.change.changed],
    [false, ['new.yar'], ['inner/zip.yar']],
  );
  const shown = shownPreview(preview);
  assert.match(shown, /^package own-rules 7\nadded {4}new\.yar\nchanged {2}inner\/zip\.yar\n/);
  assert.match(shown, /^ {2}\+ \/\/ a line more$/m);
  assert.deepEqual((await shownPackages(place))[0]!.rulesets, 1, 'nothing of it is done');
  await switchPackage('own-rules', false, place);
  assert.deepEqual(
    (await shownPackages(place)).map(({ name, enabled, matches }) => [name, enabled, matches]),
    [['own-rules', 0, 1]],
  );
  await removePackage('own-rules', place);
  await assert.rejects(removePackage('own-rules', place), /^Error: There is no package of that name\.$/);
  assert.deepEqual((await packages()).results, []);
});

test('a newer archive is previewed line by line, and changes nothing until it is imported or discarded', async () => {
  const first = zipOf({ 'a.yar': zipRule, 'b.yar': other });
  assert.equal((await sent(first, 'file_name=previewed-1.zip')).status, 'done');
  const next = zipOf({
    'a.yar': `// newer\n${zipRule}`,
    'c.yar': other.replace('windows', 'third'),
    'bad.yar': 'rule',
  });
  const job = await sent(next, 'file_name=previewed-2.zip&preview=true');
  assert.equal(job.status, 'done');
  const place = new URL(job.result_url!).pathname;
  const { body: preview } = await workstation.ask(place);
  assert.deepEqual(
    [preview.name, preview.version, preview.is_new, preview.change.added, preview.change.removed],
    ['previewed', '2', false, ['c.yar'], ['b.yar']],
  );
  assert.deepEqual(
    preview.change.refused.map(({ path }: { path: string }) => path),
    ['bad.yar'],
  );
  assert.deepEqual(
    preview.differences.map(({ path, lines }: { path: string; lines: { counts: object } }) => [path, lines.counts]),
    [['a.yar', { renamed: 0, changed: 0, removed: 0, added: 1 }]],
  );
  assert.equal((await detail('previewed')).version, '1');
  assert.deepEqual(
    (await packages()).imports.map((one: { is_preview: boolean }) => one.is_preview),
    [true],
  );

  const begun = await workstation.ask(place, { method: 'POST' });
  assert.equal(begun.status, 202);
  assert.equal((await workstation.jobEnd(begun.body.id)).status, 'done');
  const { version, last_change: changed } = await detail('previewed');
  assert.deepEqual([version, changed.added, changed.changed], ['2', ['c.yar'], ['a.yar']]);
  for (const method of ['GET', 'POST', 'DELETE']) assert.equal((await workstation.ask(place, { method })).status, 404);

  const again = await sent(first, 'file_name=previewed-1.zip&preview=true');
  const discarded = new URL(again.result_url!).pathname;
  assert.equal((await workstation.ask(discarded, { method: 'DELETE' })).status, 204);
  assert.equal((await workstation.ask(discarded)).status, 404);
  assert.deepEqual([(await detail('previewed')).version, (await packages()).imports], ['2', []]);
  assert.deepEqual(readdirSync(join(workstation.dataDir, 'apks/incoming')), []);
  assert.equal((await workstation.ask('/rule-packages/previewed/', { method: 'DELETE' })).status, 204);
});

test('what holds no rules fails in words, and only the owner may import', async () => {
  const job = await sent(zipOf({ 'readme.md': 'nothing' }), 'file_name=empty.zip');
  assert.match(job.error ?? '', /^It has no rules that can be used: it has no file called/);
  const damaged = await sent(`\x1f\x8b${'x'.repeat(100)}`, 'file_name=damaged.tar.gz');
  assert.match(damaged.error ?? '', /^It has no rules that can be used|^It cannot be read as rules/);
  const { count, imports } = await packages();
  assert.deepEqual([count, imports.length], [0, 2]);
  assert.deepEqual(readdirSync(join(workstation.dataDir, 'apks/incoming')), []);
});
