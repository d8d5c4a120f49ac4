// Fuzz target: verifying an APK whose signing block or archive is damaged.
import { readFileSync } from 'node:fs';
import { Findings } from '../../../server/engine/findings.ts';
import { readSigner, signatureName, verifySignatures } from '../../../server/engine/formats/apk-signature/verify.ts';
import { openZip } from '../../../server/engine/formats/zip/archive.ts';
import { memorySource } from '../../../server/vault/byte-source.ts';
import { pairId } from '../../fixtures/apk-signing.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { builtSignedZip } from '../built-inputs.ts';
import { zipFields } from '../fields.ts';
import type { FuzzTarget } from '../target.ts';

const blockMagic = 'APK Sig Block 42';

export const target: FuzzTarget = {
  subject: ['engine/formats/apk-signature/'],
  samples: () => [readFileSync(realApks.uiautomator2Test)],
  hotspots(sample) {
    // The block's content begins within its last four kilobytes.
    const end = Buffer.from(sample).lastIndexOf(blockMagic) + blockMagic.length;
    return Array.from({ length: 64 }, (_, index) => Math.max(0, end - 64 * (index + 1)));
  },
  fields: zipFields,
  generate: (random) => builtSignedZip(Object.values(pairId), random),
  run(bytes) {
    const archive = openZip(memorySource(bytes), new Findings());
    readSigner(archive);
    signatureName(archive);
    verifySignatures(archive, 21);
  },
};
