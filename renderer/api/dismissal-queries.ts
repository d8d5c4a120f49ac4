// Dismissals of findings and rules' matches: what holds for an APK, all of them, new ones, undoing. Knows no screen.
import { useMutation } from '@tanstack/react-query';
import type { NewDismissal } from '../../server/contract/catalogue/dismissal.ts';
import { ask } from './client.ts';
import { askAnew, toldByForm, useAnswer, useChange, useCursorList } from './query-client.ts';

/** Everything that is asked about dismissals begins with it: an event renews them all. */
export const dismissalsKey = ['dismissals'] as const;

export const useHeldDismissals = (sha256: string) =>
  useAnswer([...dismissalsKey, 'of', sha256], 'GET /apks/<sha256>/dismissals/', { sha256 });

export const useDismissals = (isUndone: boolean) =>
  useCursorList([...dismissalsKey, 'all', isUndone], ({ query, signal }) =>
    ask('GET /dismissals/', { query: { ...query, is_undone: isUndone }, signal }),
  );

export const useDismiss = () =>
  useMutation({
    mutationFn: (body: NewDismissal) => ask('POST /dismissals/', { body }),
    onSuccess: () => askAnew(dismissalsKey),
    meta: toldByForm,
  });

export const useUndoDismissal = () => useChange((id: string) => ask('DELETE /dismissals/<id>/', { id }), dismissalsKey);
