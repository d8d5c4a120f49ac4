// The classes that stand open, as tabs, and the way back and forward between places. Knows the address, and no class.
import { ActionIcon, Tooltip } from '@mantine/core';
import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { Icon } from '../../../components/picture/icon.tsx';
import { className } from '../../../components/text/format.ts';
import { HostileText } from '../../../components/text/hostile-text.tsx';
import { useShortcut } from '../../../shortcuts/shortcuts.ts';
import styles from './code.module.css';
import { type Change, type CodeState, wholeClass } from './code-address.ts';
import { codeTexts } from './texts.ts';

const words = codeTexts.tabs;
const simpleName = (name: string) => className(name).replace(/^.*\./s, '');

export function ClassTabs({ state, change }: { state: CodeState; change: Change }) {
  const { name, dex, member, seek, at, line, tabs } = state;
  const navigate = useNavigate();
  /** Where one stood in each. */
  const places = useRef(new Map<string, Partial<CodeState>>());
  if (name !== null) places.current.set(name, { dex, member, seek, at, line });
  const open = (tab: string | undefined, rest = tabs) => {
    const place = tab === undefined ? undefined : places.current.get(tab);
    change({ ...wholeClass, dex: null, ...place, name: tab ?? null, tabs: rest });
  };
  const close = (tab: string) => {
    const index = tabs.indexOf(tab);
    const rest = tabs.filter((other) => other !== tab);
    if (tab === name) open(rest[index] ?? rest.at(-1), rest);
    else change({ tabs: rest });
  };
  const step = (by: number) => {
    if (tabs.length > 0) open(tabs[(tabs.indexOf(name ?? '') + by + tabs.length) % tabs.length]);
  };
  useShortcut(codeTexts.title, ['.'], words.next, () => step(1));
  useShortcut(codeTexts.title, [','], words.previous, () => step(-1));
  useShortcut(codeTexts.title, ['w'], words.closeOpen, () => name !== null && close(name));
  useShortcut(codeTexts.title, ['<'], words.back, () => void navigate(-1));
  useShortcut(codeTexts.title, ['>'], words.forward, () => void navigate(1));
  if (tabs.length === 0) return null;
  return (
    <div className={styles.tabs}>
      <Tooltip label={words.back}>
        <ActionIcon size="sm" aria-label={words.back} onClick={() => void navigate(-1)}>
          <Icon name="back" size={13} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={words.forward}>
        <ActionIcon size="sm" aria-label={words.forward} onClick={() => void navigate(1)}>
          <span className={styles.mirrored}>
            <Icon name="back" size={13} />
          </span>
        </ActionIcon>
      </Tooltip>
      <nav className={styles.tabList} aria-label={words.label}>
        {tabs.map((tab) => (
          <span key={tab} className={styles.tab} data-current={tab === name || undefined} data-testid="class-tab">
            <button
              type="button"
              className={styles.tabName}
              aria-current={tab === name ? 'page' : undefined}
              title={className(tab).slice(0, 300)}
              onClick={() => open(tab)}
              onAuxClick={({ button }) => button === 1 && close(tab)}
            >
              <HostileText value={simpleName(tab)} max={40} isLtr isFixed />
            </button>
            <button
              type="button"
              className={styles.closeTab}
              aria-label={words.close(className(tab).slice(0, 100))}
              onClick={() => close(tab)}
            >
              <Icon name="close" size={9} />
            </button>
          </span>
        ))}
      </nav>
    </div>
  );
}
