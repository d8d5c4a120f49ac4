// What a person sees on the screen now: labels, fields with what stands in them, buttons, pictures, at their places. Knows no
// way of drawing.
import type { ScreenItem } from '../../../../contract/engine/reports.ts';
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine } from '../../machine/model.ts';
import { worldOf } from '../../world/world.ts';
import { density } from '../resources/resource-values.ts';
import { isPasswordField, viewOf } from '../views/view-tree.ts';
import { shownText, viewKind } from '../views/view-words.ts';
import { type Arranged, arrange, type Box } from './arrangement.ts';
import { shownDialogs } from './dialogs.ts';

const maxItems = 150;
const maxText = 120;
const kinds: Readonly<Record<string, ScreenItem['kind']>> = {
  switch: 'check',
  'check box': 'check',
  'radio button': 'check',
  field: 'field',
  button: 'button',
  picture: 'picture',
  text: 'text',
  'web page': 'page',
};

const clip = (text: string): string => text.slice(0, maxText);

/** The items of a screen with the dialogs on it. @param content the root of its views */
export function pictureOf(machine: Machine, content: HeapObject | null): ScreenItem[] {
  const { width, height } = worldOf(machine).device.screen;
  const items: ScreenItem[] = [];
  if (content !== null)
    collect(machine, arrange(machine, content, width, height), { x: 0, y: 0, width, height }, items);
  for (const dialog of shownDialogs(machine)) addDialog(machine, dialog, { width, height }, items);
  return items;
}

/** @param at the place of what holds it, in which it is seen */
function collect(machine: Machine, { view, box, children }: Arranged, at: Box, items: ScreenItem[]): void {
  const state = viewOf(view);
  const left = at.x + box.x;
  const top = at.y + box.y;
  const seen = {
    x: left,
    y: top,
    width: Math.min(box.width, at.x + at.width - left),
    height: Math.min(box.height, at.y + at.height - top),
  };
  if (state.visibility !== 0 || seen.width <= 0 || seen.height <= 0 || items.length >= maxItems) return;
  const kind = kinds[viewKind(machine, view)];
  const text = clip(shownText(machine, state.text));
  const hint = clip(shownText(machine, state.hint));
  if (kind !== undefined && (kind !== 'text' || text !== '')) {
    items.push({
      ...{ kind: kind === 'field' && isPasswordField(state) ? 'password' : kind, ...rounded(seen) },
      ...(text === '' ? {} : { text }),
      ...(hint === '' ? {} : { hint }),
      ...(kind === 'check' ? { is_checked: state.isChecked } : {}),
    });
  }
  for (const child of children) collect(machine, child, seen, items);
}

const rounded = ({ x, y, width, height }: Box): Box => ({
  ...{ x: Math.round(x), y: Math.round(y) },
  ...{ width: Math.round(width), height: Math.round(height) },
});

/** A dialog in the middle: title, message, what the app put into it, buttons. */
function addDialog(
  machine: Machine,
  { title, message, content, buttons }: ReturnType<typeof shownDialogs>[number],
  screen: Pick<Box, 'width' | 'height'>,
  items: ScreenItem[],
): void {
  const line = 24 * density(machine);
  const width = screen.width * 0.84;
  const x = (screen.width - width) / 2;
  const inner = { x: x + line, width: width - 2 * line };
  const parts: ScreenItem[] = [];
  let y = line;
  const add = (kind: ScreenItem['kind'], text: string, height: number): void => {
    if (text === '') return;
    parts.push({ kind, ...rounded({ ...inner, y, height }), text: clip(text) });
    y += height + line / 2;
  };
  add('text', title, line);
  add('text', message, Math.max(1, Math.ceil(message.length / 40)) * line);
  if (content !== null) {
    const arranged = arrange(machine, content, inner.width, screen.height * 0.5);
    collect(machine, arranged, { ...inner, y, height: screen.height * 0.5 }, parts);
    y += arranged.box.height + line / 2;
  }
  for (const text of buttons) add('button', text, 2 * line);
  const top = Math.max(0, (screen.height - y) / 2);
  items.push({ kind: 'dialog', ...rounded({ x, y: top, width, height: y + line / 2 }) });
  for (const part of parts) items.push({ ...part, y: Math.round(part.y + top) });
  items.length = Math.min(items.length, maxItems);
}
