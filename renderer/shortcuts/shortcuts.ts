// Keyboard shortcuts: one listener, one list that the help shows. Knows nothing of what they do.
import { useEffect, useRef } from 'react';
import { create } from 'zustand';

interface Shortcut {
  /** Keys as `KeyboardEvent.key`, a sequence parted by blanks: `g c`. */
  keys: string[];
  description: string;
  group: string;
}

interface RegisteredShortcut extends Shortcut {
  run: () => void;
}

interface ShortcutsState {
  registered: RegisteredShortcut[];
}

export const useShortcutList = create<ShortcutsState>(() => ({ registered: [] }));

/** A second key of a sequence has to come within this time. */
const sequenceTimeout = 1200;
let pending = '';
let pendingSince = 0;

/** Keys in a text that can only be read are not typing. */
const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  ((target.isContentEditable && target.ariaReadOnly !== 'true') ||
    /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    target.closest('[role="dialog"]') !== null);

/** Enter and blank press what has the focus. */
const isPressable = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('a,button,[role="button"],[role="tab"],[role="menuitem"]') !== null;

/** Keys pressed while a dialog or a menu is open are its own, also before it has taken the focus. */
const keysOfOverlays = new WeakSet<KeyboardEvent>();

function onKeyDownFirst(event: KeyboardEvent): void {
  if (document.querySelector('[aria-modal="true"],[role="menu"]') !== null) keysOfOverlays.add(event);
}

function onKeyDown(event: KeyboardEvent): void {
  if (keysOfOverlays.has(event)) return;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (isTyping(event.target)) return;
  if ((event.key === 'Enter' || event.key === ' ') && isPressable(event.target)) return;
  const now = Date.now();
  const sequence = pending !== '' && now - pendingSince < sequenceTimeout ? `${pending} ${event.key}` : event.key;
  const { registered } = useShortcutList.getState();
  const find = (keys: string) => registered.findLast((shortcut) => shortcut.keys.includes(keys));
  const shortcut = find(sequence) ?? find(event.key);
  pending = '';
  if (shortcut !== undefined) {
    event.preventDefault();
    shortcut.run();
    return;
  }
  if (registered.some(({ keys }) => keys.some((candidate) => candidate.startsWith(`${event.key} `)))) {
    pending = event.key;
    pendingSince = now;
  }
}

// Before the overlay closes itself, and after.
window.addEventListener('keydown', onKeyDownFirst, { capture: true });
window.addEventListener('keydown', onKeyDown);

/** Registers a shortcut while the component is there; the last one registered wins. */
export function useShortcut(group: string, keys: string[], description: string, run: () => void): void {
  const latest = useRef(run);
  latest.current = run;
  const joined = keys.join('\n');
  useEffect(() => {
    const shortcut = { group, keys: joined.split('\n'), description, run: () => latest.current() };
    useShortcutList.setState(({ registered }) => ({ registered: [...registered, shortcut] }));
    return () =>
      useShortcutList.setState(({ registered }) => ({
        registered: registered.filter((candidate) => candidate !== shortcut),
      }));
  }, [group, joined, description]);
}
