// A read-only text with colours, folds, a search and references that lead on. Knows nothing of what the text is from.
import { java } from '@codemirror/lang-java';
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
import { EditorSelection, EditorState, type Extension, type StateEffect } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import styles from './code-text.module.css';
import { markedLine, markLine } from './marked-line.ts';
import { followedReferences, type Originals, type ReferenceHandlers, type References } from './references.ts';
import { smaliFolding, smaliLanguage, smaliReference } from './smali-language.ts';
import { specialCharacters } from './special-characters.ts';

export type CodeLanguage = 'java' | 'smali' | 'xml' | 'json' | 'plain';

interface CodeTextProps extends ReferenceHandlers {
  text: string;
  language: CodeLanguage;
  label: string;
  /** Brought into view and marked; counts from 1. */
  line?: number | null;
  /** The search stands open from the start. */
  hasSearch?: boolean;
  /** Opens the search with this. */
  find?: string | undefined;
  /** What counts as a reference; smali's own by default. */
  references?: References | undefined;
  /** What the code calls things, by what the text calls them, where references are smali's own. */
  originals?: Originals;
  /** What this text does beside: the editor is made anew with another. */
  beside?: Extension;
}

const nothing: Extension = [];
const noOriginals: Originals = new Map();

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
  java: () => java(),
  smali: () => [smaliLanguage, smaliFolding],
  xml: () => xml(),
  json: () => json(),
  plain: () => [],
};

interface Left {
  readonly label: string;
  readonly head: number;
  readonly scroll: StateEffect<unknown>;
  readonly hasFocus: boolean;
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
  const {
    text,
    language,
    label,
    line = null,
    find = '',
    hasSearch = false,
    onReference,
    onUses,
    onGraph,
    onMenu,
    onCopy,
    onBytes,
    onRename,
    onNote,
  } = props;
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const handlers = useRef<ReferenceHandlers>({});
  handlers.current = { onReference, onUses, onGraph, onMenu, onCopy, onBytes, onRename, onNote };
  /** Where one stood in the text before: one that only has other words in it is not left. */
  const left = useRef<Left>(null);
  /** The line that was brought into view last. */
  const shown = useRef('');
  const hasReferences = onReference !== undefined;
  const { references = smaliReference, beside = nothing, originals = noOriginals } = props;

  useEffect(() => {
    const attributes = { 'aria-label': label, 'aria-readonly': 'true', spellcheck: 'false', tabindex: '0' };
    const { current: before } = left;
    const isSame = before !== null && before.label === label;
    const editor = new EditorView({
      parent: parent.current!,
      doc: text,
      ...(isSame ? { scrollTo: before.scroll, selection: { anchor: Math.min(before.head, text.length) } } : {}),
      extensions: [
        common,
        // Ranges count every character, and an editor that takes a carriage return for the end of a line drops some.
        references instanceof RegExp ? [] : EditorState.lineSeparator.of('\n'),
        languages[language](),
        beside,
        EditorView.contentAttributes.of(attributes),
        hasReferences ? followedReferences(references, handlers, originals) : [],
        keymap.of([...searchKeymap, ...foldKeymap]),
      ],
    });
    view.current = editor;
    if (isSame && before.hasFocus) editor.focus();
    if (hasSearch) {
      openSearchPanel(editor);
      // It takes the focus, and with it the keys that lead to other parts.
      if (document.activeElement instanceof HTMLElement && editor.dom.contains(document.activeElement)) {
        document.activeElement.blur();
      }
    }
    return () => {
      const { state, hasFocus } = editor;
      left.current = { label, head: state.selection.main.head, scroll: editor.scrollSnapshot(), hasFocus };
      editor.destroy();
    };
  }, [text, language, label, hasReferences, hasSearch, references, beside, originals]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text starts at its own line again
  useEffect(() => {
    if (view.current === null) return;
    const place = `${label} ${line}`;
    if (left.current?.label === label && shown.current === place) return;
    shown.current = place;
    showLine(view.current, line);
  }, [line, text, references, beside]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text is searched again
  useEffect(() => {
    if (view.current !== null && find !== '') showFound(view.current, find);
  }, [find, text, references, beside]);

  return <div ref={parent} className={styles.editor} data-testid="code-text" />;
}
