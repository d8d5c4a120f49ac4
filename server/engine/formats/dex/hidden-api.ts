// Hidden-API flags, which the platform's own dex files carry since version 039. Knows no notation.
//
// https://source.android.com/docs/core/runtime/dex-format#hiddenapi-class-data-item
import { classData } from './class-data.ts';
import type { Dex } from './dex.ts';
import { LebCursor } from './leb128.ts';

/** The flags of a class's fields and methods by index, as written: the low three bits are the restriction. */
export interface HiddenApiFlags {
  readonly ofFields: ReadonlyMap<number, number>;
  readonly ofMethods: ReadonlyMap<number, number>;
}

/** Null where the file or the class has no such data. */
export function hiddenApiFlagsOf(dex: Dex, classIndex: number): HiddenApiFlags | null {
  const section = dex.map.hiddenApi;
  const slot = section === null ? Number.POSITIVE_INFINITY : section.offset + 4 + classIndex * 4;
  if (section === null || slot + 4 > dex.bytes.length || classIndex >= dex.classCount) return null;
  const offset = dex.view.getUint32(slot, true);
  if (offset === 0) return null;
  const cursor = new LebCursor(dex.bytes, section.offset + offset);
  const data = classData(dex, classIndex);
  const ofFields = new Map<number, number>();
  const ofMethods = new Map<number, number>();
  for (const { fieldIndex } of [...data.staticFields, ...data.instanceFields]) ofFields.set(fieldIndex, cursor.uleb());
  for (const { methodIndex } of [...data.directMethods, ...data.virtualMethods]) {
    ofMethods.set(methodIndex, cursor.uleb());
  }
  if (cursor.isPastEnd) dex.findings.add('dex-hidden-api', `${dex.where}:${dex.className(classIndex)}`, 'cut off');
  return { ofFields, ofMethods };
}
