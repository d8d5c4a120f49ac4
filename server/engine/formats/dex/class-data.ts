// The fields and methods a class defines. Knows no code.
//
// https://source.android.com/docs/core/runtime/dex-format#class-data-item
import type { Dex } from './dex.ts';
import { LebCursor } from './leb128.ts';

export interface EncodedField {
  readonly fieldIndex: number;
  readonly accessFlags: number;
}

export interface EncodedMethod {
  readonly methodIndex: number;
  readonly accessFlags: number;
  /** 0 where the method has no code. */
  readonly codeOffset: number;
}

export interface ClassData {
  readonly staticFields: EncodedField[];
  readonly instanceFields: EncodedField[];
  readonly directMethods: EncodedMethod[];
  readonly virtualMethods: EncodedMethod[];
}

/** What class `classIndex` defines, in the file's order; lists that run past the end keep what was read. */
export function classData(dex: Dex, classIndex: number): ClassData {
  const data: ClassData = { staticFields: [], instanceFields: [], directMethods: [], virtualMethods: [] };
  const offset = dex.classDefs[classIndex * 8 + 6] ?? 0;
  if (offset === 0) return data;
  const where = () => `${dex.where}:${dex.className(classIndex)}`;
  if (offset >= dex.bytes.length) {
    dex.findings.add('dex-offset-outside', where(), `class data at 0x${offset.toString(16)}`);
    return data;
  }
  const cursor = new LebCursor(dex.bytes, offset);
  const counts = [cursor.uleb(), cursor.uleb(), cursor.uleb(), cursor.uleb()];
  const fields = (count: number, into: EncodedField[]) => {
    let fieldIndex = 0;
    for (let left = count; left > 0 && !cursor.isPastEnd; left--) {
      fieldIndex += cursor.uleb();
      const accessFlags = cursor.uleb();
      if (!cursor.isPastEnd) into.push({ fieldIndex, accessFlags });
    }
  };
  const methods = (count: number, into: EncodedMethod[]) => {
    let methodIndex = 0;
    for (let left = count; left > 0 && !cursor.isPastEnd; left--) {
      methodIndex += cursor.uleb();
      const accessFlags = cursor.uleb();
      const codeOffset = cursor.uleb();
      if (!cursor.isPastEnd) into.push({ methodIndex, accessFlags, codeOffset });
    }
  };
  fields(counts[0]!, data.staticFields);
  fields(counts[1]!, data.instanceFields);
  methods(counts[2]!, data.directMethods);
  methods(counts[3]!, data.virtualMethods);
  if (cursor.isPastEnd) dex.findings.add('dex-class-data', where(), `cut off, declared ${counts.join(', ')}`);
  return data;
}

/** The methods of a class, direct ones first. */
export const allMethods = ({ directMethods, virtualMethods }: ClassData): EncodedMethod[] => [
  ...directMethods,
  ...virtualMethods,
];

/** The same by the place of the class in its dex file. */
export const methodsOf = (dex: Dex, classIndex: number): EncodedMethod[] => allMethods(classData(dex, classIndex));
