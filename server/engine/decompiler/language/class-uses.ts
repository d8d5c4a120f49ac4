// Where the code of an app makes objects of some classes and names them otherwise, and how often it calls some methods: one look at
// all code. Knows no expressions.
import type { ClassRelations } from '../../code/types/class-relations.ts';
import { scanCode } from '../../formats/dex/code-scan.ts';
import { type Dex, noIndex } from '../../formats/dex/dex.ts';
import { methodHandleAt } from '../../formats/dex/method-handle.ts';
import { isAccessorName } from './accessor-names.ts';

export interface ClassUses {
  /** Classes whose code makes objects of it, one for each place. */
  readonly creators: string[];
  /** Classes that name it for anything but to make an object or to reach what an object has; '' where it is not told which. */
  readonly namers: Set<string>;
  /** Other classes whose objects keep or are made with one, or whose code reaches what it has. */
  readonly reachers: Set<string>;
  /** Constructors of other classes that take one last: compilers tell them apart by it, and give nothing. */
  readonly marked: Set<string>;
  /** Names and types of fields that its methods write after its constructor. */
  readonly written: Set<string>;
}

/** Code that calls a method, or names a field. */
export interface Caller {
  readonly dex: Dex;
  /** Its class. */
  readonly owner: string;
  readonly methodIndex: number;
}

const opcode = { newInstance: 0x22, iput: 0x59, lastIput: 0x5f, sget: 0x60, lastSget: 0x66 } as const;
/** The field of a class that keeps the only object of it. */
export const instanceField = 'INSTANCE';

export class Uses {
  readonly #classes = new Map<string, ClassUses>();
  readonly #calls = new Map<string, Caller[]>();
  /** Classes that the tables of methods name with a wanted name and descriptor. */
  readonly #owners = new Map<string, Set<string>>();

  /**
   * @param wanted descriptors of classes
   * @param isWantedMethod whether the calls of a method are counted
   * @param isWantedField whether the code that names a field is
   */
  constructor(
    dexes: readonly Dex[],
    relations: ClassRelations,
    wanted: ReadonlySet<string>,
    isWantedMethod: (dex: Dex, methodIndex: number) => boolean,
    isWantedField: (dex: Dex, fieldIndex: number) => boolean,
  ) {
    for (const type of wanted)
      this.#classes.set(type, {
        creators: [],
        namers: new Set(),
        reachers: new Set(),
        marked: new Set(),
        written: new Set(),
      });
    for (const dex of dexes) {
      this.#tables(dex);
      this.#code(dex, relations, isWantedMethod, isWantedField);
    }
  }

  ofClass(type: string): ClassUses | null {
    return this.#classes.get(type) ?? null;
  }

  /** The methods that call one, or name a field, one for each place; its descriptor with class and name. */
  callers(member: string): readonly Caller[] {
    return this.#calls.get(member) ?? [];
  }

  #caller(member: string, caller: Caller): void {
    const callers = this.#calls.get(member);
    if (callers === undefined) this.#calls.set(member, [caller]);
    else callers.push(caller);
  }

  /** Whether one class alone has a method of a name and descriptor. */
  isOnlyOne(method: string): boolean {
    return this.#owners.get(method)?.size === 1;
  }

  #named(type: string, by: string): void {
    this.#classes.get(type.replace(/^\[+/, ''))?.namers.add(by);
  }

  #reached(type: string, by: string): void {
    this.#classes.get(type)?.reachers.add(by);
  }

  /** Types of fields, parameters and results, and superclasses. */
  #tables(dex: Dex): void {
    for (let index = 0; index < dex.typeCount; index++) {
      const type = dex.type(index);
      if (type.startsWith('[')) this.#named(type, '');
    }
    for (let index = 0; index < dex.fieldCount; index++) {
      const type = dex.fieldType(index);
      const isInstance = dex.fieldName(index) === instanceField && dex.fieldClass(index) === type;
      if (isInstance) continue;
      if (type.startsWith('[')) this.#named(type, dex.fieldClass(index));
      else this.#reached(type, dex.fieldClass(index));
    }
    this.#shapes(dex);
    for (let index = 0; index < dex.classCount; index++) {
      const { superclassIndex, interfacesOffset } = dex.classDef(index);
      if (superclassIndex !== noIndex) this.#named(dex.type(superclassIndex), dex.className(index));
      for (const each of dex.typeList(interfacesOffset)) this.#named(dex.type(each), dex.className(index));
    }
  }

  /** Types of parameters and results, by the classes whose methods have them. */
  #shapes(dex: Dex): void {
    const wanted = new Map<number, string[]>();
    for (let index = 0; index < dex.protoCount; index++) {
      const types = [dex.protoReturnType(index), ...dex.protoParameters(index)].filter((type) =>
        this.#classes.has(type),
      );
      if (types.length > 0) wanted.set(index, types);
    }
    const isOfMethod = new Set<number>();
    for (let index = 0; wanted.size > 0 && index < dex.methodCount; index++) {
      const proto = dex.methodProtoIndex(index);
      for (const [place, type] of (wanted.get(proto) ?? []).entries()) {
        const isMarked = place === wanted.get(proto)!.length - 1 && isLast(dex, index, type);
        if (isMarked) this.#classes.get(type)!.marked.add(dex.method(index));
        else if (dex.methodName(index) === '<init>') this.#reached(type, dex.methodClass(index));
        else if (!isAccessorOf(dex, index, type)) this.#named(type, dex.methodClass(index));
      }
      isOfMethod.add(proto);
    }
    for (const [proto, types] of wanted) if (!isOfMethod.has(proto)) for (const type of types) this.#named(type, '');
  }

  #code(
    dex: Dex,
    relations: ClassRelations,
    isWantedMethod: (dex: Dex, methodIndex: number) => boolean,
    isWantedField: (dex: Dex, fieldIndex: number) => boolean,
  ): void {
    const types = new Uint8Array(dex.typeCount);
    for (let index = 0; index < types.length; index++) if (this.#classes.has(dex.type(index))) types[index] = 1;
    const fields = new Uint8Array(dex.fieldCount);
    for (let index = 0; index < fields.length; index++) {
      if (types[dex.fieldIds[index * 4]!] === 1) fields[index] = 1;
      if (isWantedField(dex, index)) fields[index] = fields[index]! | 2;
    }
    const methods = new Uint8Array(dex.methodCount);
    for (let index = 0; index < methods.length; index++) {
      if (types[dex.methodIds[index * 4]!] === 1) methods[index] = 1;
      if (!isWantedMethod(dex, index)) continue;
      methods[index] = 2;
      const key = dex.methodName(index) + dex.methodDescriptor(index);
      const owners = this.#owners.get(key);
      if (owners === undefined) this.#owners.set(key, new Set([dex.methodClass(index)]));
      else owners.add(dex.methodClass(index));
    }
    for (let index = 0; index < (dex.map.methodHandles?.count ?? 0); index++) {
      const handle = methodHandleAt(dex, index);
      if (handle?.target === 'method' && methods[handle.index] === 2)
        this.#call(dex, { dex, owner: '', methodIndex: -1 }, handle.index, true);
    }
    scanCode(dex, { types, fields, methods }, (classIndex, methodIndex, _offset, _at, code, index) => {
      const caller = dex.className(classIndex);
      const place = relations.placeOf(caller);
      if (place?.dex !== dex || place.classIndex !== classIndex) return;
      if (code >= 0x52 && code <= 0x6d) {
        const marks = fields[index]!;
        if ((marks & 1) !== 0) this.#field(dex, caller, methodIndex, code, index);
        if ((marks & 2) !== 0) this.#caller(dex.field(index), { dex, owner: caller, methodIndex });
      } else if (code >= 0x6e) this.#call(dex, { dex, owner: caller, methodIndex }, index, methods[index] === 2);
      else if (code === opcode.newInstance && dex.type(index) !== caller)
        this.#classes.get(dex.type(index))!.creators.push(caller);
      else if (!isOwnInstance(dex, caller, methodIndex, code, index)) this.#named(dex.type(index), caller);
    });
  }

  #field(dex: Dex, caller: string, methodIndex: number, code: number, index: number): void {
    const owner = dex.fieldClass(index);
    const name = dex.fieldName(index);
    if (caller !== owner) {
      const isInstance = code >= opcode.sget && code <= opcode.lastSget && name === instanceField;
      if (isInstance && dex.fieldType(index) === owner) this.#classes.get(owner)!.creators.push(caller);
      else this.#reached(owner, caller);
    } else if (code >= opcode.iput && code <= opcode.lastIput && dex.methodName(methodIndex) !== '<init>')
      this.#classes.get(owner)!.written.add(`${name}:${dex.fieldType(index)}`);
  }

  #call(dex: Dex, caller: Caller, index: number, isCounted: boolean): void {
    const owner = dex.methodClass(index);
    if (isCounted) this.#caller(dex.method(index), caller);
    if (caller.owner !== owner && dex.methodName(index) !== '<init>' && this.#classes.has(owner))
      this.#reached(owner, caller.owner);
  }
}

/** Whether a method is one that compilers make to reach what an object of a class has. */
const isAccessorOf = (dex: Dex, methodIndex: number, type: string): boolean =>
  isAccessorName(dex.methodName(methodIndex)) &&
  dex.methodClass(methodIndex) === type &&
  dex.protoReturnType(dex.methodProtoIndex(methodIndex)) !== type &&
  dex.protoParameters(dex.methodProtoIndex(methodIndex)).lastIndexOf(type) === 0;

/** Whether a method is a constructor of another class that takes an object of one last. */
const isLast = (dex: Dex, methodIndex: number, type: string): boolean =>
  dex.methodName(methodIndex) === '<init>' &&
  dex.methodClass(methodIndex) !== type &&
  dex.protoParameters(dex.methodProtoIndex(methodIndex)).at(-1) === type;

/** Whether a class makes the one object that it keeps in a field. */
const isOwnInstance = (dex: Dex, caller: string, methodIndex: number, code: number, index: number): boolean =>
  code === opcode.newInstance && dex.type(index) === caller && dex.methodName(methodIndex) === '<clinit>';
