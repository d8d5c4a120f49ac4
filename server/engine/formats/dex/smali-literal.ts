// Names, strings, numbers and encoded values in smali's notation. Knows no class or method.
//
// https://github.com/google/smali/wiki
import type { Dex } from './dex.ts';
import type { EncodedAnnotation, EncodedValue } from './encoded-value.ts';
import { methodHandleAt } from './method-handle.ts';

/** How much text a class may still take: what is shared in a dex file can be printed again and again. */
export interface TextBudget {
  charactersLeft: number;
}

const escapes: Record<string, string> = {
  "'": "\\'",
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};
const escapeUnit = (unit: string) => escapes[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A string in double quotes, all but printable ASCII escaped. */
export const smaliString = (text: string) => `"${text.replace(/[^\x20-\x7e]|['"\\]/g, escapeUnit)}"`;

const smaliChar = (unit: number) => `'${String.fromCharCode(unit).replace(/[^\x20-\x7e]|['"\\]/g, escapeUnit)}'`;

/** Names that hold what separates tokens are quoted, as smali does for version 040. */
const plainName = /^[A-Za-z0-9$_<>\-\u00a1-\uffff]+$/;

/** The name of a field or method. A line break must never end the line it stands in. */
export function smaliName(name: string): string {
  if (plainName.test(name)) return name;
  return `\`${name.replace(/[\0-\x1f\x7f`\\]/g, escapeUnit)}\``;
}

const plainDescriptor = /^[A-Za-z0-9$_\-/;[\u00a1-\uffff]+$/;

/** A type descriptor; quoted element by element where a class name needs it. */
export function smaliType(descriptor: string): string {
  if (plainDescriptor.test(descriptor)) return descriptor;
  const match = /^(\[*L)(.+)(;)$/s.exec(descriptor);
  if (match === null) return smaliName(descriptor);
  return `${match[1]}${match[2]!
    .split('/')
    .map((part) => smaliName(part))
    .join('/')};`;
}

/** A method's prototype, `(ILjava/lang/String;)V`. */
export function smaliProto(dex: Dex, index: number): string {
  if (index >= dex.protoCount || index < 0) return `proto@${index}`;
  return `(${dex.protoParameters(index).map(smaliType).join('')})${smaliType(dex.protoReturnType(index))}`;
}

export function smaliMethod(dex: Dex, index: number): string {
  if (index >= dex.methodCount) return `method@${index}`;
  const name = `${smaliName(dex.methodName(index))}${smaliProto(dex, dex.methodProtoIndex(index))}`;
  return `${smaliType(dex.methodClass(index))}->${name}`;
}

export function smaliField(dex: Dex, index: number): string {
  if (index >= dex.fieldCount) return `field@${index}`;
  return `${smaliType(dex.fieldClass(index))}->${smaliName(dex.fieldName(index))}:${smaliType(dex.fieldType(index))}`;
}

/** `invoke-static@Lcom/example/A;->name()V` */
export function smaliMethodHandle(dex: Dex, index: number): string {
  const handle = methodHandleAt(dex, index);
  if (handle === null) return `method-handle@${index}`;
  return `${handle.type}@${handle.target === 'field' ? smaliField(dex, handle.index) : smaliMethod(dex, handle.index)}`;
}

/** `0x1f`, `-0x1f` */
export function smaliHex(value: number | bigint): string {
  return value < 0 ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;
}

function decimal(value: number, shortest: string): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value < 0 ? '-Infinity' : 'Infinity';
  const sign = Object.is(value, -0) ? '-' : '';
  const text = shortest.replace(/e\+?/, 'E');
  if (text.includes('.')) return `${sign}${text}`;
  return sign + (text.includes('E') ? text.replace('E', '.0E') : `${text}.0`);
}

export const smaliDouble = (value: number) => decimal(value, String(value));

/** A 32-bit float in as few digits as tell it from its neighbours. */
export function smaliFloat(value: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const text = String(Number(value.toPrecision(digits)));
    if (Math.fround(Number(text)) === value) return `${decimal(value, text)}f`;
  }
  return `${decimal(value, String(value))}f`;
}

/** An encoded value; lines after the first one are indented by `indent`. Where the budget is spent it is `null`. */
export function smaliValue(dex: Dex, value: EncodedValue, indent: string, budget: TextBudget): string {
  if (budget.charactersLeft <= 0) return 'null';
  const { kind } = value;
  if (kind === 'array') {
    if (value.values.length === 0) return '{}';
    const inner = `${indent}    `;
    return `{\n${value.values.map((item) => inner + smaliValue(dex, item, inner, budget)).join(',\n')}\n${indent}}`;
  }
  if (kind === 'annotation') {
    return [
      `.subannotation ${smaliType(dex.type(value.annotation.typeIndex))}`,
      ...annotationElements(dex, value.annotation, indent, budget),
      `${indent}.end subannotation`,
    ].join('\n');
  }
  const text = simpleValue(dex, value);
  budget.charactersLeft -= text.length + indent.length;
  return text;
}

type SimpleValue = Exclude<EncodedValue, { kind: 'array' | 'annotation' }>;

function simpleValue(dex: Dex, value: SimpleValue): string {
  switch (value.kind) {
    case 'byte':
      return `${smaliHex(value.value)}t`;
    case 'short':
      return `${smaliHex(value.value)}s`;
    case 'char':
      return smaliChar(value.value);
    case 'int':
      return smaliHex(value.value);
    case 'long':
      return `${smaliHex(value.value)}L`;
    case 'float':
      return smaliFloat(value.value);
    case 'double':
      return smaliDouble(value.value);
    case 'boolean':
      return String(value.value);
    case 'null':
      return 'null';
    case 'string':
      return smaliString(dex.string(value.index));
    case 'type':
      return smaliType(dex.type(value.index));
    case 'field':
      return smaliField(dex, value.index);
    case 'enum':
      return `.enum ${smaliField(dex, value.index)}`;
    case 'method':
      return smaliMethod(dex, value.index);
    case 'proto':
      return smaliProto(dex, value.index);
    case 'method-handle':
      return smaliMethodHandle(dex, value.index);
  }
}

/** One line or more per element of an annotation, deeper than `indent`. */
export function annotationElements(
  dex: Dex,
  annotation: EncodedAnnotation,
  indent: string,
  budget: TextBudget,
): string[] {
  const inner = `${indent}    `;
  return annotation.elements.map(
    ({ nameIndex, value }) => `${inner}${smaliName(dex.string(nameIndex))} = ${smaliValue(dex, value, inner, budget)}`,
  );
}
