// What a dex file defines, in the order and the words of YARA's module `dex`. Knows no rules' syntax.
import { classData, type EncodedField, type EncodedMethod } from '../../formats/dex/class-data.ts';
import type { Dex } from '../../formats/dex/dex.ts';

/** Of a method's code: how many bytes behind its beginning, and how many bytes long. */
const codeItemFields: Readonly<Record<string, readonly [number, 2 | 4]>> = {
  'code_item.registers_size': [0, 2],
  'code_item.ins_size': [2, 2],
  'code_item.outs_size': [4, 2],
  'code_item.tries_size': [6, 2],
  'code_item.debug_info_off': [8, 4],
  'code_item.insns_size': [12, 4],
};
const codeItemLength = 16;

export type DexList = 'method' | 'field' | 'string_ids';

/** The members of an item of each list. */
export const dexMemberKinds: Readonly<Record<DexList, Readonly<Record<string, 'text' | 'number'>>>> = {
  method: {
    class_name: 'text',
    name: 'text',
    proto: 'text',
    access_flags: 'number',
    direct: 'number',
    virtual: 'number',
    method_idx_diff: 'number',
    code_off: 'number',
    ...Object.fromEntries(Object.keys(codeItemFields).map((name) => [name, 'number' as const])),
  },
  field: {
    class_name: 'text',
    name: 'text',
    proto: 'text',
    access_flags: 'number',
    static: 'number',
    instance: 'number',
    field_idx_diff: 'number',
  },
  string_ids: { value: 'text' },
};

/** Methods and fields by the words of the module; `proto` of a method is its short form, of a field its type. */
type DexRecord = Readonly<Record<string, string | number>> & { readonly class_name: string; readonly name: string };

/** The methods and fields that the classes of a dex file define, in the order of its class data. */
export class DexMembers {
  readonly magic: string;
  readonly methods: readonly DexRecord[];
  readonly fields: readonly DexRecord[];
  readonly #dex: Dex;
  readonly #columns = new Map<string, readonly (string | number | undefined)[]>();

  constructor(dex: Dex) {
    this.#dex = dex;
    this.magic = dex.bytes.toString('latin1', 0, 7);
    const methods: DexRecord[] = [];
    const fields: DexRecord[] = [];
    // Each takes two bytes at least; classes of a hostile file may all claim the same ones.
    const mostMembers = dex.bytes.length;
    for (let index = 0; index < dex.classCount && methods.length + fields.length < mostMembers; index++) {
      const data = classData(dex, index);
      for (const list of [data.staticFields, data.instanceFields]) {
        for (const [place, field] of list.entries()) {
          fields.push(this.#fieldOf(field, list[place - 1]?.fieldIndex ?? 0, list === data.staticFields));
        }
      }
      for (const list of [data.directMethods, data.virtualMethods]) {
        for (const [place, method] of list.entries()) {
          methods.push(this.#methodOf(method, list[place - 1]?.methodIndex ?? 0, list === data.directMethods));
        }
      }
    }
    this.methods = methods;
    this.fields = fields;
  }

  /** @param previous the index of the one before in its list */
  #fieldOf({ fieldIndex, accessFlags }: EncodedField, previous: number, isStatic: boolean): DexRecord {
    const dex = this.#dex;
    return {
      class_name: dex.fieldClass(fieldIndex),
      name: dex.fieldName(fieldIndex),
      proto: dex.fieldType(fieldIndex),
      access_flags: accessFlags,
      static: Number(isStatic),
      instance: Number(!isStatic),
      field_idx_diff: fieldIndex - previous,
    };
  }

  #methodOf({ methodIndex, accessFlags, codeOffset }: EncodedMethod, previous: number, isDirect: boolean): DexRecord {
    const dex = this.#dex;
    return {
      class_name: dex.methodClass(methodIndex),
      name: dex.methodName(methodIndex),
      proto: dex.protoShorty(dex.methodProtoIndex(methodIndex)),
      access_flags: accessFlags,
      direct: Number(isDirect),
      virtual: Number(!isDirect),
      method_idx_diff: methodIndex - previous,
      code_off: codeOffset,
    };
  }

  sizeOf(list: DexList): number {
    return list === 'string_ids' ? this.#dex.stringCount : this.#recordsOf(list).length;
  }

  /** Undefined for an index outside of the list, and for the code of a method that has none. */
  value(list: DexList, index: number, member: string): string | number | undefined {
    const inCode = list === 'method' ? codeItemFields[member] : undefined;
    if (inCode !== undefined) return this.#inCode(this.methods[index]?.code_off, inCode);
    if (list !== 'string_ids') return this.#recordsOf(list)[index]?.[member];
    return index >= 0 && index < this.#dex.stringCount ? this.#dex.string(index) : undefined;
  }

  #inCode(code: string | number | undefined, [offset, length]: readonly [number, 2 | 4]): number | undefined {
    const { bytes } = this.#dex;
    if (typeof code !== 'number' || code === 0 || code + codeItemLength > bytes.length) return undefined;
    return bytes.readUIntLE(code + offset, length);
  }

  /** The values of all items of a list. */
  column(list: DexList, member: string): readonly (string | number | undefined)[] {
    const name = `${list}.${member}`;
    let column = this.#columns.get(name);
    if (column === undefined) {
      column = Array.from({ length: this.sizeOf(list) }, (_, index) => this.value(list, index, member));
      this.#columns.set(name, column);
    }
    return column;
  }

  /** A number of the file's header, by its offset. */
  headerNumber(offset: number): number {
    return this.#dex.bytes.readUInt32LE(offset);
  }

  #recordsOf(list: 'method' | 'field'): readonly DexRecord[] {
    return list === 'method' ? this.methods : this.fields;
  }
}
