// What analysts say APKs are: the history, and a new word. Knows no screen.
import { useMutation } from '@tanstack/react-query';
import type { NewVerdict } from '../../server/contract/catalogue/verdict.ts';
import { useTriageQueue } from '../state/triage-queue.ts';
import { ask } from './client.ts';
import { keys } from './queries.ts';
import { askAnew, useCursorList } from './query-client.ts';

const historyKey = (sha256: string) => ['verdicts', sha256] as const;

export const useVerdictHistory = (sha256: string) =>
  useCursorList(historyKey(sha256), (asked) => ask('GET /apks/<sha256>/verdicts/', { sha256, ...asked }));

/** Says what an APK is; it changes the record as well. */
export const useJudge = () =>
  useMutation({
    mutationFn: ({ sha256, ...body }: NewVerdict & { sha256: string }) =>
      ask('PUT /apks/<sha256>/verdict/', { sha256, body }),
    onSuccess: (_, { sha256 }) => {
      useTriageQueue.getState().noteJudged(sha256);
      return askAnew(keys.apk(sha256), historyKey(sha256), ['facets'], ['completions']);
    },
  });
