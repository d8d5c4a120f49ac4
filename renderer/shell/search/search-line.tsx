// The search text, which lives in the catalogue's address, with what can stand next in it. Knows nothing of its syntax.
import { CloseButton, Kbd, TextInput } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import type { Completion } from '../../../server/contract/catalogue/completion.ts';
import { ChoiceList, choiceId } from '../../components/form/choice-list.tsx';
import { submitting } from '../../components/form/submitting.ts';
import { Icon } from '../../components/picture/icon.tsx';
import { searchAddress } from '../../components/place/catalogue-address.ts';
import { formatCount } from '../../components/text/counted.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import { useShortcut } from '../../shortcuts/shortcuts.ts';
import { texts } from '../../texts.ts';
import styles from '../shell.module.css';
import { SavedSearches } from './saved-searches.tsx';
import { completionTexts, searchTexts } from './texts.ts';
import { useSearchCompletion } from './use-search-completion.ts';

const CompletionLine = ({ text, label, count }: Completion) => (
  <>
    <HostileText value={text} max={80} mono isFixed />
    <span className={styles.completionLabel}>
      <HostileText value={label} max={80} isFixed />
    </span>
    <span className="tabular">{count === null ? '' : formatCount(count)}</span>
  </>
);

export function SearchLine() {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [parameters] = useSearchParams();
  const search = pathname === '/catalogue' ? (parameters.get('search') ?? '') : '';
  const ordering = pathname === '/catalogue' ? (parameters.get('ordering') ?? '') : '';
  const [text, setText] = useState(search);
  const field = useRef<HTMLInputElement>(null);
  const listId = useId();
  const { completions, picked, complete, onType, onKeyDown, open, close } = useSearchCompletion(field, text, setText);
  useEffect(() => setText(search), [search]);
  useShortcut(texts.shortcuts.general, ['/'], texts.shortcuts.search, () => field.current?.select());
  const go = (value: string, order: string) => {
    close();
    void navigate(searchAddress(value.trim(), order));
  };
  const clear = () => {
    setText('');
    go('', '');
  };
  return (
    <search className={styles.search}>
      <form
        onSubmit={submitting(() => {
          go(text, ordering);
          document.getElementById('main')?.focus();
        })}
      >
        <TextInput
          ref={field}
          value={text}
          onChange={onType}
          onKeyDown={onKeyDown}
          onBlur={close}
          onClick={() => text === '' && open()}
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
                <CloseButton size="sm" aria-label={searchTexts.clear} onClick={clear} />
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
            {(completion) => <CompletionLine {...completion} />}
          </ChoiceList>
        )}
      </form>
    </search>
  );
}
