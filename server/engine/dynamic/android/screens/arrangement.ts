// Where a person sees the views of a screen: what the framework's groups make of their children, roughly. Runs no code of the
// app; where the app's own group has laid its children out, it is taken at its word. Knows no report.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine } from '../../machine/model.ts';
import { isAppMethod } from '../model-parts.ts';
import { density } from '../resources/resource-values.ts';
import { attributeNumber, attributeReference, attributeText } from '../resources/xml-resources.ts';
import { placeInGroup } from '../views/view-layout.ts';
import { viewOf } from '../views/view-tree.ts';
import { shownText } from '../views/view-words.ts';

/** Pixels, of a child within its group. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Arranged {
  readonly view: HeapObject;
  readonly box: Box;
  readonly children: readonly Arranged[];
}

const gone = 8;
const matchParent = -1;
const maxDepth = 60;
/** Views of one screen. */
const maxViews = 1_500;
/** Of what scrolls, no more than some screens. */
const endless = 20_000;
const maxCharacters = 2_000;

type Sides = readonly [left: number, top: number, right: number, bottom: number];

/** Where a child stands in a group that puts children beside each other: by its element's attributes. */
const below = ['layout_below', 'layout_constraintTop_toBottomOf'];
const above = ['layout_above', 'layout_constraintBottom_toTopOf'];
const behind = [
  'layout_toRightOf',
  'layout_toEndOf',
  'layout_constraintLeft_toRightOf',
  'layout_constraintStart_toEndOf',
];
const before = [
  'layout_toLeftOf',
  'layout_toStartOf',
  'layout_constraintRight_toLeftOf',
  'layout_constraintEnd_toStartOf',
];
const atBottom = ['layout_alignParentBottom'];
const atRight = ['layout_alignParentRight', 'layout_alignParentEnd'];
const inMiddle = ['layout_centerInParent', 'layout_centerHorizontal'];
const atMiddle = ['layout_centerInParent', 'layout_centerVertical'];
const constraints = {
  top: ['layout_constraintTop_toTopOf'],
  bottom: ['layout_constraintBottom_toBottomOf'],
  left: ['layout_constraintLeft_toLeftOf', 'layout_constraintStart_toStartOf'],
  right: ['layout_constraintRight_toRightOf', 'layout_constraintEnd_toEndOf'],
};

/** The views of a root at their places. */
export function arrange(machine: Machine, root: HeapObject, width: number, height: number): Arranged {
  const arranger = new Arranger(machine);
  return arranger.arrange(root, width, height, 0);
}

class Arranger {
  readonly #machine: Machine;
  readonly #dip: number;
  #count = 0;

  constructor(machine: Machine) {
    this.#machine = machine;
    this.#dip = density(machine);
  }

  arrange(view: HeapObject, width: number, height: number, depth: number): Arranged {
    this.#count++;
    const children = viewOf(view).children.filter((child) => viewOf(child).visibility !== gone);
    const size = { width: this.#size(view, 'width', width), height: this.#size(view, 'height', height) };
    const inside = { width: size.width ?? width, height: size.height ?? height };
    const isFull = depth >= maxDepth || this.#count + children.length > maxViews;
    const arranged = children.length === 0 || isFull ? [] : this.#children(view, children, inside, depth + 1);
    const own = children.length === 0 ? this.#content(view, inside.width) : hull(arranged);
    const box = {
      ...{ x: 0, y: 0 },
      width: size.width ?? Math.min(own.width, width),
      height: size.height ?? Math.min(own.height, height),
    };
    return { view, box, children: arranged };
  }

  /** What the view's parameters ask for; null where that is what is in it. */
  #size(view: HeapObject, side: 'width' | 'height', room: number): number | null {
    const value = this.#parameter(view, side, matchParent);
    // In what scrolls there is no height to fill.
    return value >= 0 ? value : value === matchParent && room < endless / 2 ? room : null;
  }

  #parameter(view: HeapObject, name: string, otherwise: number): number {
    const parameters = viewOf(view).properties.get('layoutParams') ?? null;
    if (parameters === null || !parameters.cls.instanceFields.some((field) => field.name === name)) return otherwise;
    const value = this.#machine.getField(parameters, name);
    return typeof value === 'number' ? value : otherwise;
  }

  #margins(view: HeapObject): Sides {
    const [left, top, right, bottom] = ['left', 'top', 'right', 'bottom'].map((side) =>
      this.#parameter(view, `${side}Margin`, 0),
    ) as unknown as Sides;
    return [left, top, right, bottom];
  }

  #is(view: HeapObject, ...names: string[]): boolean {
    return names.some((name) => this.#machine.isInstance(view, `Landroid/widget/${name};`));
  }

  #children(view: HeapObject, children: readonly HeapObject[], room: Size, depth: number): Arranged[] {
    const machine = this.#machine;
    if (isAppMethod(machine, view, 'onLayout(ZIIII)V')) {
      const placed = children.map((child) => placeInGroup(machine, child));
      if (placed.every((box) => box !== null))
        return children.map((child, index) => this.#at(child, placed[index]!, depth));
    }
    if (this.#is(view, 'ScrollView', 'ListView', 'AdapterView', 'LinearLayout', 'RadioGroup', 'TableLayout', 'Toolbar'))
      return this.#line(view, children, room, depth);
    if (this.#is(view, 'FrameLayout') || children.length === 1) return this.#stack(children, room, depth);
    if (children.some((child) => viewOf(child).element !== null)) return this.#related(children, room, depth);
    return this.#line(view, children, room, depth);
  }

  #at(child: HeapObject, box: Box, depth: number): Arranged {
    const { children } = this.arrange(child, box.width, box.height, depth);
    return { view: child, box, children };
  }

  /** One after the other; what is left goes to those that have a weight. */
  #line(view: HeapObject, children: readonly HeapObject[], room: Size, depth: number): Arranged[] {
    const isAcross = this.#isHorizontal(view);
    const [along, side] = isAcross ? (['width', 'x'] as const) : (['height', 'y'] as const);
    const isEndless = this.#is(view, 'ScrollView', 'ListView', 'AdapterView');
    const weights = children.map((child) => this.#weight(child));
    const first = children.map((child, index) => {
      const [left, top, right, bottom] = this.#margins(child);
      const size = { width: room.width - left - right, height: (isEndless ? endless : room.height) - top - bottom };
      // A weight shares what is left, whatever size it asks for besides.
      return weights[index]! > 0 ? null : this.arrange(child, Math.max(0, size.width), Math.max(0, size.height), depth);
    });
    const margin = (child: HeapObject): number => {
      const [left, top, right, bottom] = this.#margins(child);
      return isAcross ? left + right : top + bottom;
    };
    const used = first.reduce((sum, each, index) => sum + (each?.box[along] ?? 0) + margin(children[index]!), 0);
    const share =
      Math.max(0, room[along] - used) /
      Math.max(
        1,
        weights.reduce((sum, each) => sum + each, 0),
      );
    let at = 0;
    return children.map((child, index) => {
      const [left, top, right, bottom] = this.#margins(child);
      const length = share * weights[index]!;
      const size = isAcross
        ? { width: length, height: room.height - top - bottom }
        : { width: room.width - left - right, height: length };
      const arranged = first[index] ?? this.arrange(child, Math.max(0, size.width), Math.max(0, size.height), depth);
      if (first[index] === null) arranged.box[along] = length;
      arranged.box.x = left;
      arranged.box.y = top;
      arranged.box[side] += at;
      if (!isAcross) this.#toSide(arranged, room.width);
      at += arranged.box[along] + margin(child);
      return arranged;
    });
  }

  /** `Gravity.CENTER_HORIZONTAL` and `RIGHT`. */
  #toSide({ view, box }: Arranged, width: number): void {
    const gravity = this.#parameter(view, 'gravity', -1);
    if (gravity < 0) return;
    if ((gravity & 7) === 1) box.x = Math.max(0, (width - box.width) / 2);
    else if ((gravity & 7) === 5) box.x = Math.max(0, width - box.width);
  }

  #isHorizontal(view: HeapObject): boolean {
    const { element, orientation } = viewOf(view);
    if (!this.#is(view, 'LinearLayout', 'Toolbar')) return false;
    if (this.#is(view, 'TableRow', 'Toolbar')) return true;
    if (orientation !== null) return orientation === 0;
    if (this.#is(view, 'RadioGroup', 'TableLayout')) return false;
    return (element === null ? null : attributeNumber(this.#machine, element, 'orientation')) !== 1;
  }

  #weight(view: HeapObject): number {
    const { element } = viewOf(view);
    const weight = element === null ? null : attributeText(this.#machine, element, 'layout_weight');
    const number = weight === null ? this.#parameter(view, 'weight', 0) : Number(weight);
    return Number.isFinite(number) ? Math.min(100, Math.max(0, number)) : 0;
  }

  /** One on the other, each where its gravity draws it. */
  #stack(children: readonly HeapObject[], room: Size, depth: number): Arranged[] {
    return children.map((child) => {
      const [left, top, right, bottom] = this.#margins(child);
      const arranged = this.arrange(child, room.width - left - right, room.height - top - bottom, depth);
      const { box } = arranged;
      box.x = left;
      box.y = top;
      this.#toSide(arranged, room.width);
      const gravity = this.#parameter(child, 'gravity', -1);
      if (gravity >= 0 && (gravity & 0x70) === 0x10) box.y = Math.max(0, (room.height - box.height) / 2);
      else if (gravity >= 0 && (gravity & 0x70) === 0x50) box.y = Math.max(0, room.height - box.height - bottom);
      return arranged;
    });
  }

  /** By what their attributes say of each other and of the group's sides. */
  #related(children: readonly HeapObject[], room: Size, depth: number): Arranged[] {
    const placed = new Map<number, Box>();
    const other = (child: HeapObject, names: readonly string[]): Box | undefined => {
      const { element } = viewOf(child);
      const id =
        element === null ? null : names.map((name) => attributeReference(element, name)).find((each) => each !== null);
      return id === undefined || id === null ? undefined : placed.get(id);
    };
    const has = (child: HeapObject, names: readonly string[]): boolean => {
      const { element } = viewOf(child);
      if (element === null) return false;
      return names.some((name) => element.attributes.some((each) => each.name === name && each.data !== 0));
    };
    const isHeld = (child: HeapObject, names: readonly string[]): boolean => {
      const { element } = viewOf(child);
      return element !== null && names.some((name) => element.attributes.some((each) => each.name === name));
    };
    return children.map((child) => {
      const [left, top, right, bottom] = this.#margins(child);
      const arranged = this.arrange(child, room.width - left - right, room.height - top - bottom, depth);
      const { box } = arranged;
      const [over, under, beside, ahead] = [below, above, behind, before].map((names) => other(child, names));
      const isMiddle = has(child, inMiddle) || (isHeld(child, constraints.left) && isHeld(child, constraints.right));
      const isCentred = has(child, atMiddle) || (isHeld(child, constraints.top) && isHeld(child, constraints.bottom));
      const isRight = has(child, atRight) || (isHeld(child, constraints.right) && !isHeld(child, constraints.left));
      const isLow = has(child, atBottom) || (isHeld(child, constraints.bottom) && !isHeld(child, constraints.top));
      box.x = left;
      box.y = top;
      if (beside !== undefined) box.x = beside.x + beside.width + left;
      else if (ahead !== undefined) box.x = ahead.x - box.width - right;
      else if (isMiddle) box.x = (room.width - box.width) / 2;
      else if (isRight) box.x = room.width - box.width - right;
      if (over !== undefined) box.y = over.y + over.height + top;
      else if (under !== undefined) box.y = under.y - box.height - bottom;
      else if (isCentred) box.y = (room.height - box.height) / 2;
      else if (isLow) box.y = room.height - box.height - bottom;
      const { id } = viewOf(child);
      if (id !== -1) placed.set(id, box);
      return arranged;
    });
  }

  /** Of a view that has no others in it. */
  #content(view: HeapObject, room: number): Size {
    const dip = this.#dip;
    const { text, hint } = viewOf(view);
    if (this.#is(view, 'TextView')) {
      const words = (shownText(this.#machine, text) || shownText(this.#machine, hint)).slice(0, maxCharacters);
      const isButton = this.#is(view, 'Button') || this.#is(view, 'EditText');
      const padding = (isButton ? 16 : 0) * dip;
      const width = words.length * 7.5 * dip + 2 * padding;
      const lines = Math.max(1, words.split('\n').length, Math.ceil(width / Math.max(1, room)));
      const least = isButton ? 48 * dip : 0;
      return {
        width: Math.max(Math.min(width, room), isButton ? 88 * dip : 0),
        height: Math.max(lines * 20 * dip, least),
      };
    }
    if (this.#is(view, 'ImageView', 'ProgressBar')) return { width: 48 * dip, height: 48 * dip };
    if (this.#machine.isInstance(view, 'Landroid/webkit/WebView;')) return { width: room, height: 400 * dip };
    return { width: 0, height: 0 };
  }
}

type Size = Pick<Box, 'width' | 'height'>;

const hull = (children: readonly Arranged[]): Size => ({
  width: Math.max(0, ...children.map(({ box }) => box.x + box.width)),
  height: Math.max(0, ...children.map(({ box }) => box.y + box.height)),
});
