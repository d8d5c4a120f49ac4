// A read-only text with colours, folds, a search and references that lead on. Knows nothing of what the text is from.
import { json } from '@codemirror/lang-json';
import { xml } from '@codemirror/lang-xml';
import { codeFolding, foldGutter, foldKeymap, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import {
  highlightSelectionMatches,
  openSearchPanel,
  SearchQuery,
  search,
  searchKeymap,
  setSearchQuery,
} from '@codemirror/search';
import { EditorSelection, EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { type RefObject, useEffect, useRef } from 'react';
import styles from './code-text.module.css';
import { smaliFolding, smaliLanguage, smaliReference } from './smali-language.ts';
import { specialCharacters } from './special-characters.ts';

export type CodeLanguage = 'smali' | 'xml' | 'json' | 'plain';

/** A pointer that moves less between press and release clicks, in pixels. */
const dragDistance = 4;

interface CodeTextProps {
  text: string;
  language: CodeLanguage;
  label: string;
  /** Brought into view and marked; counts from 1. */
  line?: number | null;
  /** The search stands open from the start. */
  hasSearch?: boolean;
  /** Opens the search with this. */
  find?: string | undefined;
  /** What counts as a reference; smali's own by default. Global, and without side effects. */
  references?: RegExp | undefined;
  /** A reference was clicked, or `Enter` or F12 pressed on it. */
  onReference?: ((target: string) => void) | undefined;
  /** `x` was pressed on a reference: who uses it? */
  onUses?: ((target: string) => void) | undefined;
}

const highlighting = HighlightStyle.define([
  { tag: [tags.keyword, tags.tagName, tags.angleBracket], color: 'var(--code-tag)' },
  { tag: [tags.operatorKeyword, tags.attributeName, tags.propertyName], color: 'var(--code-name)' },
  { tag: [tags.string, tags.attributeValue], color: 'var(--code-value)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--tone-medium)' },
  { tag: [tags.typeName, tags.className], color: 'var(--tone-info)' },
  { tag: tags.labelName, color: 'var(--tone-low)' },
  { tag: [tags.modifier, tags.meta, tags.processingInstruction], color: 'var(--text-soft)' },
  { tag: tags.comment, color: 'var(--text-faint)', fontStyle: 'italic' },
]);

const languages: Record<CodeLanguage, () => Extension> = {
  smali: () => [smaliLanguage, smaliFolding],
  xml: () => xml(),
  json: () => json(),
  plain: () => [],
};

const markLine = StateEffect.define<number | null>();
const markedLine = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let current = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(markLine)) continue;
      const mark = Decoration.line({ class: styles.current! });
      const { value } = effect;
      current = value === null ? Decoration.none : Decoration.set([mark.range(transaction.state.doc.line(value).from)]);
    }
    return current;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Marks what a pattern finds, as far as it is in view. */
function referenceMarks(pattern: RegExp): Extension {
  const matches = new MatchDecorator({ regexp: pattern, decoration: Decoration.mark({ class: styles.reference! }) });
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

/** The reference that a position stands in, null where it stands in none. */
function referenceAt(view: EditorView, position: number, pattern: RegExp): string | null {
  const line = view.state.doc.lineAt(position);
  for (const match of line.text.matchAll(pattern)) {
    const start = line.from + match.index;
    if (position >= start && position <= start + match[0].length) return match[0];
  }
  return null;
}

type Handlers = RefObject<Pick<CodeTextProps, 'onReference' | 'onUses'>>;

/** References are marked, and lead on by a click or a key. */
function followedReferences(pattern: RegExp, handlers: Handlers): Extension {
  const followWithin = (editor: EditorView, to: 'onReference' | 'onUses') => {
    const target = referenceAt(editor, editor.state.selection.main.head, pattern);
    if (target === null || handlers.current[to] === undefined) return false;
    handlers.current[to](target);
    return true;
  };
  let pressed = { x: 0, y: 0 };
  return [
    referenceMarks(pattern),
    keymap.of([
      { key: 'Enter', run: (at) => followWithin(at, 'onReference') },
      { key: 'F12', run: (at) => followWithin(at, 'onReference') },
      { key: 'x', run: (at) => followWithin(at, 'onUses') },
    ]),
    EditorView.domEventHandlers({
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
        const target = position === null ? null : referenceAt(at, position, pattern);
        if (target === null) return false;
        handlers.current.onReference?.(target);
        return true;
      },
    }),
  ];
}

/** What every text has. */
const common: Extension = [
  EditorState.readOnly.of(true),
  lineNumbers(),
  codeFolding(),
  foldGutter(),
  drawSelection(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  search({ top: true }),
  specialCharacters,
  syntaxHighlighting(highlighting),
  markedLine,
  EditorView.lineWrapping,
];

/** Brings a line into view and marks it. */
function showLine(editor: EditorView, line: number | null): void {
  const wanted = line === null ? null : Math.min(Math.max(1, line), editor.state.doc.lines);
  const effects: StateEffect<unknown>[] = [markLine.of(wanted)];
  if (wanted !== null) {
    const { from } = editor.state.doc.line(wanted);
    editor.dispatch({ selection: EditorSelection.cursor(from) });
    effects.push(EditorView.scrollIntoView(from, { y: 'center' }));
  }
  editor.dispatch({ effects });
}

/** Opens the search with a text, at the first place that has it. */
function showFound(editor: EditorView, find: string): void {
  openSearchPanel(editor);
  editor.dispatch({ effects: setSearchQuery.of(new SearchQuery({ search: find })) });
  const at = editor.state.doc.toString().toLowerCase().indexOf(find.toLowerCase());
  if (at < 0) return;
  editor.dispatch({
    selection: EditorSelection.range(at, at + find.length),
    effects: EditorView.scrollIntoView(at, { y: 'center' }),
  });
}

export function CodeText(props: CodeTextProps) {
  const { text, language, label, line = null, find = '', hasSearch = false, onReference, onUses } = props;
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const handlers: Handlers = useRef({ onReference, onUses });
  handlers.current = { onReference, onUses };
  const hasReferences = onReference !== undefined;
  const pattern = props.references ?? smaliReference;

  useEffect(() => {
    const attributes = { 'aria-label': label, 'aria-readonly': 'true', spellcheck: 'false', tabindex: '0' };
    const editor = new EditorView({
      parent: parent.current!,
      doc: text,
      extensions: [
        common,
        languages[language](),
        EditorView.contentAttributes.of(attributes),
        hasReferences ? followedReferences(pattern, handlers) : [],
        keymap.of([...searchKeymap, ...foldKeymap]),
      ],
    });
    view.current = editor;
    if (hasSearch) {
      openSearchPanel(editor);
      // It takes the focus, and with it the keys that lead to other parts.
      if (document.activeElement instanceof HTMLElement && editor.dom.contains(document.activeElement)) {
        document.activeElement.blur();
      }
    }
    return () => editor.destroy();
  }, [text, language, label, hasReferences, hasSearch, pattern]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text starts at its own line again
  useEffect(() => {
    if (view.current !== null) showLine(view.current, line);
  }, [line, text]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text is searched again
  useEffect(() => {
    if (view.current !== null && find !== '') showFound(view.current, find);
  }, [find, text]);

  return <div ref={parent} className={styles.editor} data-testid="code-text" />;
}
