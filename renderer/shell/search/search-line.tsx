// The search text, which lives in the catalogue's address, with what can stand next in it. Knows nothing of its syntax.
import { CloseButton, Kbd, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import type { Completion } from '../../../server/contract/catalogue/completion.ts';
import { useCompletions } from '../../api/catalogue-queries.ts';
import { ChoiceList, choiceId } from '../../components/form/choice-list.tsx';
import { Icon } from '../../components/picture/icon.tsx';
import { searchAddress } from '../../components/place/catalogue-address.ts';
import { formatCount } from '../../components/text/counted.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import { useShortcut } from '../../shortcuts/shortcuts.ts';
import { texts } from '../../texts.ts';
import styles from '../shell.module.css';
import { SavedSearches } from './saved-searches.tsx';
import { completionTexts, searchTexts } from './texts.ts';

/** Milliseconds without a key after which completions are asked for. */
const completionDelay = 120;
const maxShown = 12;

export function SearchLine() {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [parameters] = useSearchParams();
  const search = pathname === '/catalogue' ? (parameters.get('search') ?? '') : '';
  const ordering = pathname === '/catalogue' ? (parameters.get('ordering') ?? '') : '';
  const [text, setText] = useState(search);
  const [cursor, setCursor] = useState(0);
  /** Completions are shown while one types, and not before. */
  const [isOpen, setOpen] = useState(false);
  const [picked, setPicked] = useState(-1);
  const field = useRef<HTMLInputElement>(null);
  const listId = useId();
  useEffect(() => setText(search), [search]);
  useShortcut(texts.shortcuts.general, ['/'], texts.shortcuts.search, () => field.current?.select());

  const [asked] = useDebouncedValue(`${cursor}\n${text}`, completionDelay);
  const [askedCursor = '0', ...askedText] = asked.split('\n');
  const answer = useCompletions(askedText.join('\n'), Number(askedCursor), isOpen);
  const completions = isOpen ? (answer.data?.completions.slice(0, maxShown) ?? []) : [];

  const go = (value: string, order = ordering) => {
    setOpen(false);
    void navigate(searchAddress(value.trim(), order));
  };
  const complete = ({ text: completion }: Completion) => {
    if (answer.data === undefined) return;
    const { from, to } = answer.data;
    const next = `${text.slice(0, from)}${completion}${text.slice(to)}`;
    const place = from + completion.length;
    // At once: the next key must find the caret behind the completion.
    flushSync(() => {
      setText(next);
      setPicked(-1);
      setCursor(place);
    });
    field.current?.setSelectionRange(place, place);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape') {
      if (isOpen && completions.length > 0) setOpen(false);
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
  return (
    <search className={styles.search}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          go(text);
          document.getElementById('main')?.focus();
        }}
      >
        <TextInput
          ref={field}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setCursor(event.currentTarget.selectionStart ?? event.currentTarget.value.length);
            setPicked(-1);
            setOpen(true);
          }}
          onKeyDown={onKeyDown}
          onBlur={() => setOpen(false)}
          placeholder={searchTexts.placeholder}
          aria-label={searchTexts.label}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={completions.length > 0}
          aria-controls={completions.length > 0 ? listId : undefined}
          aria-activedescendant={picked >= 0 ? choiceId(listId, picked) : undefined}
          spellCheck={false}
          autoComplete="off"
          leftSection={<Icon name="search" />}
          rightSectionWidth={64}
          rightSection={
            <span className={styles.searchEnd}>
              {text === '' ? (
                <Kbd size="xs">/</Kbd>
              ) : (
                <CloseButton
                  size="sm"
                  aria-label={searchTexts.clear}
                  onClick={() => {
                    setText('');
                    go('', '');
                  }}
                />
              )}
              <SavedSearches search={search} ordering={ordering} />
            </span>
          }
        />
        {completions.length > 0 && (
          <ChoiceList
            id={listId}
            label={completionTexts.list}
            choices={completions}
            picked={picked}
            keyOf={({ kind, text: value }) => `${kind}${value}`}
            onChoose={complete}
            className={styles.completions}
          >
            {({ text: value, label, count }) => (
              <>
                <HostileText value={value} max={80} mono isFixed />
                <span className={styles.completionLabel}>
                  <HostileText value={label} max={80} isFixed />
                </span>
                <span className="tabular">{count === null ? '' : formatCount(count)}</span>
              </>
            )}
          </ChoiceList>
        )}
      </form>
    </search>
  );
}
