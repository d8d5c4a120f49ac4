// Fuzz target: reading a certificate and describing it.
import { X509Certificate } from 'node:crypto';
import { parseSignedData } from '../../../server/engine/formats/apk-signature/pkcs7.ts';
import { parseCertificate } from '../../../server/engine/formats/x509/certificate.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { appEntries } from '../app-entries.ts';
import type { FuzzTarget } from '../target.ts';

export const target: FuzzTarget = {
  subject: ['engine/formats/x509/'],
  samples: () =>
    [realApks.unlock, realApks.uiautomator2Test].map((path) => {
      const block = [...appEntries(path)].find(([name]) => name.endsWith('.RSA'))![1];
      return Buffer.from(new X509Certificate(parseSignedData(block).certificates[0]!.encoded).raw);
    }),
  run(bytes) {
    parseCertificate(bytes).record();
  },
};
