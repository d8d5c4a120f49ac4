// Analyses what came out of one file, without a server: each child, and what they mean for the file. Prints nothing.
import type { FileReference, LeftFiles } from '../contract/engine/analysis-results.ts';
import { type Child, childName } from '../contract/engine/child.ts';
import type { Finding } from '../contract/findings/finding.ts';
import type { WorkerPool } from '../jobs/worker-pool.ts';
import { type JudgedChild, judged, payloadFindings, withMatches } from '../services/triage/payload-findings.ts';
import type { MatchEvidence } from '../services/triage/risk.ts';

/** As `GET /apks/<sha256>/children/` shows it, without what only a catalogue knows. */
export interface AnalyzedChild extends Child, Omit<JudgedChild, 'child'> {
  status: 'done' | 'failed';
  error: string | null;
}

type JudgedFile = JudgedChild & Pick<AnalyzedChild, 'status' | 'error'>;

const unread = { findings: 0, severity: null, risk: null };

/** Before rules are asked. @returns null where the file could not be looked into */
export async function analyzeChildren(
  pool: WorkerPool,
  file: FileReference,
  sha256: string,
  left: LeftFiles,
): Promise<JudgedFile[] | null> {
  const found = await pool.run({ kind: 'children', file, sha256, left });
  if (found.status === 'failed') return null;
  const analyzed: JudgedFile[] = [];
  for (const child of found.result.results) {
    const name = childName(child.ways[0]!);
    const reply = await pool.run({ kind: 'child', file, left, name, type: child.kind });
    if (reply.status === 'failed') analyzed.push({ child, ...unread, status: 'failed', error: reply.message });
    else analyzed.push({ child, ...judged(reply.result), status: 'done', error: null });
  }
  return analyzed;
}

/** What they mean for the file that they came out of, by what rules say of it and of them. */
export function sumUp(
  analyzed: readonly JudgedFile[],
  matches: readonly MatchEvidence[],
): { children: AnalyzedChild[]; findings: Finding[] } {
  const weighed = withMatches(analyzed, matches);
  const children = weighed.map(({ child, ...rest }) => ({
    ...child,
    ...rest,
    risk: child.kind === 'apk' ? rest.risk : null,
  }));
  return { children, findings: payloadFindings(weighed) };
}
