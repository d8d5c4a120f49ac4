// The list of shortcuts that are in force. Knows nothing of what they do.
import { Kbd, Modal } from '@mantine/core';
import { Fragment } from 'react';
import styles from '../shell/shell.module.css';
import { useInterface } from '../state/interface.ts';
import { texts } from '../texts.ts';
import { useShortcutList } from './shortcuts.ts';

const keyNames: Record<string, string> = { ArrowDown: '↓', ArrowUp: '↑', Enter: '↵', Escape: 'Esc', Control: 'Ctrl' };

export function ShortcutsHelp() {
  const { isHelpOpen, setHelpOpen } = useInterface();
  const registered = useShortcutList((state) => state.registered);
  const groups = Map.groupBy(registered, ({ group }) => group);
  return (
    <Modal opened={isHelpOpen} onClose={() => setHelpOpen(false)} title={texts.shortcuts.title}>
      {[...groups].map(([group, shortcuts]) => (
        <section key={group}>
          <h3 className={styles.keysTitle}>{group}</h3>
          <div className={styles.keys}>
            {shortcuts.map(({ keys, description }) => (
              <Fragment key={description}>
                <span>
                  {keys.map((alternative, at) => (
                    <Fragment key={alternative}>
                      {at > 0 && ` ${texts.shortcuts.or} `}
                      {alternative.split(/[ +]/).map((key) => (
                        <Kbd key={key} mr={3}>
                          {keyNames[key] ?? key}
                        </Kbd>
                      ))}
                    </Fragment>
                  ))}
                </span>
                <span>{description}</span>
              </Fragment>
            ))}
          </div>
        </section>
      ))}
    </Modal>
  );
}
