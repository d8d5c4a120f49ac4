// What an APK's signatures say that an analyst should know. Knows no manifest.
import type { CertificateRecord, SignatureReport } from '../../contract/engine/reports.ts';
import type { Findings } from '../findings.ts';

/**
 * Keys whose private half is public: the ones of AOSP's build/target/product/security, by SHA-1 of the certificate.
 * https://android.googlesource.com/platform/build/+/refs/heads/main/target/product/security/
 */
const publicKeys: Readonly<Record<string, string>> = {
  '61ED377E85D386A8DFEE6B864BD85B0BFAA5AF81': 'testkey',
  '27196E386B875E76ADF700E7EA84E4C6EEE33DFA': 'platform',
  '5B368CFF2DA2686996BC95EAC190EAA4F5630FE5': 'shared',
  B79DF4A82E90B57EA76525AB7037AB238A42F5D3: 'media',
};
const weakRsaBits = 1024;
/** Names of sales channels take less. */
const maxNoteSize = 1024;
/** Fills the block up to a page. */
const maxPaddingSize = 4096;

/**
 * Reports verdict, kind and age of the signatures.
 * @param acceptedFrom the API level from which on Android installs an app whose signatures older versions refuse
 * @param now milliseconds since 1970
 */
export function reportSignature(
  report: SignatureReport,
  acceptedFrom: number | null,
  findings: Findings,
  now: number,
): void {
  reportBlock(report, findings);
  const present = report.schemes.filter((scheme) => scheme.present);
  if (present.length === 0) {
    findings.add('signature-missing', 'signature', 'no signature of any scheme');
    return;
  }
  if (!report.verified) {
    const errors = [...report.errors, ...present.flatMap((scheme) => scheme.errors)];
    const first = errors[0];
    const reason = first === undefined ? 'no signature that it knows' : `${first.code}: ${first.message}`;
    if (acceptedFrom === null) findings.add('signature-fails', 'signature', reason);
    else findings.add('signature-fails-before', 'signature', `Android before API level ${acceptedFrom}: ${reason}`);
  }
  if (present.length === 1 && present[0]!.scheme === 'v1') {
    findings.add('signature-v1-only', 'signature', 'JAR signing alone: files can be added where it does not look');
  }
  for (const chain of report.signers) {
    const [certificate] = chain;
    if (certificate !== undefined) reportCertificate(certificate, findings, now);
  }
  if (report.lineage.length > 1) {
    findings.add('signature-rotated', 'signature', `${report.lineage.length} certificates in the lineage`);
  }
}

function reportBlock({ signing_block: pairs }: SignatureReport, findings: Findings): void {
  for (const { id, name, size } of pairs) {
    const isUsual = name === 'padding' ? size <= maxPaddingSize : name !== '' || size <= maxNoteSize;
    if (!isUsual) findings.add('signature-block-data', `signing block ${id}`, `${size} bytes ${name}`.trim());
  }
}

function reportCertificate(certificate: CertificateRecord, findings: Findings, now: number): void {
  const place = `certificate ${certificate.sha1}`;
  if (Object.hasOwn(publicKeys, certificate.sha1)) {
    const evidence = `the public ${publicKeys[certificate.sha1]} key of the Android source code`;
    findings.add('signature-public-key', place, evidence);
  } else if (/\/CN=Android Debug(?:\/|$)/.test(certificate.subjectDN)) {
    findings.add('signature-debug-certificate', place, certificate.subjectDN);
  }
  const bits = /^RSA (\d+)$/.exec(certificate.public_key)?.[1];
  if (bits !== undefined && Number(bits) <= weakRsaBits) {
    findings.add('signature-weak-key', place, certificate.public_key);
  }
  if (/md5/i.test(certificate.signature_algorithm)) {
    findings.add('signature-weak-algorithm', place, certificate.signature_algorithm);
  } else if (/sha-?1(?!\d)/i.test(certificate.signature_algorithm)) {
    findings.add('signature-weak-algorithm', place, certificate.signature_algorithm, 'info');
  }
  const end = Date.parse(certificate.not_after);
  if (end < now) findings.add('signature-expired', place, `valid until ${certificate.not_after}`);
}
