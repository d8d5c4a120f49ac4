// The view hierarchy on screen: views with their state, parents and listeners. Knows no class's methods.
import type { XmlElement } from '../../../formats/axml/document.ts';
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine } from '../../machine/model.ts';
import { appOf } from '../components/app.ts';
import { type Reference, stateOf } from '../model-parts.ts';

export interface ViewState {
  id: number;
  context: Reference;
  parent: Reference;
  readonly children: HeapObject[];
  text: Reference;
  hint: Reference;
  inputType: number;
  tag: Reference;
  readonly tags: Map<number, Reference>;
  visibility: number;
  isEnabled: boolean;
  isChecked: boolean;
  /** Where it is a root on screen: the activity or dialog that shows it. */
  owner: Reference;
  adapter: Reference;
  /** Of the layout that it comes from. */
  element: XmlElement | null;
  /** Of a group that was told one: 0 across, 1 down. */
  orientation: number | null;
  /** Method of the activity that the layout names for clicks. */
  onClickName: string | null;
  /** `run` of text watchers and the like. */
  readonly watchers: HeapObject[];
  readonly properties: Map<string, Reference>;
}

export const viewOf = (view: HeapObject): ViewState =>
  stateOf<ViewState>(view, () => ({
    id: -1,
    context: null,
    parent: null,
    children: [],
    text: null,
    hint: null,
    inputType: 0,
    tag: null,
    tags: new Map(),
    visibility: 0,
    isEnabled: true,
    isChecked: false,
    owner: null,
    adapter: null,
    element: null,
    orientation: null,
    onClickName: null,
    watchers: [],
    properties: new Map(),
  }));

const passwordVariations: ReadonlySet<number> = new Set([0x80, 0x90, 0xe0]);

/** Whether `android:inputType` is a password: of text or of digits. */
export function isPasswordField({ inputType }: ViewState): boolean {
  const variation = inputType & 0xff0;
  return (inputType & 0xf) === 2 ? variation === 0x10 : (inputType & 0xf) === 1 && passwordVariations.has(variation);
}

/** Layouts nest a few dozen levels; an app may have built a cycle. */
const maxDepth = 200;
const maxViews = 20_000;

/** @param index among the children; any other number appends */
export function addChild(parent: HeapObject, child: HeapObject, index = -1): void {
  const state = viewOf(child);
  if (state.parent !== null) removeChild(state.parent, child);
  state.parent = parent;
  const { children } = viewOf(parent);
  if (index >= 0 && index < children.length) children.splice(index, 0, child);
  else children.push(child);
}

export function removeChild(parent: HeapObject, child: HeapObject): void {
  const { children } = viewOf(parent);
  const at = children.indexOf(child);
  if (at >= 0) children.splice(at, 1);
  viewOf(child).parent = null;
}

/** A view and everything in it, outside first. */
export function allViews(root: HeapObject): HeapObject[] {
  const found: HeapObject[] = [];
  const waiting: (readonly [HeapObject, number])[] = [[root, 0]];
  for (let next = waiting.pop(); next !== undefined && found.length < maxViews; next = waiting.pop()) {
    const [view, depth] = next;
    found.push(view);
    if (depth >= maxDepth) continue;
    const { children } = viewOf(view);
    for (let index = children.length - 1; index >= 0; index--) waiting.push([children[index]!, depth + 1]);
  }
  return found;
}

export function findById(_machine: Machine, root: HeapObject, id: number): HeapObject | null {
  return id === -1 ? null : (allViews(root).find((view) => viewOf(view).id === id) ?? null);
}

/** The activity or dialog that shows a view; null while it is on no screen. */
export function ownerOf(view: HeapObject): Reference {
  let each = view;
  for (let depth = 0; depth < maxDepth; depth++) {
    const { owner, parent } = viewOf(each);
    if (owner !== null) return owner;
    if (parent === null) return null;
    each = parent;
  }
  return null;
}

/** Whether the activity that shows it, or that it was made for, was destroyed. */
export function isGone(machine: Machine, view: HeapObject): boolean {
  const owner = ownerOf(view) ?? viewOf(view).context;
  if (owner === null || !machine.isInstance(owner, 'Landroid/app/Activity;')) return false;
  return appOf(machine).recordOf(owner) === null;
}

/** Whether a user could touch it now. */
export function isOnScreen(machine: Machine, view: HeapObject): boolean {
  const owner = ownerOf(view);
  if (owner === null) return false;
  const record = appOf(machine).recordOf(owner);
  // Views of dialogs and overlays belong to no activity; a destroyed activity has no record.
  return record === null ? !machine.isInstance(owner, 'Landroid/app/Activity;') : record.stage === 'resumed';
}
