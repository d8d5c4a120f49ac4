// Makes characters visible that hide or reorder what stands in an editor. Knows no language.
import { highlightSpecialChars } from '@codemirror/view';
import { texts } from '../../texts.ts';
import styles from './code-text.module.css';

/** What hides or reorders text beside the controls that the editor marks by itself. */
const hidden =
  /\u034f|\u17b4|\u17b5|\u180b|\u180c|\u180d|\u180f|[\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]/gu;

export const specialCharacters = highlightSpecialChars({
  addSpecialChars: hidden,
  render: (code) => {
    const mark = document.createElement('span');
    mark.className = styles.special!;
    mark.textContent = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
    mark.title = texts.hostile.hiddenCharacter;
    return mark;
  },
});
