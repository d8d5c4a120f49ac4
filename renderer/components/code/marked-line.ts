// One line of a text that stands out. Knows nothing of why.
import { type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import styles from './code-text.module.css';

/** Marks a line, from 1, in place of the one before; null marks none. */
export const markLine = StateEffect.define<number | null>();

export const markedLine: Extension = StateField.define<DecorationSet>({
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
