// What rules ask of each file by itself: its name, its type, what a dex file defines. Knows nothing of rules' syntax.
import { Findings } from '../findings.ts';
import { FormatError } from '../formats/byte-reader.ts';
import { classData, type EncodedField, type EncodedMethod } from '../formats/dex/class-data.ts';
import { type Dex, openDex } from '../formats/dex/dex.ts';
import { isDexAt } from '../formats/dex/header.ts';
import type { GlobalValues } from './engine.ts';
import { type FileType, fileTypeOf } from './file-types.ts';
import type { ModuleArgument, ModuleCall } from './module-functions.ts';
import { searchOf } from './report-search.ts';

export interface ScannedFile {
  /** The entry inside the APK, empty for the APK itself. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Stands for a text that a file lacks: a byte that no rule compares with. */
const missingText = '\0';

/** Variables that scanners of folders give to rules, by the names that those use. */
export const fileVariables: ReadonlySet<string> = new Set(['filename', 'filepath', 'extension']);

type Given = readonly ModuleArgument[];
interface FileMember {
  isText: boolean;
  /** Kinds of arguments, `s` a text, `r` a regular expression, `i` an index; null for what is no function. */
  accepts: readonly string[] | null;
  value(facts: FileFacts, given: Given): string | number | undefined;
}

const members = new Map<string, FileMember>();
const define = (isText: boolean, path: string, accepts: FileMember['accepts'], value: FileMember['value']): void => {
  members.set(path, { isText, accepts, value });
};

define(true, 'filename', null, ({ file }) => file.name.slice(file.name.lastIndexOf('/') + 1));
define(true, 'filepath', null, ({ file }) => file.name);
define(true, 'extension', null, ({ file, type }) =>
  file.name === '' && type.mime === 'application/vnd.android.package-archive' ? '.apk' : extensionOf(file.name),
);
// YARA leaves them undefined for nothing at all.
define(true, 'magic.type', [''], ({ file, type }) => (file.bytes.length === 0 ? undefined : type.type));
define(true, 'magic.mime_type', [''], ({ file, type }) => (file.bytes.length === 0 ? undefined : type.mime));

define(true, 'dex.header.magic', null, ({ dex }) => dex?.magic);
define(false, 'dex.number_of_methods', null, ({ dex }) => dex?.methods.length);
define(false, 'dex.number_of_fields', null, ({ dex }) => dex?.fields.length);
define(false, 'dex.has_class', ['s', 'r'], ({ dex }, [name]) => Number(dex?.hasMember(name) ?? 0));
define(false, 'dex.has_method', ['s', 'r', 'ss', 'rr'], ({ dex }, [first, second]) => {
  const [className, name] = second === undefined ? [undefined, first] : [first, second];
  return Number(dex?.hasMember(className, name) ?? 0);
});
define(true, 'dex.string_ids.value', ['i'], ({ dex }, [index]) => dex?.string(indexOf(index)));

for (const list of ['methods', 'fields'] as const) {
  const [singular, flags] = list === 'methods' ? ['method', ['direct', 'virtual']] : ['field', ['static', 'instance']];
  const record = ({ dex }: FileFacts, [index]: Given) => dex?.[list][indexOf(index)];
  define(true, `dex.${singular}.class_name`, ['i'], (facts, given) => record(facts, given)?.className);
  define(true, `dex.${singular}.name`, ['i'], (facts, given) => record(facts, given)?.name);
  define(true, `dex.${singular}.proto`, ['i'], (facts, given) => record(facts, given)?.proto);
  define(false, `dex.${singular}.access_flags`, ['i'], (facts, given) => record(facts, given)?.accessFlags);
  for (const [position, flag] of flags.entries()) {
    define(false, `dex.${singular}.${flag}`, ['i'], (facts, given) => Number(record(facts, given)?.list === position));
  }
}
define(false, 'dex.method.code_off', ['i'], ({ dex }, [index]) => dex?.methods[indexOf(index)]?.codeOffset);

const indexOf = (argument: ModuleArgument | undefined): number => (argument?.kind === 'number' ? argument.value : -1);

function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.includes('.') ? name.slice(name.lastIndexOf('.')) : '';
}

/** Whether the call is one about each file, rather than about the APK's reports. */
export const isFileCall = ({ path }: ModuleCall): boolean => members.has(path);
/** Whether its answer is a text. */
export const isTextCall = ({ path }: ModuleCall): boolean => members.get(path)?.isText === true;

/** Why the call cannot be made, or null. */
export function fileCallProblem({ path, arguments: given }: ModuleCall, isCall: boolean): string | null {
  const member = members.get(path);
  if (member === undefined) return `unknown field or function \`${path}\``;
  if (member.accepts === null) return isCall ? `\`${path}\` is no function` : null;
  const kinds = given.map(({ kind }) => (kind === 'number' ? 'i' : kind === 'text' ? 's' : 'r')).join('');
  if (!isCall && kinds === '') return `\`${path}\` is a function: it needs parentheses`;
  if (!member.accepts.includes(kinds)) return `wrong arguments: \`${path}\` takes others`;
  for (const argument of given) {
    try {
      if (argument.kind === 'regexp') searchOf(argument);
    } catch (error) {
      return `invalid regular expression: ${(error as Error).message}`;
    }
  }
  return null;
}

/** The values of calls on one file, by the global that stands for each. */
export function valuesOnFile(calls: Iterable<readonly [string, ModuleCall]>, facts: FileFacts): GlobalValues {
  const values: Record<string, number | string> = {};
  for (const [name, { path, arguments: given }] of calls) {
    const member = members.get(path)!;
    values[name] = member.value(facts, given) ?? (member.isText ? missingText : 0);
  }
  return values;
}

/** What is found out of a file, once and when it is asked for. */
export class FileFacts {
  readonly file: ScannedFile;
  #type: FileType | null = null;
  #dex: DexMembers | null | undefined;

  constructor(file: ScannedFile) {
    this.file = file;
  }

  get type(): FileType {
    this.#type ??= fileTypeOf(this.file.bytes);
    return this.#type;
  }

  get dex(): DexMembers | null {
    this.#dex ??= isDexAt(this.file.bytes) ? dexMembersOf(this.file) : null;
    return this.#dex;
  }
}

function dexMembersOf({ bytes, name }: ScannedFile): DexMembers | null {
  try {
    return new DexMembers(openDex(bytes, new Findings(), name));
  } catch (error) {
    if (error instanceof FormatError) return null;
    throw error;
  }
}

interface DexMember {
  className: string;
  name: string;
  /** Of a method its short form, of a field its type. */
  proto: string;
  accessFlags: number;
  codeOffset: number;
  /** 0 for direct methods and static fields, 1 for virtual methods and fields of instances. */
  list: number;
}

/** The methods and fields that the classes of a dex file define, in the order of its class data. */
class DexMembers {
  readonly magic: string;
  readonly methods: readonly DexMember[];
  readonly fields: readonly DexMember[];
  readonly #dex: Dex;

  constructor(dex: Dex) {
    this.#dex = dex;
    this.magic = dex.bytes.toString('latin1', 0, 7);
    const methods: DexMember[] = [];
    const fields: DexMember[] = [];
    // Each takes two bytes at least; classes of a hostile file may all claim the same ones.
    const mostMembers = dex.bytes.length;
    for (let index = 0; index < dex.classCount && methods.length + fields.length < mostMembers; index++) {
      const data = classData(dex, index);
      for (const field of data.staticFields) fields.push(this.#fieldOf(field, 0));
      for (const field of data.instanceFields) fields.push(this.#fieldOf(field, 1));
      for (const method of data.directMethods) methods.push(this.#methodOf(method, 0));
      for (const method of data.virtualMethods) methods.push(this.#methodOf(method, 1));
    }
    this.methods = methods;
    this.fields = fields;
  }

  #fieldOf({ fieldIndex, accessFlags }: EncodedField, list: number): DexMember {
    const dex = this.#dex;
    const [className, name] = [dex.fieldClass(fieldIndex), dex.fieldName(fieldIndex)];
    return { className, name, proto: dex.fieldType(fieldIndex), accessFlags, codeOffset: 0, list };
  }

  #methodOf({ methodIndex, accessFlags, codeOffset }: EncodedMethod, list: number): DexMember {
    const dex = this.#dex;
    const [className, name] = [dex.methodClass(methodIndex), dex.methodName(methodIndex)];
    return {
      className,
      name,
      proto: dex.protoShorty(dex.methodProtoIndex(methodIndex)),
      accessFlags,
      codeOffset,
      list,
    };
  }

  string(index: number): string | undefined {
    return index >= 0 && index < this.#dex.stringCount ? this.#dex.string(index) : undefined;
  }

  /** Whether a method is defined whose class and name fit; what is not given fits always. */
  hasMember(className?: ModuleArgument, name?: ModuleArgument): boolean {
    const [fitsClass, fitsName] = [testOf(className), testOf(name)];
    return this.methods.some((method) => fitsClass(method.className) && fitsName(method.name));
  }
}

/** Texts are compared as they are. */
function testOf(wanted: ModuleArgument | undefined): (value: string) => boolean {
  if (wanted === undefined) return () => true;
  if (wanted.kind !== 'regexp') return (value) => value === String(wanted.value);
  const search = searchOf(wanted);
  const known = new Map<string, boolean>();
  return (value) => {
    let fits = known.get(value);
    if (fits === undefined) {
      fits = search(value);
      known.set(value, fits);
    }
    return fits;
  };
}
