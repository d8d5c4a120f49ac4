// The classes and methods of one app with what they do, as hashes. Knows no other app.
import { type Annotation, annotationsAt } from '../formats/dex/annotations.ts';
import { classData } from '../formats/dex/class-data.ts';
import { type Dex, noIndex } from '../formats/dex/dex.ts';
import { EncodedValueReader } from '../formats/dex/encoded-value.ts';
import { annotationElements, smaliValue } from '../formats/dex/smali-literal.ts';
import {
  type MethodFingerprint,
  MethodFingerprints,
  ofPlatform,
  shapeOfTypes,
} from '../similarity/method-fingerprint.ts';

export interface ComparedMethod {
  readonly owner: ComparedClass;
  readonly name: string;
  readonly descriptor: string;
  readonly flags: number;
  readonly codeOffset: number;
  readonly fingerprint: MethodFingerprint | null;
  /** Flags, types and code without names of the app's own. */
  readonly shape: string;
}

export interface ComparedField {
  readonly owner: ComparedClass;
  readonly name: string;
  /** Its type, as `descriptor` of a method is its types. */
  readonly descriptor: string;
  readonly flags: number;
  /** Of a static one, where the class states it. */
  readonly value: string;
  /** Flags, type and value without names of the app's own. */
  readonly shape: string;
}

export interface ComparedClass {
  /** `Lcom/example/A;` */
  readonly name: string;
  readonly dex: Dex;
  readonly fingerprints: MethodFingerprints;
  readonly methods: readonly ComparedMethod[];
  readonly fields: readonly ComparedField[];
  readonly flags: number;
  /** Superclass and interfaces. */
  readonly parents: readonly string[];
  /** Of the class and its members, as written. */
  readonly annotations: string;
  /** Everything without names of the app's own. */
  readonly shape: string;
  readonly instructions: number;
}

export interface ComparedCode {
  classes: ComparedClass[];
  /** Too much overlaps to be looked at. */
  isCut: boolean;
}

/** More classes than any app has; a hostile file may define each many times. */
const maxClasses = 1_000_000;

/** Characters of the values of a class's fields, and of its annotations. */
const maxValueText = 1 << 20;

/** Of several definitions of a class the first counts, as on Android. */
export function comparedCode(dexes: readonly Dex[], resourceName: (id: number) => string | null): ComparedCode {
  const places = new Map<string, { dex: Dex; classIndex: number }>();
  for (const dex of dexes) {
    for (let classIndex = 0; classIndex < dex.classCount && places.size < maxClasses; classIndex++) {
      const name = dex.className(classIndex);
      if (!places.has(name)) places.set(name, { dex, classIndex });
    }
  }
  const isOwn = (type: string) => {
    const element = type.startsWith('[') ? type.replace(/^\[+/, '') : type;
    // Any other class may be another app's own under the same name, or be left out of one of two builds.
    return places.has(element) || !ofPlatform.test(element);
  };
  const byDex = new Map(dexes.map((dex) => [dex, new MethodFingerprints(dex, isOwn, resourceName)]));
  const classes = Array.from(places, ([name, { dex, classIndex }]) =>
    comparedClass(name, dex, classIndex, byDex.get(dex)!, isOwn),
  );
  return { classes, isCut: [...byDex.values()].some(({ isSpent }) => isSpent) };
}

function comparedClass(
  name: string,
  dex: Dex,
  classIndex: number,
  fingerprints: MethodFingerprints,
  isOwn: (type: string) => boolean,
): ComparedClass {
  const { accessFlags, superclassIndex, interfacesOffset, staticValuesOffset, annotationsOffset } =
    dex.classDef(classIndex);
  const { staticFields, instanceFields, directMethods, virtualMethods } = classData(dex, classIndex);
  const parents = [superclassIndex, ...dex.typeList(interfacesOffset)].map((type) =>
    type === noIndex ? '' : dex.type(type),
  );
  const types = (text: string) => shapeOfTypes(text, isOwn);
  const methods: ComparedMethod[] = [];
  const fields: ComparedField[] = [];
  const annotations = annotationText(dex, annotationsOffset);
  const own = {
    name,
    dex,
    fingerprints,
    methods,
    fields,
    flags: accessFlags,
    parents,
    annotations,
    shape: '',
    instructions: 0,
  };
  const values = staticValuesOffset === 0 ? [] : new EncodedValueReader(dex).arrayAt(staticValuesOffset);
  const budget = { charactersLeft: maxValueText };
  for (const [place, { fieldIndex, accessFlags: flags }] of [...staticFields, ...instanceFields].entries()) {
    const constant = place < staticFields.length ? values[place] : undefined;
    const value = constant === undefined ? '' : smaliValue(dex, constant, '', budget);
    const descriptor = dex.fieldType(fieldIndex);
    const shape = `${flags} ${types(descriptor)} ${types(value)}`;
    fields.push({ owner: own, name: dex.fieldName(fieldIndex), descriptor, flags, value, shape });
  }
  for (const { methodIndex, accessFlags: flags, codeOffset } of [...directMethods, ...virtualMethods]) {
    const fingerprint = fingerprints.of(codeOffset);
    const descriptor = dex.methodDescriptor(methodIndex);
    const shapeOf = `${flags} ${types(descriptor)} ${fingerprint?.shape ?? ''}`;
    const named = { name: dex.methodName(methodIndex), descriptor, flags, codeOffset };
    methods.push({ owner: own, ...named, fingerprint, shape: shapeOf });
  }
  own.instructions = methods.reduce((sum, method) => sum + (method.fingerprint?.instructions ?? 0), 0);
  const shapes = methods.map((method) => method.shape).sort();
  const nameless = fields.map((field) => field.shape).sort();
  own.shape = [accessFlags, ...parents.map(types), ...nameless, ...shapes].join('\n');
  return own;
}

/** What the app itself reads when it runs, or its author wrote; those of the compiler say again what the class is. */
function annotationText(dex: Dex, offset: number): string {
  const { ofClass, ofFields, ofMethods, ofParameters } = annotationsAt(dex, offset);
  const budget = { charactersLeft: maxValueText };
  const text = (place: string, annotations: readonly Annotation[]) =>
    annotations
      .filter(({ visibility }) => visibility !== 'system')
      .map((one) => `${place} ${dex.type(one.typeIndex)} ${annotationElements(dex, one, '', budget).join(' ')}`);
  return [
    ...text('', ofClass),
    ...[...ofFields].flatMap(([index, list]) => text(dex.field(index), list)),
    ...[...ofMethods].flatMap(([index, list]) => text(dex.method(index), list)),
    ...[...ofParameters].flatMap(([index, lists]) =>
      lists.flatMap((list, place) => text(`${dex.method(index)} ${place}`, list)),
    ),
  ].join('\n');
}
