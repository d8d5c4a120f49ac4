// What can be done with a name or a constant in code, as a menu where it stands. Knows no editor.
import { Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { symbolParts } from '../../../../server/contract/engine/code-names.ts';
import { askCodeBytes } from '../../../api/apk-queries.ts';
import { byteRule } from '../../../components/code/byte-rule.ts';
import { copyText } from '../../../components/text/clipboard.ts';
import { visibleString } from '../../../components/text/hostile-text.tsx';
import { texts } from '../../../texts.ts';
import styles from './code.module.css';
import { type CodeTarget, fridaHook, yaraRule } from './copied-code.ts';
import { codeTexts } from './texts.ts';

export interface OpenMenu {
  target: CodeTarget;
  /** In the window, in pixels. */
  x: number;
  y: number;
}

interface CodeMenuProps {
  menu: OpenMenu;
  constantsOf: (target: CodeTarget) => string[];
  onReference: (target: CodeTarget) => void;
  onUses: (target: CodeTarget) => void;
  onGraph: (target: CodeTarget) => void;
  onBytes: (method: string) => void;
  onName: (kind: 'name' | 'note', symbol: string) => void;
  onClose: () => void;
}

const words = codeTexts.menu;
const closing = ['mousedown', 'touchstart'];

/** Copies a text and says so, or that there is nothing to copy. */
export async function copyCode(text: string | null, what: string): Promise<void> {
  const isCopied = text !== null && (await copyText(text));
  notifications.show({
    message: isCopied ? words.copied(what) : text === null ? words.nothing(what) : texts.copy.failed,
  });
}

/**
 * Copies a rule for the bytes of a method's instructions.
 * @param addresses of those from the first to the last of which are meant; null for all
 */
export async function copyCodeBytes(
  sha256: string,
  method: string | null,
  dex: string | undefined,
  addresses: readonly number[] | null,
): Promise<void> {
  if (method === null || addresses?.length === 0) return copyCode(null, words.bytesRule);
  try {
    const { instructions } = await askCodeBytes(sha256, method, dex);
    const [first, last] = addresses === null ? [0, Infinity] : [Math.min(...addresses), Math.max(...addresses)];
    const meant = instructions.filter(({ address }) => address >= first && address <= last);
    await copyCode(byteRule(method, meant.map(({ pattern }) => pattern).join(' ')), words.bytesRule);
  } catch (error) {
    notifications.show({ message: error instanceof Error ? error.message : String(error) });
  }
}

export function CodeMenu({
  menu: { target, x, y },
  constantsOf,
  onReference,
  onUses,
  onGraph,
  onBytes,
  onName,
  onClose,
}: CodeMenuProps) {
  const isText = target.startsWith('"');
  const isVariable = symbolParts(target)?.kind === 'variable';
  const hook = fridaHook(target);
  const rule = yaraRule(target, constantsOf(target));
  return (
    // The key that opens it is still on its way, and closes nothing.
    <Menu opened onClose={onClose} position="bottom-start" returnFocus clickOutsideEvents={closing}>
      <Menu.Target>
        <button
          type="button"
          className={styles.menuPlace}
          style={{ left: x, top: y }}
          tabIndex={-1}
          aria-label={words.title}
        />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label maw={360} style={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
          {visibleString(target.slice(0, 120))}
        </Menu.Label>
        {!isText && !isVariable && (
          <Menu.Item rightSection={words.keys.definition} onClick={() => onReference(target)}>
            {words.definition}
          </Menu.Item>
        )}
        {!isVariable && (
          <Menu.Item rightSection={words.keys.uses} onClick={() => onUses(target)}>
            {words.uses}
          </Menu.Item>
        )}
        {symbolParts(target)?.kind === 'method' && (
          <Menu.Item rightSection={words.keys.graph} onClick={() => onGraph(target)}>
            {words.graph}
          </Menu.Item>
        )}
        {!isText && (
          <Menu.Item rightSection={words.keys.rename} onClick={() => onName('name', target)}>
            {words.rename}
          </Menu.Item>
        )}
        {!isText && !isVariable && <Menu.Item onClick={() => onName('note', target)}>{words.note}</Menu.Item>}
        <Menu.Item onClick={() => void copyCode(isText ? target.slice(1) : target, words.name)}>{words.copy}</Menu.Item>
        {hook !== null && (
          <Menu.Item rightSection={words.keys.frida} onClick={() => void copyCode(hook, words.hook)}>
            {words.frida}
          </Menu.Item>
        )}
        {rule !== null && (
          <Menu.Item rightSection={words.keys.yara} onClick={() => void copyCode(rule, words.rule)}>
            {words.yara}
          </Menu.Item>
        )}
        {symbolParts(target)?.kind === 'method' && (
          <Menu.Item rightSection={words.keys.bytes} onClick={() => onBytes(target)}>
            {words.bytes}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
