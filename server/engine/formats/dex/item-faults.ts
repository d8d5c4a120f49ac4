// What Android's verifier refuses an item of a dex file's data section for. Knows no findings and no map.
import type { Dex } from './dex.ts';
import { annotationFault, arrayFault } from './encoded-value-faults.ts';
import { type ItemKind, itemKinds, type KnownItems } from './item-kinds.ts';
import type { LebCursor } from './leb128.ts';

/**
 * What is wrong with the item at the cursor, as the end of a sentence; null for nothing, with the cursor at the item's end
 * then. An item that runs past the end of the file shows by the cursor.
 */
export type ItemFault = (cursor: LebCursor, dex: Dex, items: KnownItems) => string | null;

/** The check of each kind of item. https://source.android.com/docs/core/runtime/dex-format */
export const itemFaults: ReadonlyMap<ItemKind, ItemFault> = new Map([
  [itemKinds.typeList, typeListFault],
  [itemKinds.annotationSetList, (cursor, dex, items) => offsetsFault(cursor, dex, items, itemKinds.annotationSet)],
  [itemKinds.annotationSet, (cursor, dex, items) => offsetsFault(cursor, dex, items, itemKinds.annotation)],
  [itemKinds.annotation, annotationFault],
  [itemKinds.encodedArray, arrayFault],
  [itemKinds.annotationsDirectory, directoryFault],
] as [ItemKind, ItemFault][]);

/** Goes past a list whose length stands at the cursor, and says that; 0 where not all of it is there. */
function listLength(cursor: LebCursor, dex: Dex, width: number): number {
  const count = dex.words[cursor.offset >> 2] ?? 0;
  cursor.offset += 4 + count * width;
  if (cursor.offset <= dex.bytes.length) return count;
  cursor.isPastEnd = true;
  return 0;
}

function typeListFault(cursor: LebCursor, dex: Dex): string | null {
  const start = (cursor.offset + 4) >> 1;
  const end = start + listLength(cursor, dex, 2);
  for (let at = start; at < end; at++) {
    if (dex.units[at]! >= dex.typeCount) return `has type ${dex.units[at]} of ${dex.typeCount}`;
  }
  return null;
}

function offsetsFault(cursor: LebCursor, dex: Dex, items: KnownItems, kind: ItemKind): string | null {
  const start = (cursor.offset + 4) >> 2;
  const end = start + listLength(cursor, dex, 4);
  for (let at = start; at < end; at++) {
    const offset = dex.words[at]!;
    if (offset !== 0 && !items.isAt(kind, offset)) return `refers to 0x${offset.toString(16)}, where nothing begins`;
  }
  return null;
}

const directoryHeaderWords = 4;

function directoryFault(cursor: LebCursor, dex: Dex, items: KnownItems): string | null {
  const { words, fieldCount, methodCount } = dex;
  const header = cursor.offset >> 2;
  const [ofClass = 0, fields = 0, methods = 0, parameters = 0] = words.subarray(header, header + directoryHeaderWords);
  cursor.offset += (directoryHeaderWords + 2 * (fields + methods + parameters)) * 4;
  if (cursor.offset > dex.bytes.length) {
    cursor.isPastEnd = true;
    return null;
  }
  if (ofClass !== 0 && !items.isAt(itemKinds.annotationSet, ofClass)) return 'has no annotations of its class';
  const firstMethod = header + directoryHeaderWords + 2 * fields;
  const firstParameters = firstMethod + 2 * methods;
  const { annotationSet, annotationSetList } = itemKinds;
  return (
    annotatedFault(dex, items, header + directoryHeaderWords, fields, fieldCount, annotationSet) ??
    annotatedFault(dex, items, firstMethod, methods, methodCount, annotationSet) ??
    annotatedFault(dex, items, firstParameters, parameters, methodCount, annotationSetList)
  );
}

/**
 * @param first the word that the list begins with
 * @param memberCount how many fields or methods there are
 */
function annotatedFault(
  { words }: Dex,
  items: KnownItems,
  first: number,
  count: number,
  memberCount: number,
  kind: ItemKind,
): string | null {
  let last = -1;
  for (let at = first; at < first + 2 * count; at += 2) {
    const member = words[at]!;
    const offset = words[at + 1]!;
    if (member >= memberCount) return `annotates member ${member} of ${memberCount}`;
    if (member <= last) return `annotates member ${member} behind ${last}`;
    if (!items.isAt(kind, offset)) return `refers to 0x${offset.toString(16)}, where nothing begins`;
    last = member;
  }
  return null;
}
