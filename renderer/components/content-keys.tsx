// In a part of a page j and k move the focus through what can be pressed, arrows scroll. Knows nothing of the part.
import type { RefObject } from 'react';
import { useShortcut } from '../shell/shortcuts.ts';
import { texts } from '../texts.ts';

/** Switches between views and filters are no content. */
const pressable = 'a[href], button:not(:disabled, [aria-pressed]), summary, [role="textbox"]';

/** Pixels that an arrow scrolls by, as browsers do. */
const arrowStep = 40;
/** What of a page is still seen after the key for the next one. */
const pageShare = 0.875;

const isScroller = (element: Element) =>
  element.scrollHeight > element.clientHeight && /auto|scroll/.test(getComputedStyle(element).overflowY);

/** What scrolls around the focus, else the first that does. */
function scrollerOf(content: Element): Element | undefined {
  for (let at = document.activeElement; at !== null && content.contains(at); at = at.parentElement) {
    if (isScroller(at)) return at;
  }
  return [content, ...content.querySelectorAll('*')].find(isScroller);
}

/** Stands before the content: a list in it that has keys of its own comes after, and wins. */
export function ContentKeys({ content }: { content: RefObject<HTMLElement | null> }) {
  const moveBy = (step: number) => {
    const items = [...(content.current?.querySelectorAll<HTMLElement>(pressable) ?? [])].filter(
      (item) => item.tabIndex >= 0 && item.checkVisibility({ visibilityProperty: true }),
    );
    const at = items.indexOf(document.activeElement as HTMLElement);
    items[at === -1 ? 0 : Math.max(0, Math.min(items.length - 1, at + step))]?.focus();
  };
  const scrollBy = (pixels: (height: number) => number) => {
    const scroller = content.current === null ? undefined : scrollerOf(content.current);
    scroller?.scrollBy(0, pixels(scroller.clientHeight));
  };
  const { list, next, previous, scrollDown, scrollUp, pageDown, pageUp } = texts.shortcuts;
  useShortcut(list, ['j'], next, () => moveBy(1));
  useShortcut(list, ['k'], previous, () => moveBy(-1));
  useShortcut(list, ['ArrowDown'], scrollDown, () => scrollBy(() => arrowStep));
  useShortcut(list, ['ArrowUp'], scrollUp, () => scrollBy(() => -arrowStep));
  useShortcut(list, ['PageDown'], pageDown, () => scrollBy((height) => height * pageShare));
  useShortcut(list, ['PageUp'], pageUp, () => scrollBy((height) => -height * pageShare));
  return null;
}
