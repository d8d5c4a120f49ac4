// What triage tells of one APK, and what of its analysis is kept for the next run. Knows neither files nor other APKs.
import { basename } from 'node:path';
import type { FileReference } from '../../contract/engine/analysis-results.ts';
import type { CodeSketch } from '../../contract/engine/code-sketch.ts';
import type { CodeUse } from '../../contract/engine/evidence.ts';
import type { Finding } from '../../contract/findings/finding.ts';
import type { WorkerPool } from '../../jobs/worker-pool.ts';
import { type WeighedRisk, weighRisk } from '../../services/triage/risk.ts';
import { analyzeChildren, sumUp } from '../analyzed-children.ts';

/** What the engine says of an APK, as far as triage needs it. */
export interface ApkEvidence {
  status: 'done' | 'partial';
  packageName: string;
  appName: string;
  versionName: string;
  company: string;
  /** SHA-256 of the signer's certificate, upper-case hex; null where there is none. */
  signer: string | null;
  findings: Finding[];
  uses: CodeUse[];
  sketch: CodeSketch | null;
}

export interface TriageFailure {
  code: string;
  message: string;
}

/** Another APK of the run that has code in common with one. */
export interface Neighbour {
  sha256: string;
  file: string;
  /** 0 to 1 */
  score: number;
  reason: string;
}

/** One line of the table. Files with the same content share it. */
export interface TriagedApk {
  sha256: string;
  /** As they were named, the first one's analysis is the one that counts. */
  files: string[];
  evidence: ApkEvidence;
  risk: WeighedRisk;
  /** Of APKs of the run whose own code is much the same; null where there is no other. */
  family: { name: string; members: number } | null;
  neighbours: Neighbour[];
}

/** Static analysis of a file and of what it carries, as `analyze` makes it. */
export async function evidenceOf(pool: WorkerPool, path: string, sha256: string): Promise<ApkEvidence | TriageFailure> {
  const file: FileReference = { kind: 'plain', path };
  const reply = await pool.run({ kind: 'static', file, fileName: basename(path) });
  if (reply.status === 'failed') return { code: reply.code, message: reply.message };
  const { identity, findings, uses, sketch, carriesCode } = reply.result;
  const payloads = carriesCode ? await analyzeChildren(pool, file, sha256, []) : null;
  const { packageName, appName, versionName, company, signer } = identity;
  return {
    status: reply.status,
    ...{ packageName, appName, versionName, company, signer: signer?.sha256 ?? null },
    findings: [...findings, ...sumUp(payloads ?? [], []).findings],
    ...{ uses, sketch },
  };
}

/** By the same weights as a workstation's, which knows more besides. */
export const riskOf = ({ findings, uses }: ApkEvidence): WeighedRisk =>
  weighRisk({ findings, uses, matches: [], antivirus: [] });
