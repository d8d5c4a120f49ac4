// Fuzz target: signature blocks of JAR signing, which are PKCS #7.
import { parseSignedData } from '../../../server/engine/formats/apk-signature/pkcs7.ts';
import { parseCertificate } from '../../../server/engine/formats/x509/certificate.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { appEntries } from '../app-entries.ts';
import type { FuzzTarget } from '../target.ts';

export const target: FuzzTarget = {
  subject: ['engine/formats/apk-signature/pkcs7', 'engine/formats/x509/'],
  samples: () =>
    [realApks.unlock, realApks.unicodeIme].map(
      (path) => [...appEntries(path)].find(([name]) => /\.(?:RSA|DSA|EC)$/.test(name))![1],
    ),
  run(bytes) {
    const { certificates } = parseSignedData(bytes);
    return certificates.map(({ encoded }) => parseCertificate(encoded).record());
  },
};
