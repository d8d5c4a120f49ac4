// The kinds of items in a dex file's data section that its tables and other items refer to. Knows not what an item is made of.

/** By their codes in the map. https://source.android.com/docs/core/runtime/dex-format#type-codes */
export const itemKinds = {
  typeList: 0x1001,
  annotationSetList: 0x1002,
  annotationSet: 0x1003,
  classData: 0x2000,
  string: 0x2002,
  annotation: 0x2004,
  encodedArray: 0x2005,
  annotationsDirectory: 0x2006,
} as const;

export type ItemKind = (typeof itemKinds)[keyof typeof itemKinds];

/** Items that others refer to. */
export interface KnownItems {
  /** Whether an item of a kind can begin at an offset, as far as the items of that kind are known. */
  isAt(kind: ItemKind, offset: number): boolean;
}
