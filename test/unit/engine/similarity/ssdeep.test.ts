// Fuzzy hashes against those of the tool ssdeep.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ssdeep, ssdeepOfSource } from '../../../../server/engine/similarity/ssdeep.ts';
import { compareSsdeep } from '../../../../server/services/catalogue/likeness/ssdeep-comparison.ts';
import { fileSource } from '../../../../server/vault/byte-source.ts';
import { realApks } from '../../../fixtures/real-apks.ts';
import { noise, ssdeepInputs } from '../../../fixtures/ssdeep-inputs.ts';
import { systemTool } from '../../../fixtures/system-tools.ts';
import scores from '../../../golden/similarity/ssdeep-scores.json' with { type: 'json' };
import signatures from '../../../golden/similarity/ssdeep-signatures.json' with { type: 'json' };

test('signatures of empty, tiny, boundary-sized, repetitive, zero-ended and large inputs are those of the tool', () => {
  const found = Object.fromEntries([...ssdeepInputs()].map(([name, bytes]) => [name, ssdeep(bytes)]));
  assert.deepEqual(found, signatures);
});

test('scores of alike and unlike signatures are those of the tool', () => {
  assert.ok(scores.some(([, , score]) => Number(score) > 0 && Number(score) < 100));
  for (const [first, second, score] of scores as [string, string, number][]) {
    assert.equal(compareSsdeep(first, second), score, `${first} ${second}`);
    assert.equal(compareSsdeep(second, first), score, `${second} ${first}`);
  }
});

test('what is no signature has no score', () => {
  const valid = ssdeep(noise(1000, 1));
  for (const text of ['', 'abc', '3:only', '-3:a:b', `6:${'x'.repeat(65)}:y`, '3:ä:b']) {
    assert.equal(compareSsdeep(text, valid), null, text);
  }
});

test('a file on disk gives the signature that its bytes in memory give', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ssdeep-'));
  const path = join(folder, 'file');
  for (const length of [0, 10, 700_001]) {
    const bytes = noise(length, 2);
    writeFileSync(path, bytes);
    const source = fileSource(path);
    assert.equal(ssdeepOfSource(source), ssdeep(bytes));
    source.close();
  }
  rmSync(folder, { recursive: true });
});

const tool = systemTool('ssdeep');
test('signatures of the real APKs are those of the tool', { skip: tool.skip }, () => {
  for (const path of Object.values(realApks)) {
    const [, line] = execFileSync(tool.path!, ['-s', path], { encoding: 'utf8' }).split('\n');
    const source = fileSource(path);
    assert.equal(`${ssdeepOfSource(source)},"${path}"`, line);
    source.close();
  }
});

test('a long file of zeros costs seconds at most, and gives the empty signature', () => {
  const size = 50_000_000;
  const zeros = new Uint8Array(1 << 18);
  const read = (offset: number, length: number) => zeros.subarray(0, Math.min(length, size - offset));
  const start = process.cpuUsage();
  assert.equal(ssdeepOfSource({ size, read, close: () => undefined }), '3::');
  const { user, system } = process.cpuUsage(start);
  assert.ok(user + system < 10_000_000, `${user + system} microseconds`);
});
