// What of a text leads on: by a pattern, or by ranges that are known. Knows nothing of what they lead to.
import { syntaxTree } from '@codemirror/language';
import type { EditorState, Extension, Range } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  keymap,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import type { RefObject } from 'react';
import { visibleString } from '../text/hostile-text.tsx';
import styles from './code-text.module.css';
import { literalText } from './string-literal.ts';

/** A range of the text that names something, in UTF-16 units from its start. */
export interface TextReference {
  readonly start: number;
  readonly end: number;
  readonly target: string;
  /** A name that leads nowhere: a variable's. */
  readonly isName?: boolean;
  /** What the code calls it, where it is called otherwise. */
  readonly original?: string | undefined;
}

/** A global pattern without side effects, or ranges in their order, none within another. */
export type References = RegExp | readonly TextReference[];

/** What the code calls things, by what a text that is searched by a pattern calls them. */
export type Originals = ReadonlyMap<string, string>;

export interface ReferenceHandlers {
  /** A reference was clicked, or `Enter` or F12 pressed on it. */
  onReference?: ((target: string) => void) | undefined;
  /** `x` was pressed on a reference: who uses it? */
  onUses?: ((target: string) => void) | undefined;
  /** `G` was pressed on a reference: what is around it? */
  onGraph?: ((target: string) => void) | undefined;
  /** The menu was asked for on a reference or a text in quotes, which comes after a quotation mark; where it stands in the window. */
  onMenu?: ((target: string, x: number, y: number) => void) | undefined;
  /** `F` or `Y` was pressed on one of them. */
  onCopy?: ((target: string, as: 'frida' | 'yara') => void) | undefined;
  /** `B` was pressed: on a reference, or null, with lines that are selected or the one of the cursor, from 1. */
  onBytes?: ((target: string | null, lines: LineRange) => void) | undefined;
  /** `N` was pressed: on a reference, or null, in a line, from 1. */
  onRename?: ((target: string | null, line: number) => void) | undefined;
  /** `;` was pressed in a line, from 1. */
  onNote?: ((line: number) => void) | undefined;
}

/** Lines from the first to the last. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
  /** Whether they were selected. */
  readonly isSelection: boolean;
}

/** Characters of a name under the pointer. */
const maxTitle = 200;
/** A pointer that moves less between press and release clicks, in pixels. */
const dragDistance = 4;

const plain = Decoration.mark({ class: styles.reference! });

/** How a reference looks, or a name; what it is called in the code shows under the pointer. */
function markFor(original: string | undefined, isName = false): Decoration {
  if (original === undefined && !isName) return plain;
  const classes = [isName ? styles.name! : styles.reference!, ...(original === undefined ? [] : [styles.renamed!])];
  const mark = { class: classes.join(' ') };
  if (original === undefined) return Decoration.mark(mark);
  return Decoration.mark({ ...mark, attributes: { title: visibleString(original, maxTitle) } });
}

/** Marks what a pattern finds, as far as it is in view. */
function patternMarks(pattern: RegExp, originals: Originals): Extension {
  const decoration = ([text]: RegExpMatchArray) => markFor(originals.get(text!));
  const matches = new MatchDecorator({ regexp: pattern, decoration });
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = matches.createDeco(view);
      }
      update(update: ViewUpdate) {
        this.decorations = matches.updateDeco(update, this.decorations);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );
}

/** The place among ranges of the last that starts at a position or before it, -1 where none does. */
function lastBefore(ranges: readonly TextReference[], position: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.start <= position) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The reference that a position stands in, null where it stands in none. */
function referenceAt(
  state: EditorState,
  position: number,
  references: References,
  originals: Originals,
): string | null {
  if (!(references instanceof RegExp)) {
    const at = lastBefore(references, position);
    // At the end of one it is that one's, unless another starts there.
    const found = [references[at], references[at - 1]].find((one) => one !== undefined && position <= one.end);
    return found?.target ?? null;
  }
  const line = state.doc.lineAt(position);
  for (const match of line.text.matchAll(references)) {
    const start = line.from + match.index;
    if (position >= start && position <= start + match[0].length) return originals.get(match[0]) ?? match[0];
  }
  return null;
}

/** A text in quotes that a position stands in, after a quotation mark; null where it stands in none. */
function textAt(view: EditorView, position: number): string | null {
  const { name, from, to } = syntaxTree(view.state).resolveInner(position, 1);
  if (!/^string$|^StringLiteral$/.test(name)) return null;
  const text = literalText(view.state.sliceDoc(from, to));
  return text === null ? null : `"${text}`;
}

function marksOf(references: References, originals: Originals): Extension {
  if (references instanceof RegExp) return patternMarks(references, originals);
  const ranges = references.map(
    ({ start, end, original, isName }): Range<Decoration> => markFor(original, isName).range(start, end),
  );
  return EditorView.decorations.of(Decoration.set(ranges));
}

/** References are marked, and lead on by a click or a key. */
export function followedReferences(
  references: References,
  handlers: RefObject<ReferenceHandlers>,
  originals: Originals,
): Extension {
  const reference = (editor: EditorView, position: number) =>
    referenceAt(editor.state, position, references, originals);
  const targetAt = (editor: EditorView, position: number) => reference(editor, position) ?? textAt(editor, position);
  /** Does something with what the cursor stands on. */
  const atCursor = (act: (target: string, editor: EditorView) => void) => (editor: EditorView) => {
    const target = targetAt(editor, editor.state.selection.main.head);
    if (target !== null) act(target, editor);
    return target !== null;
  };
  const follow = (editor: EditorView) => {
    const target = reference(editor, editor.state.selection.main.head);
    if (target !== null) handlers.current.onReference?.(target);
    return target !== null;
  };
  const openMenu = (target: string, editor: EditorView) => {
    const place = editor.coordsAtPos(editor.state.selection.main.head);
    if (place !== null) handlers.current.onMenu?.(target, place.left, place.bottom);
  };
  let pressed = { x: 0, y: 0 };
  return [
    marksOf(references, originals),
    keymap.of([
      { key: 'Enter', run: follow },
      { key: 'F12', run: follow },
      { key: 'x', run: atCursor((target) => handlers.current.onUses?.(target)) },
      { key: 'G', run: atCursor((target) => handlers.current.onGraph?.(target)) },
      { key: 'm', run: atCursor(openMenu) },
      { key: 'F', run: atCursor((target) => handlers.current.onCopy?.(target, 'frida')) },
      {
        key: 'B',
        run: ({ state }) => {
          const { from, to, empty, head } = state.selection.main;
          const [first, last] = [from, to].map((at) => state.doc.lineAt(at).number);
          handlers.current.onBytes?.(empty ? referenceAt(state, head, references, originals) : null, {
            first: first!,
            last: last!,
            isSelection: !empty,
          });
          return handlers.current.onBytes !== undefined;
        },
      },
      {
        key: 'N',
        run: (editor) => {
          const { head } = editor.state.selection.main;
          handlers.current.onRename?.(reference(editor, head), editor.state.doc.lineAt(head).number);
          return handlers.current.onRename !== undefined;
        },
      },
      {
        key: ';',
        run: (editor) => {
          handlers.current.onNote?.(editor.state.doc.lineAt(editor.state.selection.main.head).number);
          return handlers.current.onNote !== undefined;
        },
      },
      { key: 'Y', run: atCursor((target) => handlers.current.onCopy?.(target, 'yara')) },
    ]),
    EditorView.domEventHandlers({
      contextmenu: (event, at) => {
        const { clientX, clientY } = event;
        const position = at.posAtCoords({ x: clientX, y: clientY });
        const target = position === null ? null : targetAt(at, position);
        // Over a selection it is the browser's own, which copies.
        if (target === null || handlers.current.onMenu === undefined || !at.state.selection.main.empty) return false;
        event.preventDefault();
        handlers.current.onMenu(target, clientX, clientY);
        return true;
      },
      mousedown: ({ clientX, clientY }) => {
        pressed = { x: clientX, y: clientY };
        return false;
      },
      // Not `click`: the text under the pointer may be drawn anew between press and release, and then there is none.
      mouseup: (event, at) => {
        const isLink = event.target instanceof Element && event.target.closest(`.${styles.reference}`) !== null;
        // Whoever drags selects text.
        const moved = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y);
        if (!isLink || event.button !== 0 || moved > dragDistance) return false;
        const position = at.posAtCoords({ x: event.clientX, y: event.clientY });
        const target = position === null ? null : reference(at, position);
        if (target === null) return false;
        handlers.current.onReference?.(target);
        return true;
      },
    }),
  ];
}
