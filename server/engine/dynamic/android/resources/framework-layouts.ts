// The framework's own layouts that apps name for rows of their lists: `android.R.layout`. Knows no app's resources.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine } from '../../machine/model.ts';
import { addChild, viewOf } from '../views/view-tree.ts';

const ids = { text1: 0x01020014, text2: 0x01020015, icon: 0x01020006, list: 0x0102000a } as const;

/** A view's class, its id's name, and what is in it. */
type Shape = readonly [name: string, id: keyof typeof ids | null, ...children: Shape[]];

const text: Shape = ['TextView', 'text1'];
const checked: Shape = ['CheckedTextView', 'text1'];
const twoLines: Shape = ['TwoLineListItem', null, ['TextView', 'text1'], ['TextView', 'text2']];

/** By the lower half of their public ids. */
const layouts: readonly (Shape | null)[] = [
  ['LinearLayout', null, ['ImageView', 'icon'], ['TextView', 'text1']], // activity_list_item
  ['ExpandableListView', 'list'], // expandable_list_content
  text, // preference_category
  text, // simple_list_item_1
  twoLines, // simple_list_item_2
  checked, // simple_list_item_checked
  text, // simple_expandable_list_item_1
  twoLines, // simple_expandable_list_item_2
  text, // simple_spinner_item
  checked, // simple_spinner_dropdown_item
  text, // simple_dropdown_item_1line
  text, // simple_gallery_item
  text, // test_list_item
  twoLines, // two_line_list_item
  null, // browser_link_context_header
  checked, // simple_list_item_single_choice
  checked, // simple_list_item_multiple_choice
  text, // select_dialog_item
  checked, // select_dialog_singlechoice
  checked, // select_dialog_multichoice
  ['FrameLayout', null, ['ListView', 'list']], // list_content
  text, // simple_selectable_list_item
  text, // simple_list_item_activated_1
  twoLines, // simple_list_item_activated_2
];

/** The views of one of the framework's layouts; null for any other id. */
export function frameworkLayout(machine: Machine, id: number, context: HeapObject): HeapObject | null {
  const shape = id >>> 16 === 0x0109 ? (layouts[id & 0xffff] ?? null) : null;
  return shape === null ? null : make(machine, shape, context);
}

function make(machine: Machine, [name, id, ...children]: Shape, context: HeapObject): HeapObject {
  const view = machine.construct(`Landroid/widget/${name};`, '<init>(Landroid/content/Context;)V', context);
  if (id !== null) viewOf(view).id = ids[id];
  for (const child of children) addChild(view, make(machine, child, context));
  return view;
}
