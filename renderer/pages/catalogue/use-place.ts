// Where the reader is in the catalogue: the row under the keyboard and the first in view, and the keys that move. Knows rows
// by index, not what they show.
import { type RefObject, useCallback, useState } from 'react';
import { useNavigate } from 'react-router';
import type { VirtualRowsHandle } from '../../components/table/virtual-rows.tsx';
import { useShortcut } from '../../shortcuts/shortcuts.ts';
import { texts } from '../../texts.ts';
import type { Catalogue } from './use-catalogue.ts';

/** By search: coming back from an APK must not begin at the top again. */
const currentBySearch = new Map<string, number>();
const firstInViewBySearch = new Map<string, number>();

/** @param key of the search and its order */
export function usePlace(
  key: string,
  { count, onRange: onCatalogueRange }: Catalogue,
  list: RefObject<VirtualRowsHandle | null>,
) {
  const [current, setCurrent] = useState(currentBySearch.get(key) ?? -1);
  const onRange = useCallback(
    (first: number, last: number) => {
      firstInViewBySearch.set(key, first);
      onCatalogueRange(first, last);
    },
    [key, onCatalogueRange],
  );
  const moveTo = (index: number) => {
    const next = Math.max(0, Math.min(count - 1, index));
    currentBySearch.set(key, next);
    setCurrent(next);
    list.current?.scrollToRow(next);
  };
  return { current, firstInView: firstInViewBySearch.get(key) ?? 0, onRange, moveTo };
}

interface PlaceKeys extends Pick<Catalogue, 'count' | 'rowAt'> {
  current: number;
  moveTo: (index: number) => void;
}

export function usePlaceKeys({ current, count, rowAt, moveTo }: PlaceKeys): void {
  const navigate = useNavigate();
  const words = texts.shortcuts;
  useShortcut(words.list, ['j', 'ArrowDown'], words.next, () => moveTo(current + 1));
  useShortcut(words.list, ['k', 'ArrowUp'], words.previous, () => moveTo(current - 1));
  useShortcut(words.list, ['g g', 'Home'], words.first, () => moveTo(0));
  useShortcut(words.list, ['G', 'End'], words.last, () => moveTo(count - 1));
  useShortcut(words.list, ['PageDown'], words.twentyOn, () => moveTo(current + 20));
  useShortcut(words.list, ['PageUp'], words.twentyBack, () => moveTo(current - 20));
  useShortcut(words.list, ['Enter', 'o'], words.open, () => {
    const apk = rowAt(current);
    if (apk !== undefined) void navigate(`/apks/${apk.sha256}`);
  });
}
