// What Kotlin's compiler says of a class in its annotation: names of the class, its functions, properties and parameters. Knows no code.
//
// https://github.com/JetBrains/kotlin: core/metadata/src/metadata.proto, core/metadata.jvm/src/jvm_metadata.proto
import type { Annotation } from '../../formats/dex/annotations.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import type { EncodedValue } from '../../formats/dex/encoded-value.ts';
import { BadMessage, delimited, Message } from './protobuf.ts';

/** A method or field as the virtual machine knows it; null: as Kotlin would make it. */
interface Signature {
  readonly name: string | null;
  readonly descriptor: string | null;
}

export interface KotlinFunction {
  readonly name: string;
  readonly signature: Signature;
  /** Names of its parameters; before them what it extends, `$this`. */
  readonly parameters: readonly string[];
  readonly isSuspend: boolean;
}

export interface KotlinProperty {
  readonly name: string;
  readonly field: Signature | null;
  readonly getter: Signature | null;
  readonly setter: Signature | null;
}

export interface KotlinClass {
  /** `com/example/Outer.Inner`; null for what is no class in source. */
  readonly name: string | null;
  /** Constructors among them, as `<init>`. */
  readonly functions: readonly KotlinFunction[];
  readonly properties: readonly KotlinProperty[];
}

const metadataType = 'Lkotlin/Metadata;';
/** Characters of the message: the compiler cuts it in pieces of 65,535 bytes, and few classes have two. */
const maxLength = 1_000_000;
/** Strings of its table, each of which may stand for several. */
const maxStrings = 50_000;

/** What the annotation says; null where a class has none, or one that is not understood. */
export function kotlinClass(dex: Dex, annotations: readonly Annotation[]): KotlinClass | null {
  const found = annotations.find(({ typeIndex }) => dex.type(typeIndex) === metadataType);
  if (found === undefined) return null;
  const elements = new Map(found.elements.map(({ nameIndex, value }) => [dex.string(nameIndex), value]));
  const kind = elements.get('k');
  const data = strings(dex, elements.get('d1')).join('');
  // The first character says that each of the others is a byte.
  if (kind?.kind !== 'int' || data.charCodeAt(0) !== 0 || data.length > maxLength) return null;
  try {
    const { message, rest } = delimited(Buffer.from(data.slice(1), 'latin1'));
    const names = nameTable(message, strings(dex, elements.get('d2')));
    const content = new Message(rest);
    if (kind.value === 1) return ofClass(content, names);
    if (kind.value === 2 || kind.value === 5)
      return { name: null, ...members(content, { functions: 3, properties: 4 }, names) };
    if (kind.value === 3) return { name: null, functions: [functionOf(content, names)], properties: [] };
    return null;
  } catch (error) {
    if (error instanceof BadMessage) return null;
    throw error;
  }
}

const strings = (dex: Dex, value: EncodedValue | undefined): string[] =>
  value?.kind === 'array' ? value.values.map((each) => (each.kind === 'string' ? dex.string(each.index) : '')) : [];

type NameTable = (index: number | null) => string;

/** Strings by their numbers: most stand in the annotation as they are, some as a part or in another spelling. */
function nameTable(types: Message, texts: readonly string[]): NameTable {
  const records: Message[] = [];
  for (const record of types.messages(1)) {
    const range = Math.min(record.number(1) ?? 1, maxStrings - records.length);
    for (let left = range; left > 0; left--) records.push(record);
  }
  return (index) => {
    if (index === null) return '';
    const record = records[index];
    let text = record?.text(6) ?? (record?.number(2) == null ? texts[index] : '') ?? '';
    const [from, to] = record?.numbers(4) ?? [];
    if (from !== undefined && to !== undefined) text = text.slice(from, to);
    const [replaced, by] = record?.numbers(5) ?? [];
    if (replaced !== undefined && by !== undefined)
      text = text.replaceAll(String.fromCharCode(replaced & 0xffff), String.fromCharCode(by & 0xffff));
    const operation = record?.number(3) ?? 0;
    if (operation === 2) text = text.slice(1, -1);
    return operation === 0 ? text : text.replaceAll('$', '.');
  };
}

function ofClass(content: Message, names: NameTable): KotlinClass {
  const { functions, properties } = members(content, { functions: 9, properties: 10 }, names);
  const constructors = content.messages(8).map(
    (made): KotlinFunction => ({
      name: '<init>',
      signature: { ...signatureOf(made.message(100), names), name: '<init>' },
      parameters: made.messages(2).map((parameter) => names(parameter.number(2))),
      isSuspend: false,
    }),
  );
  return { name: names(content.number(3)) || null, functions: [...constructors, ...functions], properties };
}

function members(content: Message, fields: { functions: number; properties: number }, names: NameTable) {
  return {
    functions: content.messages(fields.functions).map((one) => functionOf(one, names)),
    properties: content.messages(fields.properties).map((one) => propertyOf(one, names)),
  };
}

/** The bit of a function's flags that says it suspends. */
const suspends = 1 << 13;

function functionOf(said: Message, names: NameTable): KotlinFunction {
  const receiver = said.message(5) !== null || said.number(8) !== null ? ['$this'] : [];
  return {
    name: names(said.number(2)),
    signature: signatureOf(said.message(100), names),
    parameters: [...receiver, ...said.messages(6).map((parameter) => names(parameter.number(2)))],
    isSuspend: ((said.number(9) ?? 0) & suspends) !== 0,
  };
}

function propertyOf(said: Message, names: NameTable): KotlinProperty {
  const signature = said.message(100);
  const part = (field: number) => {
    const message = signature?.message(field) ?? null;
    return message === null ? null : signatureOf(message, names);
  };
  return { name: names(said.number(2)), field: part(1), getter: part(3), setter: part(4) };
}

const signatureOf = (said: Message | null, names: NameTable): Signature => ({
  name: names(said?.number(1) ?? null) || null,
  descriptor: names(said?.number(2) ?? null) || null,
});
