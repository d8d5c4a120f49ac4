// j, k and the arrows move the focus through what can be pressed in a part of a page. Knows nothing of the part.
import type { RefObject } from 'react';
import { useShortcut } from '../shell/shortcuts.ts';
import { texts } from '../texts.ts';

/** Switches between views and filters are no content. */
const pressable = 'a[href], button:not(:disabled, [aria-pressed]), summary, [role="textbox"]';

/** Stands before the content: a list in it that has keys of its own comes after, and wins. */
export function ContentKeys({ content }: { content: RefObject<HTMLElement | null> }) {
  const moveBy = (step: number) => {
    const items = [...(content.current?.querySelectorAll<HTMLElement>(pressable) ?? [])].filter(
      (item) => item.tabIndex >= 0 && item.checkVisibility({ visibilityProperty: true }),
    );
    const at = items.indexOf(document.activeElement as HTMLElement);
    items[at === -1 ? 0 : Math.max(0, Math.min(items.length - 1, at + step))]?.focus();
  };
  const words = texts.shortcuts;
  useShortcut(words.list, ['j', 'ArrowDown'], words.next, () => moveBy(1));
  useShortcut(words.list, ['k', 'ArrowUp'], words.previous, () => moveBy(-1));
  return null;
}
