// Which rows of the catalogue are chosen, and the keys that choose. Knows rows by index, not how they look.
import { useCallback, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { CatalogueList } from '../../api/queries.ts';
import { useShortcut } from '../../shortcuts/shortcuts.ts';
import { texts } from '../../texts.ts';
import { compareTexts } from '../compare/texts.ts';
import { type Choice, comparisonOf } from './choice.ts';
import { bulkTexts } from './texts.ts';
import type { Catalogue } from './use-catalogue.ts';

const none: Choice = { kind: 'some', apks: new Map() };

export function useChoice({ rowAt, count }: Catalogue, list: CatalogueList) {
  const [choice, setChoice] = useState(none);
  /** Where the last row was chosen: a range begins there. */
  const lastChosen = useRef(-1);
  const chooseApk = useCallback(
    (index: number, isRange: boolean) => {
      const start = isRange && lastChosen.current >= 0 ? lastChosen.current : index;
      lastChosen.current = index;
      setChoice((known) => {
        const apks = new Map(known.kind === 'some' ? known.apks : []);
        const target = rowAt(index);
        const isAdding = known.kind === 'all' || target === undefined || !apks.has(target.sha256);
        for (let at = Math.min(start, index); at <= Math.max(start, index); at++) {
          const apk = rowAt(at);
          if (apk === undefined) continue;
          if (isAdding) apks.set(apk.sha256, apk);
          else apks.delete(apk.sha256);
        }
        return { kind: 'some', apks };
      });
    },
    [rowAt],
  );
  return {
    choice,
    chooseApk,
    chooseNone: () => setChoice(none),
    chooseAll: () => setChoice({ kind: 'all', list, count }),
  };
}

interface ChoiceKeys {
  choice: Choice;
  chooseAll: () => void;
  chooseNone: () => void;
  /** Of the row under the keyboard. */
  toggle: () => void;
}

export function useChoiceKeys({ choice, chooseAll, chooseNone, toggle }: ChoiceKeys): void {
  const navigate = useNavigate();
  const { list: group } = texts.shortcuts;
  useShortcut(group, ['x'], bulkTexts.toggle, toggle);
  useShortcut(group, ['*'], bulkTexts.chooseAll, chooseAll);
  useShortcut(group, ['Escape'], bulkTexts.none, chooseNone);
  useShortcut(group, ['c'], compareTexts.shortcut, () => {
    const comparison = comparisonOf(choice);
    if (comparison !== null) void navigate(comparison);
  });
}
