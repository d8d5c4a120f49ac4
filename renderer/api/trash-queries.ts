// The trash: what lies in it, bringing it back, deleting it for good. Knows no screen.
import { useMutation } from '@tanstack/react-query';
import { ask } from './client.ts';
import { askAnew, useChange, useCursorList } from './query-client.ts';

const trashKey = ['trash'] as const;
/** Lists that something comes back to. */
const lists = [trashKey, ['catalogue-head'], ['facets'], ['rulesets'], ['apk']] as const;

export const useTrash = () => useCursorList(trashKey, (asked) => ask('GET /trash/', asked));

export const useRestore = () =>
  useMutation({
    mutationFn: (id: string) => ask('POST /trash/<id>/restore/', { id, body: {} }),
    onSuccess: () => askAnew(...lists),
  });

/** Brings back what was deleted, by the SHA-256 of APKs or the ids of rulesets. @returns how much there was */
export async function restoreDeleted(subjects: readonly string[]): Promise<number> {
  let restored = 0;
  for (const subject of subjects) {
    const [item] = (await ask('GET /trash/', { query: { subject } })).results;
    if (item === undefined) continue;
    await ask('POST /trash/<id>/restore/', { id: item.id, body: {} });
    restored += 1;
  }
  await askAnew(...lists);
  return restored;
}

export const useDeleteForGood = () => useChange((id: string) => ask('DELETE /trash/<id>/', { id }), trashKey);
export const useEmptyTrash = () => useChange(() => ask('DELETE /trash/'), trashKey);
