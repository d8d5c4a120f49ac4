// APKs that are like another, in the shape that is sent.
import type { SimilarApks } from '../../contract/catalogue/similar-apk.ts';
import type { SimilarApk } from '../../services/catalogue/similar-apks.ts';
import { presentApk } from './apk.ts';
import type { Presenting } from './presenting.ts';

export function presentSimilarApks(presenting: Presenting, similar: readonly SimilarApk[]): SimilarApks {
  const results = similar.map(({ apk, score, kinds, reason }) => ({
    apk: presentApk(presenting, apk),
    score,
    kinds,
    reason,
  }));
  return { count: results.length, results };
}
