// A whole class in smali, so that assembling it again gives an equivalent class. Knows no other class.
//
// https://github.com/google/smali/wiki
import { type Annotation, annotationsAt, type ClassAnnotations } from './annotations.ts';
import { classData, type EncodedField, type EncodedMethod } from './class-data.ts';
import { type Dex, noIndex } from './dex.ts';
import { type EncodedValue, EncodedValueReader } from './encoded-value.ts';
import {
  annotationElements,
  smaliName,
  smaliProto,
  smaliString,
  smaliType,
  smaliValue,
  type TextBudget,
} from './smali-literal.ts';
import { smaliMethodBody } from './smali-method.ts';

type FlagOwner = 'class' | 'field' | 'method';

/** Access flags in smali's words and order. https://source.android.com/docs/core/runtime/dex-format#access-flags */
const accessFlags: readonly (readonly [number, string, readonly FlagOwner[]])[] = [
  [0x1, 'public', ['class', 'field', 'method']],
  [0x2, 'private', ['class', 'field', 'method']],
  [0x4, 'protected', ['class', 'field', 'method']],
  [0x8, 'static', ['class', 'field', 'method']],
  [0x10, 'final', ['class', 'field', 'method']],
  [0x20, 'synchronized', ['method']],
  [0x40, 'volatile', ['field']],
  [0x40, 'bridge', ['method']],
  [0x80, 'transient', ['field']],
  [0x80, 'varargs', ['method']],
  [0x100, 'native', ['method']],
  [0x200, 'interface', ['class']],
  [0x400, 'abstract', ['class', 'method']],
  [0x800, 'strictfp', ['method']],
  [0x1000, 'synthetic', ['class', 'field', 'method']],
  [0x2000, 'annotation', ['class']],
  [0x4000, 'enum', ['class', 'field']],
  [0x10000, 'constructor', ['method']],
  [0x20000, 'declared-synchronized', ['method']],
];

/** The words for a set of access flags, in the order in which smali writes them. */
export function accessFlagWords(flags: number, owner: FlagOwner): string[] {
  return accessFlags.filter(([bit, , owners]) => (flags & bit) !== 0 && owners.includes(owner)).map(([, word]) => word);
}

const indent = '    ';
/** Far above any real class, and what a text view can still take. */
const maxCharacters = 1 << 26;

/**
 * Class `classIndex` of the class definitions in smali.
 * @throws RangeError where there is no such class
 */
export function smaliOf(dex: Dex, classIndex: number): string {
  const definition = dex.classDef(classIndex);
  const annotations = annotationsAt(dex, definition.annotationsOffset);
  const data = classData(dex, classIndex);
  const values =
    definition.staticValuesOffset === 0 ? [] : new EncodedValueReader(dex).arrayAt(definition.staticValuesOffset);
  const flags = accessFlagWords(definition.accessFlags, 'class');
  const lines = [['.class', ...flags, smaliType(dex.className(classIndex))].join(' ')];
  if (definition.superclassIndex !== noIndex) lines.push(`.super ${smaliType(dex.type(definition.superclassIndex))}`);
  if (definition.sourceFileIndex !== noIndex) {
    lines.push(`.source ${smaliString(dex.string(definition.sourceFileIndex))}`);
  }
  const budget: TextBudget = { charactersLeft: maxCharacters };
  const section = <T>(title: string, items: readonly T[], print: (item: T, index: number) => string[]) => {
    if (items.length > 0) lines.push('', '', `# ${title}`);
    for (const [index, item] of items.entries()) {
      if (budget.charactersLeft <= 0) {
        dex.findings.add('dex-text-limit', `${dex.where}:${dex.className(classIndex)}`, `${title} are left out`);
        lines.push(`# the rest is left out: the class has grown too long`);
        return;
      }
      const block = print(item, index).join('\n');
      budget.charactersLeft -= block.length;
      lines.push(...(index > 0 ? [''] : []), block);
    }
  };
  const printer = { dex, annotations, budget };
  section('interfaces', dex.typeList(definition.interfacesOffset), (type) => [
    `.implements ${smaliType(dex.type(type))}`,
  ]);
  section('annotations', annotations.ofClass, (annotation) => annotationLines(printer, annotation, ''));
  section('static fields', data.staticFields, (field, index) => fieldLines(printer, field, values[index]));
  section('instance fields', data.instanceFields, (field) => fieldLines(printer, field, undefined));
  section('direct methods', data.directMethods, (method) => methodLines(printer, method));
  section('virtual methods', data.virtualMethods, (method) => methodLines(printer, method));
  return `${lines.join('\n')}\n`;
}

interface ClassPrinter {
  readonly dex: Dex;
  readonly annotations: ClassAnnotations;
  readonly budget: TextBudget;
}

function annotationLines({ dex, budget }: ClassPrinter, annotation: Annotation, margin: string): string[] {
  return [
    `${margin}.annotation ${annotation.visibility} ${smaliType(dex.type(annotation.typeIndex))}`,
    ...annotationElements(dex, annotation, margin, budget),
    `${margin}.end annotation`,
  ];
}

function annotationBlocks(printer: ClassPrinter, annotations: readonly Annotation[], margin: string): string[] {
  return annotations.flatMap((annotation) => annotationLines(printer, annotation, margin));
}

function fieldLines(
  printer: ClassPrinter,
  { fieldIndex, accessFlags: flags }: EncodedField,
  value: EncodedValue | undefined,
): string[] {
  const { dex, annotations, budget } = printer;
  const name = `${smaliName(dex.fieldName(fieldIndex))}:${smaliType(dex.fieldType(fieldIndex))}`;
  const initial = value === undefined ? '' : ` = ${smaliValue(dex, value, '', budget)}`;
  const line = `${['.field', ...accessFlagWords(flags, 'field'), name].join(' ')}${initial}`;
  const own = annotations.ofFields.get(fieldIndex) ?? [];
  return own.length === 0 ? [line] : [line, ...annotationBlocks(printer, own, indent), '.end field'];
}

function methodLines(printer: ClassPrinter, method: EncodedMethod): string[] {
  const { dex, annotations, budget } = printer;
  const { methodIndex } = method;
  const name = smaliName(dex.methodName(methodIndex)) + smaliProto(dex, dex.methodProtoIndex(methodIndex));
  const own = annotationBlocks(printer, annotations.ofMethods.get(methodIndex) ?? [], indent);
  const parameterAnnotations = annotations.ofParameters.get(methodIndex) ?? [];
  const printAnnotations = (list: readonly Annotation[], margin: string) => annotationBlocks(printer, list, margin);
  const body = smaliMethodBody(dex, { method, parameterAnnotations, printAnnotations, budget }, own);
  return [['.method', ...accessFlagWords(method.accessFlags, 'method'), name].join(' ')].concat(body, '.end method');
}
