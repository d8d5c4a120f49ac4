// Filters a list by text without holding up the typing. Knows nothing of the items.
import { useDeferredValue, useMemo, useState } from 'react';

export interface FilteredList<T = unknown> {
  filter: string;
  setFilter: (filter: string) => void;
  shown: readonly T[];
  /** How many there are without the filter. */
  total: number;
  /** The filter that the shown items passed: the key of their list, which shows them from the first then. */
  applied: string;
}

/**
 * Keeps the items whose text holds every word of the filter, case-insensitively.
 * @param textOf must be stable between renders
 */
export function useFilter<T>(items: readonly T[], textOf: (item: T) => string): FilteredList<T> {
  const [filter, setFilter] = useState('');
  const deferred = useDeferredValue(filter);
  const shown = useMemo(() => {
    const words = deferred.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return items;
    return items.filter((item) => {
      const text = textOf(item).toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }, [items, textOf, deferred]);
  return { filter, setFilter, shown, total: items.length, applied: deferred };
}
