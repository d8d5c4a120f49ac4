// Sends files of an import with progress, which can be cancelled. Knows nothing of what is in them.
import { type QueryKey, useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { tellError } from '../components/form/tell-error.ts';
import { ApiError } from './client.ts';
import { askAnew, toldByForm } from './query-client.ts';
import type { UploadHandlers } from './upload.ts';

/**
 * Sends files of an import.
 * @param send also says how far it is
 * @property sent share of their bytes; null: none is on its way
 */
export function useSending<Given>(send: (given: Given, handlers: UploadHandlers) => Promise<unknown>, stale: QueryKey) {
  const [sent, setSent] = useState<number | null>(null);
  const transfer = useRef(new AbortController());
  const { mutate, error } = useMutation({
    mutationFn: (given: Given) => {
      transfer.current = new AbortController();
      return send(given, { onProgress: setSent, signal: transfer.current.signal });
    },
    onMutate: () => setSent(0),
    onSettled: () => {
      setSent(null);
      return askAnew(stale);
    },
    onError: (failed) => {
      // Whoever cancelled it knows; what is wrong with a field stands at it.
      const isTold = failed.name === 'AbortError' || (failed instanceof ApiError && failed.status === 400);
      if (!isTold) tellError(failed);
    },
    meta: toldByForm,
  });
  useEffect(() => () => transfer.current.abort(), []);
  return {
    sent,
    error,
    start: (given: Given, onSent: () => void) => mutate(given, { onSuccess: onSent }),
    cancel: () => transfer.current.abort(),
  };
}
