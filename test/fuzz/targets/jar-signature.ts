// Fuzz target: verifying an APK with a damaged JAR manifest, signature file or signature block.
import { Findings } from '../../../server/engine/findings.ts';
import { readSigner, verifySignatures } from '../../../server/engine/formats/apk-signature/verify.ts';
import { openZip } from '../../../server/engine/formats/zip/archive.ts';
import { memorySource } from '../../../server/vault/byte-source.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { buildZip } from '../../fixtures/zip-builder.ts';
import { appEntries } from '../app-entries.ts';
import type { FuzzTarget } from '../target.ts';

const entries = appEntries(realApks.unlock);
const names = ['META-INF/CERT.RSA', 'META-INF/CERT.SF', 'META-INF/MANIFEST.MF'];

export const target: FuzzTarget = {
  subject: ['engine/formats/apk-signature/', 'engine/formats/x509/'],
  samples: () => names.map((name) => entries.get(name)!),
  run(bytes) {
    for (const damaged of names) {
      const apk = buildZip({
        entries: [...entries].map(([name, content]) => ({ name, content: name === damaged ? bytes : content })),
      });
      const archive = openZip(memorySource(apk), new Findings());
      readSigner(archive);
      verifySignatures(archive, 10);
    }
  },
};
