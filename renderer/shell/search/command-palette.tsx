// The command palette, opened by Ctrl+K: a field, and below it what it offers for what is typed. Knows no command.
import { Modal, TextInput } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { ChoiceList, choiceId } from '../../components/form/choice-list.tsx';
import { Icon } from '../../components/picture/icon.tsx';
import { HostileText } from '../../components/text/hostile-text.tsx';
import { useShortcut } from '../../shortcuts/shortcuts.ts';
import { useInterface } from '../../state/interface.ts';
import { texts } from '../../texts.ts';
import styles from '../shell.module.css';
import { type Command, useCommands } from './palette-commands.ts';
import { paletteTexts as words } from './texts.ts';

export function CommandPalette() {
  /** The window's address at which it was opened; null while it is closed. */
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const isOpen = openedAt !== null;
  const close = () => setOpenedAt(null);
  useWindowEvent('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
    event.preventDefault();
    useInterface.getState().setHelpOpen(false);
    setOpenedAt((known) => (known === null ? location.hash : null));
  });
  const { pathname, search } = useLocation();
  // Navigation closes what was open over the page. The window's address changes before the router's does: a palette that
  // was opened in between belongs to the page that is coming.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is what it waits for
  useEffect(() => {
    setOpenedAt((known) => (known === location.hash ? known : null));
    useInterface.getState().setHelpOpen(false);
  }, [pathname, search]);
  useShortcut(texts.shortcuts.general, ['Control+k'], words.title, () => setOpenedAt(location.hash));
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={words.title}
      yOffset="10vh"
      centered={false}
      size="lg"
      transitionProps={{ duration: 0 }}
    >
      {isOpen && <Palette onDone={close} />}
    </Modal>
  );
}

function Palette({ onDone }: { onDone: () => void }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [picked, setPicked] = useState(0);
  const listId = useId();
  const field = useRef<HTMLInputElement>(null);
  // Keys typed right after Ctrl+K belong in this field, which the dialog would focus only after a moment. Not at once
  // either: the dialog first has to note where the focus was.
  useEffect(() => queueMicrotask(() => field.current?.focus()), []);
  const shown = useCommands(typed.trim());
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    onDone();
    if (typeof command.act === 'string') void navigate(command.act);
    else command.act();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setPicked((known) => (known + (event.key === 'ArrowDown' ? 1 : -1) + shown.length) % shown.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(shown[picked]);
    }
  };
  return (
    <div className={styles.palette}>
      <TextInput
        ref={field}
        data-autofocus
        role="combobox"
        aria-label={words.title}
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={choiceId(listId, picked)}
        placeholder={words.placeholder}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setPicked(0);
        }}
        onKeyDown={onKeyDown}
        autoComplete="off"
        spellCheck={false}
      />
      <ChoiceList
        id={listId}
        label={words.title}
        choices={shown}
        picked={picked}
        keyOf={({ id }) => id}
        onChoose={run}
        className={styles.paletteList}
      >
        {({ icon, label, keys = '' }) => (
          <>
            <Icon name={icon} size={15} />
            <HostileText value={label} max={100} isFixed />
            <span>{keys}</span>
          </>
        )}
      </ChoiceList>
    </div>
  );
}
