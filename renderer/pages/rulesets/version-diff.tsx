// Two texts of a ruleset side by side. Knows nothing of versions.
import { syntaxHighlighting } from '@codemirror/language';
import { MergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import codeStyles from '../../components/code/code-text.module.css';
import { specialCharacters } from '../../components/code/special-characters.ts';
import styles from './rulesets.module.css';
import { yaraHighlighting } from './yara-editor.tsx';
import { yaraLanguage } from './yara-language.ts';

export default function VersionDiff({ before, after, label }: { before: string; after: string; label: string }) {
  const parent = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const extensions = [
      EditorState.readOnly.of(true),
      lineNumbers(),
      specialCharacters,
      yaraLanguage,
      syntaxHighlighting(yaraHighlighting),
      EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': 'true', tabindex: '0' }),
    ];
    const merge = new MergeView({
      parent: parent.current!,
      a: { doc: before, extensions },
      b: { doc: after, extensions },
      collapseUnchanged: { margin: 3, minSize: 6 },
    });
    return () => merge.destroy();
  }, [before, after, label]);
  return <div ref={parent} className={`${codeStyles.editor} ${styles.diff}`} data-testid="version-diff" />;
}
