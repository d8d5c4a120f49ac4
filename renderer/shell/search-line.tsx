// The search text, which lives in the catalogue's address, with what can stand next in it, and the searches kept under
// a name. Knows nothing of its syntax.
import { ActionIcon, Button, CloseButton, Kbd, Menu, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import type { Completion } from '../../server/contract/completion.ts';
import { useCompletions, useForgetSearch, useSavedSearches, useSaveSearch } from '../api/catalogue-queries.ts';
import { HostileText } from '../components/hostile-text.tsx';
import { Icon } from '../components/icon.tsx';
import { tellError } from '../components/tell-error.ts';
import { formatCount } from '../counted.ts';
import { texts } from '../texts.ts';
import styles from './shell.module.css';
import { useShortcut } from './shortcuts.ts';

/** Milliseconds without a key after which completions are asked for. */
const completionDelay = 120;
const maxShown = 12;

const addressOf = (search: string, ordering = '') => {
  const query = new URLSearchParams();
  if (search !== '') query.set('search', search);
  if (ordering !== '') query.set('ordering', ordering);
  return query.size === 0 ? '/catalogue' : `/catalogue?${query}`;
};

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
    void navigate(addressOf(value.trim(), order));
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
      // One place more than there are completions: the text as it stands.
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
          placeholder={texts.search.placeholder}
          aria-label={texts.search.label}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={completions.length > 0}
          aria-controls={completions.length > 0 ? listId : undefined}
          aria-activedescendant={picked >= 0 ? `${listId}-${picked}` : undefined}
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
                  aria-label={texts.search.clear}
                  onClick={() => {
                    setText('');
                    go('', '');
                  }}
                />
              )}
              <SavedSearches search={search} ordering={ordering} onOpen={go} />
            </span>
          }
        />
        {completions.length > 0 && (
          <div
            id={listId}
            className={styles.completions}
            role="listbox"
            tabIndex={-1}
            aria-label={texts.completion.list}
          >
            {completions.map((completion, index) => (
              <div
                key={`${completion.kind}${completion.text}`}
                id={`${listId}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === picked}
                onMouseDown={(event) => {
                  // The field keeps the focus.
                  event.preventDefault();
                  complete(completion);
                }}
              >
                <HostileText value={completion.text} max={80} mono isFixed />
                <span className={styles.completionLabel}>
                  <HostileText value={completion.label} max={80} isFixed />
                </span>
                <span className="tabular">{completion.count === null ? '' : formatCount(completion.count)}</span>
              </div>
            ))}
          </div>
        )}
      </form>
    </search>
  );
}

interface SavedSearchesProps {
  search: string;
  ordering: string;
  onOpen: (search: string, ordering: string) => void;
}

function SavedSearches({ search, ordering, onOpen }: SavedSearchesProps) {
  const words = texts.saved;
  const [isOpen, setOpen] = useState(false);
  const saved = useSavedSearches();
  const save = useSaveSearch();
  const forget = useForgetSearch();
  const [name, setName] = useState('');
  const keep = () => save.mutate({ name, search, ordering }, { onSuccess: () => setName(''), onError: tellError });
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-end" width={340} trapFocus={false} closeOnItemClick>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={words.title} title={words.title}>
          <Icon name="star" size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {saved.data?.results.length === 0 && <Menu.Label>{words.none}</Menu.Label>}
        {saved.data?.results.map((one) => (
          <div key={one.id} className={styles.saved}>
            <Menu.Item onClick={() => onOpen(one.search, one.ordering)}>
              <strong>
                <HostileText value={one.name} max={60} isFixed />
              </strong>{' '}
              <span className={styles.completionLabel}>
                <HostileText value={one.search === '' ? words.everything : one.search} max={80} mono isFixed />
              </span>
            </Menu.Item>
            <CloseButton
              size="sm"
              aria-label={words.forget(one.name)}
              onClick={() => forget.mutate(one.id, { onError: tellError })}
            />
          </div>
        ))}
        <Menu.Divider />
        <div className={styles.saved}>
          <TextInput
            size="xs"
            aria-label={words.name}
            placeholder={words.name}
            value={name}
            maxLength={100}
            onChange={(event) => setName(event.currentTarget.value)}
            onKeyDown={(event) => {
              event.stopPropagation();
              if (event.key !== 'Enter') return;
              event.preventDefault();
              if (name.trim() !== '') keep();
            }}
          />
          <Button size="compact-sm" disabled={name.trim() === ''} loading={save.isPending} onClick={keep}>
            {words.save}
          </Button>
        </div>
      </Menu.Dropdown>
    </Menu>
  );
}
