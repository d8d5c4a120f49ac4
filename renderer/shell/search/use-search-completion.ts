// What can stand next in the search text, and the keys by which it is taken. Knows nothing of the search's syntax.
import { useDebouncedValue } from '@mantine/hooks';
import { type ChangeEvent, type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Completion, Completions } from '../../../server/contract/catalogue/completion.ts';
import { useCompletions } from '../../api/catalogue-queries.ts';

/** Milliseconds without a key after which completions are asked for. */
const completionDelay = 120;
/** Behind a letter or more; before it every field is listed. */
const maxShown = 14;

const nothing: Completions = { from: 0, to: 0, completions: [] };

/**
 * What the last answer offers for the text as it is now: all of it where that is what was asked, and what goes on from the
 * letters that came since.
 */
function offeredFor(known: { text: string; answer: Completions } | null, text: string, cursor: number): Completions {
  if (known === null) return nothing;
  const { from, completions } = known.answer;
  if (known.text === text) return known.answer;
  const typed = text.slice(from, cursor).toLowerCase();
  if (text.slice(0, from) !== known.text.slice(0, from) || /[\s:]/.test(typed)) return nothing;
  return { from, to: cursor, completions: completions.filter((one) => one.text.toLowerCase().startsWith(typed)) };
}

export function useSearchCompletion(
  field: RefObject<HTMLInputElement | null>,
  text: string,
  setText: (text: string) => void,
) {
  const [cursor, setCursor] = useState(0);
  /** Completions are shown while one types, and not before. */
  const [isOpen, setOpen] = useState(false);
  /** -1: the text as it was typed. */
  const [picked, setPicked] = useState(-1);
  const [asked] = useDebouncedValue(`${cursor}\n${text}`, completionDelay);
  const [askedCursor = '0', ...askedText] = asked.split('\n');
  const { data, isPlaceholderData } = useCompletions(askedText.join('\n'), Number(askedCursor), isOpen);
  const known = useRef<{ text: string; answer: Completions } | null>(null);
  if (data !== undefined && !isPlaceholderData) known.current = { text: askedText.join('\n'), answer: data };
  const offered = offeredFor(known.current, text, cursor);
  const completions = isOpen ? offered.completions.slice(0, text.trim() === '' ? undefined : maxShown) : [];

  const complete = ({ text: completion }: Completion) => {
    const place = offered.from + completion.length;
    // At once: the next key must find the caret behind the completion.
    flushSync(() => {
      setText(`${text.slice(0, offered.from)}${completion}${text.slice(offered.to)}`);
      setPicked(-1);
      setCursor(place);
    });
    field.current?.setSelectionRange(place, place);
  };
  const onType = ({ currentTarget: { value, selectionStart } }: ChangeEvent<HTMLInputElement>) => {
    setText(value);
    setCursor(selectionStart ?? value.length);
    setPicked(-1);
    setOpen(true);
  };
  /** Shows what can stand where the cursor is, before anything is typed. */
  const open = () => {
    setCursor(field.current?.selectionStart ?? text.length);
    setPicked(-1);
    setOpen(true);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape') {
      if (completions.length > 0) setOpen(false);
      else event.currentTarget.blur();
      return;
    }
    if (completions.length === 0) {
      if (event.key === 'ArrowDown') open();
      return;
    }
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      // One more place than there are completions: the text as typed.
      setPicked((known) => ((known + 1 + step + completions.length + 1) % (completions.length + 1)) - 1);
    } else if ((event.key === 'Enter' || event.key === 'Tab') && picked >= 0) {
      event.preventDefault();
      complete(completions[picked]!);
    }
  };
  return { completions, picked, complete, onType, onKeyDown, open, close: () => setOpen(false) };
}
