// The editor of YARA rules: colours, completion, faults in place as one types. Knows nothing of saving.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, forceLinting, linter, lintGutter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorSelection, EditorState, type Extension, type Text } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { type Ref, type RefObject, useEffect, useImperativeHandle, useRef } from 'react';
import type { RuleDiagnostic } from '../../../server/contract/engine/yara.ts';
import type { RulesVerdict } from '../../../server/contract/rules/dry-run.ts';
import { fetchVerdict, fetchVocabulary } from '../../api/ruleset-queries.ts';
import codeStyles from '../../components/code/code-text.module.css';
import { specialCharacters } from '../../components/code/special-characters.ts';
import styles from './rulesets.module.css';
import { rulesetsTexts } from './texts.ts';
import { yaraCompletion, yaraLanguage } from './yara-language.ts';

export interface YaraEditorHandle {
  setText(text: string): void;
  /** Counted from 1. */
  goTo(line: number, column: number): void;
}

interface YaraEditorProps {
  text: string;
  isReadOnly: boolean;
  onChange: (text: string) => void;
  onVerdict: (verdict: RulesVerdict | null) => void;
  handle: Ref<YaraEditorHandle>;
}

/** Milliseconds without a key after which the rules are checked. */
const checkDelay = 400;

export const yaraHighlighting = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--code-name)' },
  { tag: tags.string, color: 'var(--code-value)' },
  { tag: [tags.number, tags.bool], color: 'var(--tone-medium)' },
  { tag: tags.labelName, color: 'var(--tone-info)' },
  { tag: tags.propertyName, color: 'var(--code-tag)' },
  { tag: tags.comment, color: 'var(--text-faint)', fontStyle: 'italic' },
]);

/** Columns of diagnostics count characters, positions of the editor UTF-16 units. */
function positionOf(document: Text, line: number, column: number): number {
  const at = document.line(Math.min(Math.max(1, line), document.lines));
  const units = [...at.text].slice(0, Math.max(0, column - 1)).join('').length;
  return Math.min(at.to, at.from + units);
}

function diagnosticOf(document: Text, severity: 'error' | 'warning', fault: RuleDiagnostic): Diagnostic {
  const from = positionOf(document, fault.line, fault.column);
  const to = Math.max(positionOf(document, fault.end_line, fault.end_column), Math.min(from + 1, document.length));
  return { from, to, severity, message: fault.help === null ? fault.title : `${fault.title}\n${fault.help}` };
}

type Told = RefObject<Pick<YaraEditorProps, 'onChange' | 'onVerdict'>>;

/** Has the server check the rules once typing rests; the faults stand in the text. */
function checkedRules(told: Told, checking: { current: AbortController }): Extension {
  return linter(
    async ({ state: { doc } }) => {
      checking.current.abort();
      checking.current = new AbortController();
      const rules = doc.toString();
      if (rules.trim() === '') {
        told.current.onVerdict(null);
        return [];
      }
      try {
        const verdict = await fetchVerdict(rules, checking.current.signal);
        told.current.onVerdict(verdict);
        return [
          ...verdict.errors.map((fault) => diagnosticOf(doc, 'error', fault)),
          ...verdict.warnings.map((fault) => diagnosticOf(doc, 'warning', fault)),
        ];
      } catch (error) {
        // A later keystroke asked again, or the server is offline, which the banner shows.
        console.info('The rules were not checked.', error);
        return [];
      }
    },
    { delay: checkDelay },
  );
}

/** What every editor has. */
const common: Extension = [
  lineNumbers(),
  lintGutter(),
  history(),
  drawSelection(),
  highlightActiveLine(),
  specialCharacters,
  highlightSelectionMatches(),
  bracketMatching(),
  closeBrackets(),
  indentOnInput(),
  search({ top: true }),
  yaraLanguage,
  syntaxHighlighting(yaraHighlighting),
  EditorView.contentAttributes.of({ 'aria-label': rulesetsTexts.editor, spellcheck: 'false', tabindex: '0' }),
  keymap.of([
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...lintKeymap,
    ...defaultKeymap,
    indentWithTab,
  ]),
];

export function YaraEditor({ text, isReadOnly, onChange, onVerdict, handle }: YaraEditorProps) {
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const told: Told = useRef({ onChange, onVerdict });
  told.current = { onChange, onVerdict };
  const initial = useRef(text);

  useEffect(() => {
    const checking = { current: new AbortController() };
    const vocabulary = fetchVocabulary().then(yaraCompletion);
    const editor = new EditorView({
      parent: parent.current!,
      doc: initial.current,
      extensions: [
        EditorState.readOnly.of(isReadOnly),
        EditorView.editable.of(!isReadOnly),
        common,
        autocompletion({ override: [async (context) => (await vocabulary)(context)] }),
        checkedRules(told, checking),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) told.current.onChange(update.state.doc.toString());
        }),
      ],
    });
    view.current = editor;
    forceLinting(editor);
    return () => {
      checking.current.abort();
      editor.destroy();
    };
  }, [isReadOnly]);

  useImperativeHandle(handle, () => ({
    setText(next) {
      const editor = view.current;
      editor?.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: next } });
    },
    goTo(line, column) {
      const editor = view.current;
      if (editor === null) return;
      const at = positionOf(editor.state.doc, line, column);
      editor.dispatch({
        selection: EditorSelection.cursor(at),
        effects: EditorView.scrollIntoView(at, { y: 'center' }),
      });
      editor.focus();
    },
  }));

  return <div ref={parent} className={`${codeStyles.editor} ${styles.editor}`} data-testid="yara-editor" />;
}
