// What a person sees of a view, in words: its kind, the text on it, its id. Knows no event.

import { optionalText } from '../../java/values.ts';
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine } from '../../machine/model.ts';
import type { Reference } from '../model-parts.ts';
import { resolveResource, resourceName } from '../resources/resource-values.ts';
import { viewOf } from './view-tree.ts';

const maxText = 80;

/** A text that the app shows: characters, or the id of a resource. */
export function shownText(machine: Machine, value: Reference | number): string {
  if (typeof value === 'number') return resolveResource(machine, value)?.text ?? '';
  return value === null ? '' : (optionalText(value) ?? '');
}

/** A text in quotation marks, cut; nothing for an empty one. */
export const quoted = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line === '') return '';
  return ` "${line.length > maxText ? `${line.slice(0, maxText)}…` : line}"`;
};

/** The views of the platform that people have names for, the special ones first. */
const kinds: readonly (readonly [descriptor: string, name: string])[] = [
  ['Landroid/widget/Switch;', 'switch'],
  ['Landroid/widget/CheckBox;', 'check box'],
  ['Landroid/widget/RadioButton;', 'radio button'],
  ['Landroid/widget/EditText;', 'field'],
  ['Landroid/widget/Button;', 'button'],
  ['Landroid/widget/ImageButton;', 'button'],
  ['Landroid/widget/ImageView;', 'picture'],
  ['Landroid/widget/TextView;', 'text'],
  ['Landroid/widget/AdapterView;', 'list'],
  ['Landroid/webkit/WebView;', 'web page'],
];

/** What people call such a view: `button`; `view` where there is no word for it. */
export const viewKind = (machine: Machine, view: HeapObject): string =>
  kinds.find(([descriptor]) => machine.isInstance(view, descriptor))?.[1] ?? 'view';

/** `button "Log in" (login)` */
export function viewWords(machine: Machine, view: HeapObject): string {
  const { text, hint, id } = viewOf(view);
  const kind = viewKind(machine, view);
  // What stands in a field is what was typed; its hint says what it is for.
  const words = kind === 'field' ? shownText(machine, hint) : shownText(machine, text);
  const name = id === -1 ? '' : resourceName(machine, id).replace(/^.*\//, '');
  return `${kind}${quoted(words)}${name === '' ? '' : ` (${name})`}`;
}
