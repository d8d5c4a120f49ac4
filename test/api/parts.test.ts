// Apps that are installed as several files: taken in, searched, scanned, run and shown as the one app that they are.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { noteServerAddress } from '../../server/app/server-address.ts';
import { commandLine } from '../fixtures/program.ts';
import { splitApp } from '../fixtures/split-app.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';
import { buildZip } from '../fixtures/zip-builder.ts';

let workstation: TestWorkstation;
before(async () => {
  workstation = await startWorkstation();
  noteServerAddress(workstation.dataDir, workstation.url);
  const rules = 'rule FeatureCode { strings: $a = "Lcom/example/app/Main;" condition: uint32(0) == 0x0a786564 and $a }';
  await workstation.ask('/rulesets/', { method: 'POST', json: { name: 'of parts', rules } });
});
after(() => workstation[Symbol.asyncDispose]());

const digest = (algorithm: string, bytes: Uint8Array) => createHash(algorithm).update(bytes).digest('hex');
const sha256Of = (bytes: Uint8Array) => digest('sha256', bytes);
const detail = async (sha256: string) => (await workstation.ask(`/apks/${sha256}/`)).body;
const found = async (search: string): Promise<string[]> =>
  (await workstation.ask(`/apks/?search=${encodeURIComponent(search)}`)).body.results.map(
    ({ sha256 }: { sha256: string }) => sha256,
  );
const imported = (...paths: string[]) => {
  const options = ['--data-dir', workstation.dataDir, '--json', '--recursive', '--folder-tags'];
  // It asks the server in this process, so that this must not wait for it.
  return new Promise<{ added: number; held: number; refused: unknown[] }>((resolve, reject) => {
    execFile(process.execPath, [commandLine, 'import', ...paths, ...options], (error, stdout) => {
      if (error === null) resolve(JSON.parse(stdout));
      else reject(error);
    });
  });
};

test('an archive of split APKs is one app, which says its parts and what each adds, and is found by the hashes of all of them', async () => {
  const files = splitApp('an archive');
  const archive = buildZip({
    entries: Object.entries(files)
      .reverse()
      .map(([name, content]) => ({ name, content })),
  });
  const path = join(temporaryFolder('parts'), 'app.apks');
  writeFileSync(path, archive);
  const { added, refused } = await imported(path);
  assert.deepEqual([added, refused], [4, []]);
  const base = sha256Of(files['base.apk']!);
  const { parts, containers, package_name, sha256 } = await detail(base);
  assert.deepEqual([package_name, sha256], ['com.example.app', base]);
  assert.deepEqual(containers, [{ sha256: sha256Of(archive), name: 'app.apks' }]);
  const told = Object.fromEntries(parts.map(({ adds }: { adds: { name: string } }) => [adds.name, adds]));
  assert.deepEqual(Object.keys(told).sort(), ['config.arm64_v8a', 'config.de', 'feature']);
  assert.deepEqual([told['config.arm64_v8a'].abis, told['config.de'].languages], [['arm64-v8a'], ['de']]);
  assert.deepEqual([told.feature.is_feature, told.feature.dexes, told.feature.assets], [true, 1, 1]);

  const feature = files['split_feature.apk']!;
  for (const hash of [sha256Of(feature), digest('sha1', feature), digest('md5', feature), sha256Of(archive)])
    assert.deepEqual(await found(hash), [base]);
  assert.equal((await workstation.ask('/apks/')).body.count, 1, 'parts are no APKs of the catalogue');
});

test('its code is that of its parts: run, scanned, read and searched', async () => {
  const files = splitApp('one that runs');
  const base = (await workstation.upload(files['base.apk']!)).body.sha256;
  await workstation.server.idle();
  assert.deepEqual((await workstation.ask(`/apks/${base}/matches/`)).body?.results ?? [], []);
  const before = (await workstation.ask(`/apks/${base}/analysis/`)).body.dynamic;
  for (const [name, bytes] of Object.entries(files)) {
    if (name === 'base.apk') continue;
    const query = new URLSearchParams({ name, part_of: base });
    const { status, body } = await workstation.ask(`/uploads/?${query}`, { method: 'POST', body: Buffer.from(bytes) });
    assert.deepEqual([status, body.sha256], [201, base], 'a part is answered with its app');
  }
  await workstation.server.idle();
  const { dynamic } = (await workstation.ask(`/apks/${base}/analysis/`)).body;
  assert.equal(Object.keys(before.sendsms ?? {}).length, 0);
  assert.ok(Object.keys(dynamic.sendsms).length > 0, 'the code of the feature runs');
  const { results: children } = (await workstation.ask(`/apks/${base}/children/`)).body;
  const feature = children.find(({ ways }: { ways: { path: string }[] }) => ways[0]!.path === 'split_feature.apk');
  assert.deepEqual([feature.kind, feature.ways[0].origin, feature.status], ['apk', 'part', 'done']);
  assert.equal((await detail(base)).workstation.children?.kinds.apk ?? 0, 0, 'parts are no payloads');
  const { results: matches } = (await workstation.ask(`/apks/${base}/matches/`)).body;
  assert.deepEqual(
    matches[0].rules_matched.map(({ file }: { file: string }) => file),
    ['part:split_feature.apk!/classes.dex'],
  );
  const { body: code } = await workstation.ask(`/apks/${base}/code/class/?name=Lcom%2Fexample%2Fapp%2FMain%3B`);
  assert.match(code.smali, /sendTextMessage/);
});

test('splits that lie beside their base in a folder become its parts, those of another version or signer stay by themselves', async () => {
  const files = splitApp('a folder');
  const folder = temporaryFolder('parts');
  mkdirSync(join(folder, 'pulled'));
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, 'pulled', name), bytes);
  const { refused } = await imported(folder);
  assert.deepEqual(refused, []);
  const whole = await detail(sha256Of(files['base.apk']!));
  assert.deepEqual([whole.parts.length, whole.tags], [3, ['pulled']], 'the folder is a tag where that is wanted');

  const other = Buffer.from(files['split_config.de.apk']!);
  const query = new URLSearchParams({ name: 'split_config.de.apk', part_of: 'a'.repeat(64) });
  const alone = await workstation.ask(`/uploads/?${query}`, { method: 'POST', body: other });
  assert.equal(alone.body.sha256, sha256Of(other), 'without its base it is an APK of its own');
});

test('parts go with their app: into the trash and back, and for good, but what another app has stays', async () => {
  const [files, twin] = [splitApp('the first'), splitApp('the first')];
  twin['base.apk'] = splitApp('the second')['base.apk']!;
  const hash = sha256Of(files['split_feature.apk']!);
  const bases: string[] = [];
  for (const app of [files, twin]) {
    const base = (await workstation.upload(app['base.apk']!)).body.sha256;
    const query = new URLSearchParams({ name: 'split_feature.apk', part_of: base });
    await workstation.ask(`/uploads/?${query}`, { method: 'POST', body: Buffer.from(app['split_feature.apk']!) });
    bases.push(base);
  }
  const [first, second] = bases as [string, string];
  const isStored = () => workstation.server.store.files.inspect(hash) === 'ok';
  assert.deepEqual((await found(hash)).sort(), [...bases].sort());
  await workstation.ask(`/apks/${first}/`, { method: 'DELETE' });
  assert.deepEqual(await found(hash), [second]);
  const [{ id }] = (await workstation.ask('/trash/')).body.results;
  await workstation.ask(`/trash/${id}/restore/`, { method: 'POST', json: {} });
  assert.equal((await detail(first)).parts.length, 1);
  for (const base of bases) {
    assert.ok(isStored());
    await workstation.server.services.catalogue.remove(base, null);
  }
  assert.equal(isStored(), false);
});
