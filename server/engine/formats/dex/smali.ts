// A whole class in smali, so that assembling it again gives an equivalent class. Knows no other class.
//
// https://github.com/google/smali/wiki
import { type Annotation, annotationsAt, type ClassAnnotations } from './annotations.ts';
import { classData, type EncodedField, type EncodedMethod } from './class-data.ts';
import { type Dex, noIndex } from './dex.ts';
import { type EncodedValue, EncodedValueReader } from './encoded-value.ts';
import { annotationElements, smaliName, smaliProto, smaliString, smaliType, smaliValue } from './smali-literal.ts';
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
  const section = (title: string, blocks: string[][]) => {
    if (blocks.length > 0) lines.push('', '', `# ${title}`, blocks.map((block) => block.join('\n')).join('\n\n'));
  };
  section(
    'interfaces',
    dex.typeList(definition.interfacesOffset).map((type) => [`.implements ${smaliType(dex.type(type))}`]),
  );
  section(
    'annotations',
    annotations.ofClass.map((annotation) => annotationLines(dex, annotation, '')),
  );
  const fields = (list: readonly EncodedField[], initial: readonly EncodedValue[]) =>
    list.map((field, index) => fieldLines(dex, field, initial[index], annotations));
  section('static fields', fields(data.staticFields, values));
  section('instance fields', fields(data.instanceFields, []));
  const methods = (list: readonly EncodedMethod[]) => list.map((method) => methodLines(dex, method, annotations));
  section('direct methods', methods(data.directMethods));
  section('virtual methods', methods(data.virtualMethods));
  return `${lines.join('\n')}\n`;
}

function annotationLines(dex: Dex, annotation: Annotation, margin: string): string[] {
  return [
    `${margin}.annotation ${annotation.visibility} ${smaliType(dex.type(annotation.typeIndex))}`,
    ...annotationElements(dex, annotation, margin),
    `${margin}.end annotation`,
  ];
}

function annotationBlocks(dex: Dex, annotations: readonly Annotation[], margin: string): string[] {
  return annotations.flatMap((annotation) => annotationLines(dex, annotation, margin));
}

function fieldLines(
  dex: Dex,
  { fieldIndex, accessFlags: flags }: EncodedField,
  value: EncodedValue | undefined,
  annotations: ClassAnnotations,
): string[] {
  const name = `${smaliName(dex.fieldName(fieldIndex))}:${smaliType(dex.fieldType(fieldIndex))}`;
  const initial = value === undefined ? '' : ` = ${smaliValue(dex, value, '')}`;
  const line = `${['.field', ...accessFlagWords(flags, 'field'), name].join(' ')}${initial}`;
  const own = annotations.ofFields.get(fieldIndex) ?? [];
  return own.length === 0 ? [line] : [line, ...annotationBlocks(dex, own, indent), '.end field'];
}

/** One method of a class in smali, `.method` to `.end method`. */
export function methodLines(dex: Dex, method: EncodedMethod, annotations: ClassAnnotations): string[] {
  const { methodIndex } = method;
  const name = smaliName(dex.methodName(methodIndex)) + smaliProto(dex, dex.methodProtoIndex(methodIndex));
  const own = annotationBlocks(dex, annotations.ofMethods.get(methodIndex) ?? [], indent);
  const parameterAnnotations = annotations.ofParameters.get(methodIndex) ?? [];
  const printAnnotations = (list: readonly Annotation[], margin: string) => annotationBlocks(dex, list, margin);
  return [
    ['.method', ...accessFlagWords(method.accessFlags, 'method'), name].join(' '),
    ...smaliMethodBody(dex, { method, parameterAnnotations, printAnnotations }, own),
    '.end method',
  ];
}
