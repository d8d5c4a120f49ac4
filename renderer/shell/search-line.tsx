// The search text, which lives in the catalogue's address. Knows nothing of its syntax.
import { CloseButton, Kbd, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { Icon } from '../components/icon.tsx';
import { texts } from '../texts.ts';
import styles from './shell.module.css';
import { useShortcut } from './shortcuts.ts';

export function SearchLine() {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [parameters] = useSearchParams();
  const search = pathname === '/catalogue' ? (parameters.get('search') ?? '') : '';
  const [text, setText] = useState(search);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => setText(search), [search]);
  useShortcut(texts.shortcuts.general, ['/'], texts.shortcuts.search, () => field.current?.select());
  const go = (value: string) => {
    const trimmed = value.trim();
    void navigate(trimmed === '' ? '/catalogue' : `/catalogue?search=${encodeURIComponent(trimmed)}`);
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
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur();
          }}
          placeholder={texts.search.placeholder}
          aria-label={texts.search.label}
          spellCheck={false}
          autoComplete="off"
          leftSection={<Icon name="search" />}
          rightSection={
            text === '' ? (
              <Kbd size="xs">/</Kbd>
            ) : (
              <CloseButton
                size="sm"
                aria-label={texts.search.clear}
                onClick={() => {
                  setText('');
                  go('');
                }}
              />
            )
          }
        />
      </form>
    </search>
  );
}
