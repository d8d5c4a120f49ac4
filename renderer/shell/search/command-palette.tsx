// Every page, action and thing by its name, opened by Ctrl+K: pages, colours, saved searches, apps, rulesets, analysts,
// an APK by its hash, a search.
import { Modal, TextInput, useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useSavedSearches } from '../../api/catalogue-queries.ts';
import { type Found, useFound } from '../../api/palette-queries.ts';
import { useMay } from '../../api/queries.ts';
import { ChoiceList, choiceId } from '../../components/form/choice-list.tsx';
import { Icon, type IconName } from '../../components/picture/icon.tsx';
import { searchAddress } from '../../components/place/catalogue-address.ts';
import { compareAddress } from '../../components/place/place-address.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import { administrationTexts } from '../../pages/administration/texts.ts';
import { compareTexts } from '../../pages/compare/texts.ts';
import { pages } from '../../pages/pages.ts';
import { useShortcut } from '../../shortcuts/shortcuts.ts';
import { useInterface } from '../../state/interface.ts';
import { texts } from '../../texts.ts';
import styles from '../shell.module.css';
import { savedTexts, paletteTexts as words } from './texts.ts';

interface Command {
  id: string;
  label: string;
  icon: IconName;
  keys?: string;
  run: () => void;
}
const maxShown = 30;
/** Milliseconds without a key after which names are asked for. */
const namesDelay = 150;
const hashPattern = /^[0-9a-f]{64}$/i;
const twoHashesPattern = /^([0-9a-f]{64})[\s,]+([0-9a-f]{64})$/i;
/** The page of an APK, alone or beside another. */
const apkPagePattern = /^\/(?:apks|compare)\/([0-9a-f]{64})(?:\/|$)/i;

/** Whether the letters stand in the label in this order: `nrs` finds "New ruleset". */
function fits(label: string, typed: string): boolean {
  const letters = typed.toLowerCase().replaceAll(' ', '');
  let at = 0;
  for (const letter of label.toLowerCase()) if (letter === letters[at]) at++;
  return at === letters.length;
}

const foundIcons: Record<Found['kind'], IconName> = {
  app: 'app',
  package: 'app',
  ruleset: 'rulesets',
  analyst: 'people',
};

function foundAddress(kind: Found['kind'], key: string): string {
  if (kind === 'ruleset') return `/rulesets/${encodeURIComponent(key)}`;
  if (kind === 'analyst') return `/analysts/${encodeURIComponent(key)}`;
  return searchAddress(key);
}

export function CommandPalette() {
  /** The window's address at which it was opened; null while it is closed. */
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const isOpen = openedAt !== null;
  const close = () => setOpenedAt(null);
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      useInterface.getState().setHelpOpen(false);
      setOpenedAt((known) => (known === null ? location.hash : null));
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  const { pathname, search } = useLocation();
  // Whoever goes on, by a link, back or the address line, has left what stood open over the page. The window's address
  // changes before the page does: what was opened in between belongs to the page that is coming.
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
  const { pathname } = useLocation();
  const { setColorScheme } = useMantineColorScheme();
  const may = useMay();
  const saved = useSavedSearches();
  const [typed, setTyped] = useState('');
  const [picked, setPicked] = useState(0);
  const listId = useId();
  const field = useRef<HTMLInputElement>(null);
  // What is typed right after the key belongs here: the dialog itself would take the focus only after a moment. It has
  // to note before that where the focus was.
  useEffect(() => queueMicrotask(() => field.current?.focus()), []);
  const page = (label: string, icon: IconName, address: string, keys?: string): Command => ({
    id: address,
    label: texts.shortcuts.go(label),
    icon,
    ...(keys === undefined ? {} : { keys }),
    run: () => void navigate(address),
  });
  const text = typed.trim();
  const all: Command[] = [
    ...pages.map(({ title, icon, address, key }) => page(title, icon, address, key && `g ${key}`)),
    ...(may('settings.manage')
      ? Object.entries(administrationTexts.sections).map(([id, label]) =>
          page(`${administrationTexts.title}: ${label}`, 'settings', `/administration/${id}`),
        )
      : []),
    { id: 'new-ruleset', label: words.newRuleset, icon: 'rulesets', run: () => void navigate('/rulesets/new') },
    { id: 'dark', label: words.dark, icon: 'moon', run: () => setColorScheme('dark') },
    { id: 'light', label: words.light, icon: 'sun', run: () => setColorScheme('light') },
    { id: 'auto', label: words.system, icon: 'contrast', run: () => setColorScheme('auto') },
    {
      id: 'help',
      label: words.help,
      icon: 'keyboard',
      keys: '?',
      run: () => useInterface.getState().setHelpOpen(true),
    },
    ...(saved.data?.results ?? []).map(
      ({ id, name, search, ordering }): Command => ({
        id,
        label: `${savedTexts.title}: ${name}`,
        icon: 'star',
        run: () => void navigate(`/catalogue?${new URLSearchParams({ search, ordering })}`),
      }),
    ),
  ];
  const search: Command = {
    id: 'search',
    label: words.search(text),
    icon: 'search',
    run: () => void navigate(searchAddress(text)),
  };
  const apk: Command = {
    id: 'apk',
    label: words.apk(text.slice(0, 16)),
    icon: 'app',
    run: () => void navigate(`/apks/${text.toLowerCase()}`),
  };
  const opened = apkPagePattern.exec(pathname)?.[1];
  const [, one, other] = twoHashesPattern.exec(text) ?? [];
  const compare = (label: string, address: string): Command => ({
    id: address,
    label,
    icon: 'compare',
    run: () => void navigate(address.toLowerCase()),
  });
  const comparisons: Command[] = [
    ...(one !== undefined && other !== undefined
      ? [compare(words.compare(one.slice(0, 16), other.slice(0, 16)), compareAddress(one, other))]
      : []),
    ...(opened !== undefined && hashPattern.test(text) && text.toLowerCase() !== opened
      ? [compare(words.compareWith(text.slice(0, 16)), compareAddress(opened, text))]
      : []),
    ...(opened !== undefined && fits(compareTexts.withOther, text)
      ? [compare(compareTexts.withOther, compareAddress(opened))]
      : []),
  ];
  const [asked] = useDebouncedValue(text, namesDelay);
  const found = useFound(asked).map(
    ({ kind, name, key, count }: Found): Command => ({
      id: `${kind}:${key}`,
      label: words.found[kind](name, count),
      icon: foundIcons[kind],
      run: () => void navigate(foundAddress(kind, key)),
    }),
  );
  const shown = [
    ...(hashPattern.test(text) ? [apk] : []),
    ...comparisons,
    ...all.filter(({ label }) => fits(label, text)),
    ...found,
    ...(text === '' ? [] : [search]),
  ].slice(0, maxShown);
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    onDone();
    command.run();
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
