// Finds the items of a dex file's data section that its map lists: where the small ones begin, and between which bytes
// strings and class data lie, whose readers judge them. Knows not what an item is made of.
import type { Dex } from './dex.ts';
import { itemFaults } from './item-faults.ts';
import { type ItemKind, itemKinds, type KnownItems } from './item-kinds.ts';
import { LebCursor } from './leb128.ts';

/** How the kinds that are walked are called in findings; items come before those that refer to them. */
const walkedKinds: readonly (readonly [kind: keyof typeof itemKinds, name: string])[] = [
  ['typeList', 'type list'],
  ['encodedArray', 'encoded array'],
  ['annotation', 'annotation'],
  ['annotationSet', 'annotation set'],
  ['annotationSetList', 'list of annotation sets'],
  ['annotationsDirectory', 'annotations directory'],
];
const unaligned: ReadonlySet<ItemKind> = new Set([itemKinds.annotation, itemKinds.encodedArray]);
const alignment = 4;

/** A number from 1 to 255 for each kind. */
const markOf = (kind: ItemKind): number => (kind >> 8) + (kind & 0xf);

/** Time and memory are linear in the file's size, whatever the map says. */
export class DataItems implements KnownItems {
  readonly #dex: Dex;
  /** Per byte of the file the mark of the item that begins there, 0 for none. */
  readonly #marks: Uint8Array;
  /** Where items of a kind can lie that were not all found. */
  readonly #ranges = new Map<ItemKind, { start: number; end: number }>();

  /** Reports the first bad item of each kind, behind which no more are looked for. */
  constructor(dex: Dex) {
    this.#dex = dex;
    this.#marks = new Uint8Array(dex.bytes.length);
    for (const kind of [itemKinds.string, itemKinds.classData]) {
      const section = this.#sectionOf(kind);
      if (section !== null) this.#ranges.set(kind, section);
    }
    for (const [kind, name] of walkedKinds) this.#walk(itemKinds[kind], name);
  }

  isAt(kind: ItemKind, offset: number): boolean {
    if (this.#marks[offset] === markOf(kind)) return true;
    const range = this.#ranges.get(kind);
    if (range === undefined || offset < range.start || offset >= range.end) return false;
    // Each string follows the end of another one.
    return kind !== itemKinds.string || offset === range.start || this.#dex.bytes[offset - 1] === 0;
  }

  /** A kind's bytes, which end where the next ones begin; null where the map has none in the file. */
  #sectionOf(kind: ItemKind): { start: number; end: number; count: number } | null {
    const { map, bytes } = this.#dex;
    const section = map.entries.find(({ type }) => type === kind);
    if (section === undefined || section.offset >= bytes.length) return null;
    const later = map.entries.map(({ offset }) => offset).filter((offset) => offset > section.offset);
    return { start: section.offset, end: Math.min(bytes.length, ...later), count: section.count };
  }

  #walk(kind: ItemKind, name: string): void {
    const section = this.#sectionOf(kind);
    if (section === null) return;
    const { bytes, findings, where } = this.#dex;
    const cursor = new LebCursor(bytes, section.start);
    const faultOf = itemFaults.get(kind)!;
    const isAligned = !unaligned.has(kind);
    const mark = markOf(kind);
    let hidden = 0;
    for (let number = 0; number < section.count; number++) {
      const before = cursor.offset;
      const start = isAligned ? (before + alignment - 1) & -alignment : before;
      cursor.offset = start;
      hidden += usedBytes(bytes, before, start);
      const fault = start >= section.end ? 'is missing' : faultOf(cursor, this.#dex, this);
      if (fault !== null || cursor.isPastEnd || cursor.offset > section.end) {
        this.#ranges.set(kind, section);
        const evidence = `${name} number ${number} ${fault ?? 'runs past the end of its section'}`;
        findings.add('dex-item', where, evidence);
        return;
      }
      this.#marks[start] = mark;
    }
    hidden += usedBytes(bytes, cursor.offset, section.end);
    if (hidden > 0) findings.add('dex-item', where, `${name}: ${hidden} bytes of the section are of no item`);
  }
}

/** How many bytes are not padding. */
function usedBytes(bytes: Uint8Array, start: number, end: number): number {
  let used = 0;
  for (let at = start; at < end; at++) if (bytes[at] !== 0) used++;
  return used;
}
