// Shows a string out of an APK as text and nothing else: bounded, isolated from the text around it, with every
// character that would hide or reorder text made visible. Knows nothing of where the string comes from.
import { memo, type ReactNode, useState } from 'react';
import { texts } from '../../texts.ts';
import { deceptive } from './deceptive-characters.ts';
import styles from './hostile-text.module.css';

/** Long enough for every honest class name, short enough that a thousand of them lay out at once. */
const defaultMax = 300;
/** The most that "show all" shows; the raw report has the rest. */
const expandedMax = 50_000;

const nameOf = (characters: string) => {
  if (characters === '\n') return '↵';
  if (characters === '\t') return '⇥';
  if (/^\p{M}{5,}$/u.test(characters)) return texts.hostile.stackedMarks([...characters].length);
  return `U+${characters.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
};

/** The beginning of a text, never with half of a character at its end. */
const beginningOf = (value: string, max: number) => value.slice(0, max).replace(/[\ud800-\udbff]$/, '');

/** Splits a string into plain runs and named, visible stand-ins for its deceptive characters. */
function visibleParts(value: string): ReactNode {
  // `search` looks from the start and leaves the pattern as it is; `test` would move where `matchAll` begins.
  if (value.search(deceptive) === -1) return value;
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of value.matchAll(deceptive)) {
    if (match.index > end) parts.push(value.slice(end, match.index));
    parts.push(
      <span key={match.index} className={styles.mark} title={texts.hostile.hiddenCharacter}>
        {nameOf(match[0])}
      </span>,
    );
    end = match.index + match[0].length;
  }
  if (end < value.length) parts.push(value.slice(end));
  return parts;
}

/** The same for places that take a plain string only, such as `title`. */
export function visibleString(value: string, max = defaultMax): string {
  const shown = value.length > max ? `${beginningOf(value, max)}…` : value;
  return shown.replace(deceptive, (characters) => `‹${nameOf(characters)}›`);
}

interface HostileTextProps {
  value: string;
  max?: number;
  /** An identifier, a path or code. */
  mono?: boolean;
  /** Runs from left to right in every script, as code does: a file's ending stays at its end. */
  isLtr?: boolean;
  /** Inside a link, a button or a list row there can be no other button: the rest is only counted. */
  isFixed?: boolean;
}

export const HostileText = memo(function HostileText({
  value,
  max = defaultMax,
  mono = false,
  isLtr = mono,
  isFixed,
}: HostileTextProps) {
  const [isOpen, setOpen] = useState(false);
  const limit = isOpen ? expandedMax : max;
  const surplus = value.length - limit;
  return (
    <bdi className={mono ? styles.mono : styles.plain} dir={isLtr ? 'ltr' : undefined}>
      {visibleParts(surplus > 0 ? beginningOf(value, limit) : value)}
      {surplus > 0 && (isFixed === true || isOpen) && <span className={styles.surplus}>…</span>}
      {surplus > 0 && isFixed !== true && !isOpen && (
        <button type="button" className={styles.more} onClick={() => setOpen(true)}>
          {texts.hostile.more(surplus)}
        </button>
      )}
    </bdi>
  );
});
