// The searches kept under a name, and the name for the one that is open. Knows nothing of their syntax.
import { ActionIcon, Button, CloseButton, Popover, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useForgetSearch, useSavedSearches, useSaveSearch } from '../../api/catalogue-queries.ts';
import { tellError } from '../../components/form/tell-error.ts';
import { Icon } from '../../components/picture/icon.tsx';
import { searchAddress } from '../../components/place/catalogue-address.ts';
import { HostileText, visibleString } from '../../components/text/hostile-text.tsx';
import styles from '../shell.module.css';
import { savedTexts as words } from './texts.ts';

export function SavedSearches({ search, ordering }: { search: string; ordering: string }) {
  const [isOpen, setOpen] = useState(false);
  const saved = useSavedSearches();
  const save = useSaveSearch();
  const forget = useForgetSearch();
  const [name, setName] = useState('');
  const field = useRef<HTMLInputElement>(null);
  // The pressed button is gone or disabled by then, and the focus with it.
  const goOn = () => field.current?.focus();
  const keep = (event: FormEvent) => {
    event.preventDefault();
    // The line that it belongs to is a form as well, which would search.
    event.stopPropagation();
    save.mutate(
      { name, search, ordering },
      {
        onSuccess: () => {
          setName('');
          goOn();
        },
        onError: tellError,
      },
    );
  };
  const searches = saved.data?.results ?? [];
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={340} trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={words.title}
          title={words.title}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="star" size={14} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={6} aria-label={words.title}>
        {searches.length === 0 ? (
          <p className={styles.noneSaved}>{words.none}</p>
        ) : (
          <ul className={styles.savedList}>
            {searches.map((one) => (
              <li key={one.id} className={styles.saved}>
                <Link to={searchAddress(one.search, one.ordering)} onClick={() => setOpen(false)}>
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
                  onClick={() => forget.mutate(one.id, { onSuccess: goOn, onError: tellError })}
                />
              </li>
            ))}
          </ul>
        )}
        <form className={styles.saved} onSubmit={keep}>
          <TextInput
            ref={field}
            size="xs"
            data-autofocus
            aria-label={words.name}
            placeholder={words.name}
            value={name}
            maxLength={100}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" size="compact-sm" disabled={name.trim() === ''} loading={save.isPending}>
            {words.save}
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
