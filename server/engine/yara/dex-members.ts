// What a dex file defines, in the order and the words of YARA's module `dex`. Knows no rules' syntax.
import { classData, type EncodedField, type EncodedMethod } from '../formats/dex/class-data.ts';
import type { Dex } from '../formats/dex/dex.ts';

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
    code_off: 'number',
  },
  field: {
    class_name: 'text',
    name: 'text',
    proto: 'text',
    access_flags: 'number',
    static: 'number',
    instance: 'number',
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
  readonly #columns = new Map<string, readonly (string | number)[]>();

  constructor(dex: Dex) {
    this.#dex = dex;
    this.magic = dex.bytes.toString('latin1', 0, 7);
    const methods: DexRecord[] = [];
    const fields: DexRecord[] = [];
    // Each takes two bytes at least; classes of a hostile file may all claim the same ones.
    const mostMembers = dex.bytes.length;
    for (let index = 0; index < dex.classCount && methods.length + fields.length < mostMembers; index++) {
      const data = classData(dex, index);
      for (const field of data.staticFields) fields.push(this.#fieldOf(field, true));
      for (const field of data.instanceFields) fields.push(this.#fieldOf(field, false));
      for (const method of data.directMethods) methods.push(this.#methodOf(method, true));
      for (const method of data.virtualMethods) methods.push(this.#methodOf(method, false));
    }
    this.methods = methods;
    this.fields = fields;
  }

  #fieldOf({ fieldIndex, accessFlags }: EncodedField, isStatic: boolean): DexRecord {
    const dex = this.#dex;
    return {
      class_name: dex.fieldClass(fieldIndex),
      name: dex.fieldName(fieldIndex),
      proto: dex.fieldType(fieldIndex),
      access_flags: accessFlags,
      static: Number(isStatic),
      instance: Number(!isStatic),
    };
  }

  #methodOf({ methodIndex, accessFlags, codeOffset }: EncodedMethod, isDirect: boolean): DexRecord {
    const dex = this.#dex;
    return {
      class_name: dex.methodClass(methodIndex),
      name: dex.methodName(methodIndex),
      proto: dex.protoShorty(dex.methodProtoIndex(methodIndex)),
      access_flags: accessFlags,
      direct: Number(isDirect),
      virtual: Number(!isDirect),
      code_off: codeOffset,
    };
  }

  sizeOf(list: DexList): number {
    return list === 'string_ids' ? this.#dex.stringCount : this.#recordsOf(list).length;
  }

  /** Undefined for an index outside of the list. */
  value(list: DexList, index: number, member: string): string | number | undefined {
    if (list !== 'string_ids') return this.#recordsOf(list)[index]?.[member];
    return index >= 0 && index < this.#dex.stringCount ? this.#dex.string(index) : undefined;
  }

  /** The values of all items of a list. */
  column(list: DexList, member: string): readonly (string | number)[] {
    const name = `${list}.${member}`;
    let column = this.#columns.get(name);
    if (column === undefined) {
      column = Array.from({ length: this.sizeOf(list) }, (_, index) => this.value(list, index, member)!);
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
