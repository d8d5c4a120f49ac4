// What a static analysis unpacks serves the index of contents too, which knows the same of the files as when it reads them itself.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { filePrints } from '../../../server/engine/content-index/file-prints.ts';
import { packedStatic } from '../../../server/engine/static-task.ts';
import { packedReportPrints } from '../../../server/engine/yara/report-prints.ts';
import { fileSource } from '../../../server/vault/byte-source.ts';
import { packPrints } from '../../../server/vault/packed-prints.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { buildZip, type ZipEntryPlan } from '../../fixtures/zip-builder.ts';

const folder = temporaryFolder('static-task');
const analysed = (path: string, prints?: boolean) =>
  packedStatic({ kind: 'static', file: { kind: 'plain', path }, fileName: 'a.apk', prints }, () => undefined);

function printsOfItsOwnPass(path: string, { reports }: ReturnType<typeof analysed>): Uint8Array {
  const source = fileSource(path);
  const prints = filePrints(source, [], packedReportPrints(reports.androguard), () => undefined);
  source.close();
  return packPrints(prints);
}

function builtApk(name: string, entries: ZipEntryPlan[]): string {
  const path = join(folder, name);
  const manifest = { name: 'AndroidManifest.xml', method: 8, content: Buffer.from('no manifest, but a name of one') };
  writeFileSync(path, buildZip({ entries: [manifest, ...entries] }));
  return path;
}
const text = (words: string): ZipEntryPlan => ({
  name: `assets/${words}`,
  method: 8,
  content: Buffer.from(`${words} `.repeat(9)),
});
const inner = () =>
  buildZip({
    entries: [text('a text inside'), { name: 'classes.dex', method: 0, content: Buffer.from('dex\n035\0 and more') }],
  });

for (const path of [
  ...[realApks.unlock, realApks.settings, realApks.apiDemos],
  builtApk('plain.apk', [
    text('first of all'),
    { name: 'assets/', method: 0, content: Buffer.alloc(0) },
    text('last of all'),
  ]),
  builtApk('carrying.apk', [
    text('first of all'),
    { name: 'assets/a.apk', method: 8, content: inner() },
    text('last of all'),
  ]),
]) {
  test(`fingerprints that come with the report of ${path.split('/').at(-1)} are those of a pass of their own`, () => {
    const result = analysed(path, true);
    assert.deepEqual(result.prints, printsOfItsOwnPass(path, result));
    assert.equal(analysed(path).prints, undefined);
  });
}

test('an APK of which not all can be read as it says comes without fingerprints: it is read by itself', () => {
  const short = builtApk('short.apk', [{ ...text('shorter than it says'), size: 5000 }]);
  assert.equal(analysed(short, true).prints, undefined);
});
