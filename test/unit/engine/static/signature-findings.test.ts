// What the signatures and the signing block say.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyzeStatic } from '../../../../server/engine/static/static-report.ts';
import { memorySource } from '../../../../server/vault/byte-source.ts';
import { signedApk, signingBlock, usualSigner, v2Pair } from '../../../fixtures/apk-signing.ts';
import { buildAxml, element } from '../../../fixtures/axml-builder.ts';
import { buildZip } from '../../../fixtures/zip-builder.ts';

const ids = { padding: 0x42726577, channel: 0x71777777, unknown: 0x13371337 };

/** What is found of a signing block with one pair of so many bytes. */
function foundOf(id: number, size: number): string[] {
  const manifest = buildAxml(element('manifest', { package: 'com.example.app' }));
  const zip = buildZip({
    entries: [{ name: 'AndroidManifest.xml', content: manifest }],
    beforeDirectory: signingBlock([[id, Buffer.alloc(size)]]),
  });
  return analyzeStatic(memorySource(zip), { fileName: 'sample.apk' })
    .androguard.findings.filter(({ code }) => code === 'signature-block-data')
    .map(({ where, evidence }) => `${where}: ${evidence}`);
}

test('kilobytes under an unknown id of the signing block are a finding, also in an unsigned app', () => {
  assert.deepEqual(foundOf(ids.unknown, 1025), ['signing block 0x13371337: 1025 bytes']);
  assert.deepEqual(foundOf(ids.unknown, 1024), [], 'a note of a store or a build');
  assert.deepEqual(foundOf(ids.channel, 5000), [], 'known');
});

test('padding of the signing block is one up to a page', () => {
  assert.deepEqual(foundOf(ids.padding, 4096), []);
  assert.deepEqual(foundOf(ids.padding, 4097), ['signing block 0x42726577: 4097 bytes padding']);
});

test('an app that Android 7 installs and older versions refuse is told apart from one that none installs', () => {
  const foundIn = (apk: Buffer) =>
    analyzeStatic(memorySource(apk), { fileName: 'sample.apk' })
      .androguard.findings.filter(({ code }) => code.startsWith('signature-fails'))
      .map(({ code, evidence }) => `${code} ${evidence.slice(0, 41)}`);
  const signed = (minSdk: number) => signedApk({ minSdk }, (zip) => [v2Pair(zip, usualSigner())]);
  assert.deepEqual(foundIn(signed(24)), []);
  assert.deepEqual(foundIn(signed(19)), ['signature-fails-before Android before API level 24: no signature']);
  const changed = signed(19);
  changed[60]! ^= 1;
  assert.deepEqual(foundIn(changed).length, 1);
  assert.match(foundIn(changed)[0]!, /^signature-fails /);
});
