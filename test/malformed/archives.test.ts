import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Findings } from '../../server/engine/findings.ts';
import { FormatError } from '../../server/engine/formats/byte-reader.ts';
import { openZip } from '../../server/engine/formats/zip/archive.ts';
import { fileSource, memorySource } from '../../server/vault/byte-source.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { systemTool } from '../fixtures/system-tools.ts';
import { malformedArchives } from './archives.ts';

const original = openZip(fileSource(realApks.unlock), new Findings());
const manifest = original.read(original.get('AndroidManifest.xml')!);
const folder = mkdtempSync(join(tmpdir(), 'malformed-'));
after(() => rmSync(folder, { recursive: true }));
const aapt = systemTool('aapt');

for (const { title, bytes, findings: expected, isReadable } of malformedArchives(manifest)) {
  test(`${title}: the manifest is ${isReadable ? 'read' : 'refused'}, findings: ${expected.join(', ') || 'none'}`, () => {
    const findings = new Findings();
    const zip = openZip(memorySource(bytes), findings);
    const read = () => zip.read(zip.get('AndroidManifest.xml')!);
    if (isReadable) assert.ok(Buffer.from(read()).equals(manifest));
    else assert.throws(read, FormatError);
    assert.deepEqual([...new Set(findings.list().map(({ code }) => code))].sort(), expected);
  });

  test(`${title}: what Android’s own reader takes, ours takes as well, and what it refuses in a header is told`, {
    skip: aapt.skip,
  }, () => {
    const path = join(folder, 'sample.apk');
    writeFileSync(path, bytes);
    const { stdout } = spawnSync(aapt.path!, ['dump', 'permissions', path], { encoding: 'utf8' });
    const isTaken = stdout.includes('package: io.appium.unlock');
    if (isTaken) assert.equal(isReadable, true);
    if (expected.join() !== 'zip-local-header-mismatch') return;
    const findings = new Findings();
    const zip = openZip(memorySource(bytes), findings);
    zip.read(zip.get('AndroidManifest.xml')!);
    assert.equal(findings.list()[0]!.evidence.endsWith('; Android does not open the file'), !isTaken);
  });
}
