// What checking one signature scheme gives. Knows no scheme.
import type { SchemeVerdict } from '../../../contract/engine/reports.ts';
import { Issues } from './issues.ts';
import type { LineageNode } from './lineage.ts';
import type { ContentDigestKind } from './signature-algorithms.ts';
import type { Signer } from './signer-block.ts';

export class SchemeResult {
  readonly scheme: SchemeVerdict['scheme'];
  readonly issues = new Issues();
  signers: Signer[] = [];
  /** Proof of rotation over all signers, oldest first. */
  lineage: LineageNode[] = [];

  constructor(scheme: SchemeVerdict['scheme']) {
    this.scheme = scheme;
  }

  /** Content digests that its signers rely on. */
  digestsToVerify(): Set<ContentDigestKind> {
    return new Set(this.signers.flatMap((signer) => [...signer.digestsToVerify]));
  }

  verdict(isChecked = true): SchemeVerdict {
    return {
      scheme: this.scheme,
      present: true,
      verified: isChecked ? !this.issues.hasErrors : null,
      errors: isChecked ? this.issues.errors : [],
      warnings: isChecked ? this.issues.warnings : [],
      signers: this.signers.map((signer) => ({
        certificates: signer.certificates.map((certificate) => certificate.record()),
        algorithms: signer.algorithms,
        min_sdk_version: signer.minSdkVersion,
        max_sdk_version: signer.maxSdkVersion,
      })),
    };
  }
}
