// Queries and changes of an APK's payloads: apps, code and scripts that it carries or that a run left. Knows no screen.
import { useQuery } from '@tanstack/react-query';
import { ask, askBytes } from './client.ts';
import { keys, orNull } from './queries.ts';
import { fixed, useAnswer, useChange } from './query-client.ts';

const childrenKey = (sha256: string) => [...keys.report(sha256), 'children'] as const;

/** The end of each of the APK's jobs has it asked for anew. */
export const useChildren = (sha256: string) =>
  useAnswer(childrenKey(sha256), 'GET /apks/<sha256>/children/', { sha256 });

/** The static report of one; null where there is none (yet). */
export const useChildReport = (sha256: string, child: string) =>
  useQuery({
    queryKey: [...childrenKey(sha256), child],
    queryFn: ({ signal }) => orNull(ask('GET /apks/<sha256>/children/<child>/report/', { sha256, child, signal })),
    ...fixed,
  });

export const childFileOf = async (sha256: string, child: string) =>
  (await askBytes('GET /apks/<sha256>/children/<child>/file/', { sha256, child })).bytes;

/** Takes an app into the catalogue. */
export const usePromotion = (sha256: string) =>
  useChange(
    (child: string) => ask('POST /apks/<sha256>/children/<child>/promote/', { sha256, child }),
    childrenKey(sha256),
  );
