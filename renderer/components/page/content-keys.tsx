// In a part of a page j and k move the focus through what can be pressed, arrows scroll. Knows nothing of the part.
import type { RefObject } from 'react';
import { useShortcut } from '../../shortcuts/shortcuts.ts';
import { texts } from '../../texts.ts';

/** Switches between views and filters are no content. */
const pressable = 'a[href], button:not(:disabled, [aria-pressed]), summary, [role="textbox"]';

/** Pixels that an arrow scrolls by, as browsers do. */
const arrowStep = 40;
/** The share of its height that a part is moved by for a page: the rest is still seen. */
const pageShare = 0.875;

const isScroller = (element: Element) =>
  element.scrollHeight > element.clientHeight && /auto|scroll/.test(getComputedStyle(element).overflowY);

/** Heights are rounded: one pixel below is none. */
const hasRoom = ({ scrollTop, scrollHeight, clientHeight }: Element, isDown: boolean) =>
  isDown ? scrollHeight - clientHeight - scrollTop > 1 : scrollTop > 0;

function closest(start: Element | null, isMeant: (element: Element) => boolean): Element | null {
  for (let at = start; at !== null; at = at.parentElement) if (isMeant(at)) return at;
  return null;
}

/** As browsers choose it: the innermost scroller around the focus, else around the first one, that is not at its end yet. */
function scrollerOf(content: Element, isDown: boolean): Element | null {
  const around = closest(document.activeElement, isScroller);
  const first =
    around !== null && content.contains(around)
      ? around
      : ([content, ...content.querySelectorAll('*')].find(isScroller) ?? content);
  return closest(first, (element) => hasRoom(element, isDown) && isScroller(element));
}

/** Rendered before the content, so that a list in it that registers the same keys wins. */
export function ContentKeys({ content }: { content: RefObject<HTMLElement | null> }) {
  const moveBy = (step: number) => {
    const items = [...(content.current?.querySelectorAll<HTMLElement>(pressable) ?? [])].filter(
      (item) => item.tabIndex >= 0 && item.checkVisibility({ visibilityProperty: true }),
    );
    const at = items.indexOf(document.activeElement as HTMLElement);
    items[at === -1 ? 0 : Math.max(0, Math.min(items.length - 1, at + step))]?.focus();
  };
  const scrollBy = (step: 1 | -1, lengthIn: (scroller: Element) => number) => {
    const scroller = content.current === null ? null : scrollerOf(content.current, step > 0);
    scroller?.scrollBy(0, step * lengthIn(scroller));
  };
  const arrow = () => arrowStep;
  const page = ({ clientHeight }: Element) => clientHeight * pageShare;
  const { list, next, previous, scrollDown, scrollUp, pageDown, pageUp } = texts.shortcuts;
  useShortcut(list, ['j'], next, () => moveBy(1));
  useShortcut(list, ['k'], previous, () => moveBy(-1));
  useShortcut(list, ['ArrowDown'], scrollDown, () => scrollBy(1, arrow));
  useShortcut(list, ['ArrowUp'], scrollUp, () => scrollBy(-1, arrow));
  useShortcut(list, ['PageDown'], pageDown, () => scrollBy(1, page));
  useShortcut(list, ['PageUp'], pageUp, () => scrollBy(-1, page));
  return null;
}
