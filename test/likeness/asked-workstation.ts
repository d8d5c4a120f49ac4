// APKs of known groups, brought into a workstation and asked for what is like them. Knows no figures.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';
import type { Asked } from './likeness-figures.ts';

export interface GroupedApk {
  readonly name: string;
  readonly group: string;
  /** A path, or the bytes. */
  readonly file: string | Uint8Array;
}

async function analyse(workstation: TestWorkstation, file: Uint8Array): Promise<void> {
  const { body } = await workstation.upload(file);
  for (const { id, kind } of (await workstation.ask('/jobs/?limit=50')).body.results)
    if (kind !== 'static') await workstation.ask(`/jobs/${id}/cancel/`, { method: 'POST' });
  const { body: job } = await workstation.ask(`/apks/${body.sha256}/analyze_static/`);
  const { status } = await workstation.jobEnd(job.id);
  if (status !== 'done') throw new Error(`${body.sha256}: the static analysis is ${status}`);
}

/** What a workstation that has all of them, and nothing else, finds for each. Files that stand there twice are taken once. */
export async function askedForEach(apks: readonly GroupedApk[], onAnalysed?: (name: string) => void): Promise<Asked[]> {
  await using workstation = await startWorkstation();
  const bySha256 = new Map<string, GroupedApk>();
  for (const apk of apks) {
    const bytes = typeof apk.file === 'string' ? readFileSync(apk.file) : apk.file;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if (bySha256.has(sha256)) continue;
    await analyse(workstation, bytes);
    bySha256.set(sha256, apk);
    onAnalysed?.(apk.name);
  }
  const asked: Asked[] = [];
  for (const [sha256, { name, group }] of bySha256) {
    const { body } = await workstation.ask(`/apks/${sha256}/similar/`);
    const results = body.results as { apk: { sha256: string }; score: number }[];
    const found = results.map((result) => {
      const other = bySha256.get(result.apk.sha256)!;
      return { apk: other.name, group: other.group, score: result.score };
    });
    asked.push({ apk: name, group, found });
  }
  return asked;
}
