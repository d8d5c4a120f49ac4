// APKs that independent tools signed have the verdicts, signers and lineage that apksigner printed for them.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Findings } from '../../../../../server/engine/findings.ts';
import { readSigner, verifySignatures } from '../../../../../server/engine/formats/apk-signature/verify.ts';
import { openZip } from '../../../../../server/engine/formats/zip/archive.ts';
import { fileSource } from '../../../../../server/vault/byte-source.ts';

const folder = join(import.meta.dirname, '../../../../golden/apk-signature/apks');

/** Names as apksigner prints them: the last attribute first, values quoted where they need it. */
const javaName = (line: string): string =>
  line
    .split('/')
    .slice(1)
    .map((part) => (part.includes(',') ? part.replace('=', '="').concat('"') : part))
    .reverse()
    .join(', ');

const capabilities = [
  ['installed-data', 'installed data'],
  ['shared-uid', 'shared UID'],
  ['permission', 'permission'],
  ['rollback', 'rollback'],
  ['auth', 'auth'],
] as const;

for (const file of readdirSync(folder).filter((each) => each.endsWith('.apk'))) {
  test(`${file} is what apksigner says it is`, () => {
    const expected = readFileSync(join(folder, file.replace('.apk', '.txt')), 'utf8');
    const minSdk = Number(/min-sdk-version: (\d+)/.exec(expected)?.[1]);
    const archive = openZip(fileSource(join(folder, file)), new Findings());
    const report = verifySignatures(archive, minSdk);
    assert.match(expected, /^Verifies$/m);
    assert.equal(report.verified, true, JSON.stringify(report.errors));
    for (const { scheme, verified } of report.schemes) {
      if (scheme === 'v3.1') continue;
      assert.equal(verified === true, new RegExp(`using ${scheme} scheme.*: true`).test(expected), scheme);
    }
    const printed = (what: string) =>
      [...expected.matchAll(new RegExp(`^Signer #\\d+ ${what}: (.*)$`, 'gm'))].map((match) => match[1]);
    const own = report.signers.map(([certificate]) => certificate!);
    assert.deepEqual(
      own.map(({ sha256 }) => sha256.toLowerCase()),
      printed('certificate SHA-256 digest'),
    );
    assert.deepEqual(
      own.map(({ sha1 }) => sha1.toLowerCase()),
      printed('certificate SHA-1 digest'),
    );
    assert.deepEqual(own.map(({ subjectDN }) => javaName(subjectDN)).sort(), printed('certificate DN').sort());
    assert.deepEqual(
      own.map((each) => each.public_key_sha256.toLowerCase()),
      printed('public key SHA-256 digest'),
    );
    const inLineage = report.lineage.map(({ certificate }) => certificate.sha256.toLowerCase());
    assert.deepEqual(inLineage, printed('in lineage certificate SHA-256 digest'));
    const flags = report.lineage.map((node) => capabilities.map(([flag]) => node.flags.includes(flag)));
    const printedFlags = capabilities.map(([, text]) =>
      [...expected.matchAll(new RegExp(`^Has ${text} capability *: (true|false)$`, 'gm'))].map(
        (match) => match[1] === 'true',
      ),
    );
    assert.deepEqual(
      flags,
      report.lineage.map((_, index) => printedFlags.map((values) => values[index])),
    );
    const signer = readSigner(archive)?.certificate.record();
    assert.deepEqual(signer, report.signers[0]?.[0]);
  });
}
