// What the command palette offers for what is typed: pages, colours, saved searches, apps, rulesets, analysts, an APK by its
// hash, a comparison, a search. Knows nothing of how it is shown.
import { useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useLocation } from 'react-router';
import { useCompletions, useSavedSearches } from '../../api/catalogue-queries.ts';
import { type Found, useFound } from '../../api/palette-queries.ts';
import { useMay } from '../../api/queries.ts';
import type { IconName } from '../../components/picture/icon.tsx';
import { searchAddress } from '../../components/place/catalogue-address.ts';
import { compareAddress } from '../../components/place/place-address.ts';
import { administrationTexts } from '../../pages/administration/texts.ts';
import { parts } from '../../pages/apk/parts.tsx';
import { apkTexts } from '../../pages/apk/texts.ts';
import { compareTexts } from '../../pages/compare/texts.ts';
import { pages } from '../../pages/pages.ts';
import { useInterface } from '../../state/interface.ts';
import { texts } from '../../texts.ts';
import { savedTexts, paletteTexts as words } from './texts.ts';

export interface Command {
  id: string;
  label: string;
  icon: IconName;
  keys?: string | undefined;
  /** An address that it leads to, or what it does. */
  act: string | (() => void);
}

const maxShown = 50;
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

/** Commands that are always offered. */
function useFixedCommands(): Command[] {
  const { setColorScheme } = useMantineColorScheme();
  const may = useMay();
  const saved = useSavedSearches();
  const page = (title: string, icon: IconName, address: string, keys?: string): Command => ({
    id: address,
    label: texts.shortcuts.go(title),
    icon,
    keys,
    act: address,
  });
  return [
    ...pages.map(({ title, icon, address, key }) => page(title, icon, address, key && `g ${key}`)),
    ...(may('settings.manage')
      ? Object.entries(administrationTexts.sections).map(([id, label]) =>
          page(`${administrationTexts.title}: ${label}`, 'settings', `/administration/${id}`),
        )
      : []),
    { id: 'new-ruleset', label: words.newRuleset, icon: 'rulesets', act: '/rulesets/new' },
    { id: 'dark', label: words.dark, icon: 'moon', act: () => setColorScheme('dark') },
    { id: 'light', label: words.light, icon: 'sun', act: () => setColorScheme('light') },
    { id: 'auto', label: words.system, icon: 'contrast', act: () => setColorScheme('auto') },
    {
      id: 'help',
      label: words.help,
      icon: 'keyboard',
      keys: '?',
      act: () => useInterface.getState().setHelpOpen(true),
    },
    ...(saved.data?.results ?? []).map(
      ({ id, name, search, ordering }): Command => ({
        id,
        label: `${savedTexts.title}: ${name}`,
        icon: 'star',
        act: `/catalogue?${new URLSearchParams({ search, ordering })}`,
      }),
    ),
  ];
}

/** Opening and comparing APKs, by the hashes that were typed and the APK whose page is open. */
function hashCommands(text: string, opened: string | undefined): Command[] {
  const short = (hash: string) => hash.slice(0, 16);
  const compare = (label: string, address: string): Command => ({
    id: address,
    label,
    icon: 'compare',
    act: address.toLowerCase(),
  });
  const commands: Command[] = [];
  if (hashPattern.test(text)) {
    commands.push({ id: 'apk', label: words.apk(short(text)), icon: 'app', act: `/apks/${text.toLowerCase()}` });
  }
  const [, one, other] = twoHashesPattern.exec(text) ?? [];
  if (one !== undefined && other !== undefined) {
    commands.push(compare(words.compare(short(one), short(other)), compareAddress(one, other)));
  }
  if (opened === undefined) return commands;
  if (hashPattern.test(text) && text.toLowerCase() !== opened) {
    commands.push(compare(words.compareWith(short(text)), compareAddress(opened, text)));
  }
  if (fits(compareTexts.withOther, text)) commands.push(compare(compareTexts.withOther, compareAddress(opened)));
  return commands;
}

/** The parts of the APK whose page is open. */
const partCommands = (sha256: string): Command[] =>
  parts.map(({ name, title, key }) => ({
    id: `part:${name}`,
    label: apkTexts.openPart(title),
    icon: 'app',
    keys: key,
    act: `/apks/${sha256}/${name}`,
  }));

/** @param text what is typed, without blanks around it */
export function useCommands(text: string): Command[] {
  const { pathname } = useLocation();
  const opened = apkPagePattern.exec(pathname)?.[1];
  const openedPage = pathname.startsWith('/apks/') ? opened : undefined;
  const fixed = useFixedCommands();
  const [asked] = useDebouncedValue(text, namesDelay);
  const found = useFound(asked).map(
    ({ kind, name, key, count }): Command => ({
      id: `${kind}:${key}`,
      label: words.found[kind](name, count),
      icon: foundIcons[kind],
      act: foundAddress(kind, key),
    }),
  );
  const completions = useCompletions(text, text.length, text !== '' && !/[\s"]/.test(text));
  const meant = (completions.data?.completions ?? [])
    .filter(({ kind }) => kind === 'meant' && !completions.isPlaceholderData)
    .map(
      ({ text: value, label }): Command => ({
        id: value,
        label: words.meant(value, label),
        icon: 'search',
        act: searchAddress(value),
      }),
    );
  const search: Command = { id: 'search', label: words.search(text), icon: 'search', act: searchAddress(text) };
  return [
    ...hashCommands(text, opened),
    ...meant,
    ...[...(openedPage === undefined ? [] : partCommands(openedPage)), ...fixed].filter(({ label }) =>
      fits(label, text),
    ),
    ...found,
    ...(text === '' ? [] : [search]),
  ].slice(0, maxShown);
}
