// What can stand next in the search text, and the keys by which it is taken. Knows nothing of the search's syntax.
import { useDebouncedValue } from '@mantine/hooks';
import { type ChangeEvent, type KeyboardEvent, type RefObject, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Completion } from '../../../server/contract/catalogue/completion.ts';
import { useCompletions } from '../../api/catalogue-queries.ts';

/** Milliseconds without a key after which completions are asked for. */
const completionDelay = 120;
const maxShown = 12;

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
  const { data } = useCompletions(askedText.join('\n'), Number(askedCursor), isOpen);
  const completions = isOpen ? (data?.completions.slice(0, maxShown) ?? []) : [];

  const complete = ({ text: completion }: Completion) => {
    if (data === undefined) return;
    const place = data.from + completion.length;
    // At once: the next key must find the caret behind the completion.
    flushSync(() => {
      setText(`${text.slice(0, data.from)}${completion}${text.slice(data.to)}`);
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
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape') {
      if (completions.length > 0) setOpen(false);
      else event.currentTarget.blur();
      return;
    }
    if (completions.length === 0) return;
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
  return { completions, picked, complete, onType, onKeyDown, close: () => setOpen(false) };
}
