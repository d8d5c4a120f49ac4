// The searches kept under a name, and the name for the one that is open. Knows nothing of their syntax.
import { ActionIcon, Button, CloseButton, Popover, TextInput } from '@mantine/core';
import { useInputState } from '@mantine/hooks';
import { type FormEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useForgetSearch, useSavedSearches, useSaveSearch } from '../../api/catalogue-queries.ts';
import { Icon } from '../../components/picture/icon.tsx';
import { searchAddress } from '../../components/place/catalogue-address.ts';
import { HostileText, visibleString } from '../../components/text/hostile-text.tsx';
import styles from '../shell.module.css';
import { savedTexts as words } from './texts.ts';

interface SavedListProps {
  /** One was followed. */
  onOpen: () => void;
  /** One was deleted. */
  onForgotten: () => void;
}

function SavedList({ onOpen, onForgotten }: SavedListProps) {
  const { data } = useSavedSearches();
  const forget = useForgetSearch();
  const searches = data?.results ?? [];
  if (searches.length === 0) return <p className={styles.noneSaved}>{words.none}</p>;
  return (
    <ul className={styles.savedList}>
      {searches.map((one) => (
        <li key={one.id} className={styles.saved}>
          <Link to={searchAddress(one.search, one.ordering)} onClick={onOpen}>
            <strong>
              <HostileText value={one.name} max={60} isFixed />
            </strong>{' '}
            <span className={styles.completionLabel}>
              <HostileText value={one.search === '' ? words.everything : one.search} max={80} mono isFixed />
            </span>
          </Link>
          <CloseButton
            size="sm"
            aria-label={words.forget(visibleString(one.name))}
            onClick={() => forget.mutate(one.id, { onSuccess: onForgotten })}
          />
        </li>
      ))}
    </ul>
  );
}

export function SavedSearches({ search, ordering }: { search: string; ordering: string }) {
  const [isOpen, setOpen] = useState(false);
  const save = useSaveSearch();
  const [name, setName] = useInputState('');
  const field = useRef<HTMLInputElement>(null);
  // The pressed button is gone or disabled by then, and the focus with it.
  const goOn = () => field.current?.focus();
  const keep = (event: FormEvent) => {
    event.preventDefault();
    // The line that it belongs to is a form as well, which would search.
    event.stopPropagation();
    const onSuccess = () => {
      setName('');
      goOn();
    };
    save.mutate({ name, search, ordering }, { onSuccess });
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={340} trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon size="sm" aria-label={words.title} title={words.title} onClick={() => setOpen(!isOpen)}>
          <Icon name="star" size={14} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={6} aria-label={words.title}>
        <SavedList onOpen={() => setOpen(false)} onForgotten={goOn} />
        <form className={styles.saved} onSubmit={keep}>
          <TextInput
            ref={field}
            size="xs"
            data-autofocus
            aria-label={words.name}
            placeholder={words.name}
            value={name}
            maxLength={100}
            onChange={setName}
          />
          <Button type="submit" size="compact-sm" disabled={name.trim() === ''} loading={save.isPending}>
            {words.save}
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
