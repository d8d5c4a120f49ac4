// The classes and methods of one app with what they do, as hashes. Knows no other app.
import { classData } from '../formats/dex/class-data.ts';
import { type Dex, noIndex } from '../formats/dex/dex.ts';
import { EncodedValueReader } from '../formats/dex/encoded-value.ts';
import { type MethodFingerprint, MethodFingerprints, shapeOfTypes } from '../similarity/method-fingerprint.ts';

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

export interface ComparedClass {
  /** `Lcom/example/A;` */
  readonly name: string;
  readonly dex: Dex;
  readonly fingerprints: MethodFingerprints;
  readonly methods: readonly ComparedMethod[];
  /** `Lcom/example/A;->name:I` */
  readonly fields: readonly string[];
  /** Superclass, interfaces, flags, fields and their values, as written. */
  readonly head: string;
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

/** Of several definitions of a class the first counts, as on Android. */
export function comparedCode(dexes: readonly Dex[], resourceName: (id: number) => string | null): ComparedCode {
  const places = new Map<string, { dex: Dex; classIndex: number }>();
  for (const dex of dexes) {
    for (let classIndex = 0; classIndex < dex.classCount && places.size < maxClasses; classIndex++) {
      const name = dex.className(classIndex);
      if (!places.has(name)) places.set(name, { dex, classIndex });
    }
  }
  const isOwn = (type: string) => places.has(type.startsWith('[') ? type.replace(/^\[+/, '') : type);
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
  const { accessFlags, superclassIndex, interfacesOffset, staticValuesOffset } = dex.classDef(classIndex);
  const { staticFields, instanceFields, directMethods, virtualMethods } = classData(dex, classIndex);
  const parents = [superclassIndex, ...dex.typeList(interfacesOffset)].map((type) =>
    type === noIndex ? '' : dex.type(type),
  );
  const values = staticValuesOffset === 0 ? [] : new EncodedValueReader(dex).arrayAt(staticValuesOffset);
  const constants = values.map((value) =>
    value.kind === 'string' ? dex.string(value.index) : 'value' in value ? String(value.value) : value.kind,
  );
  const fields = [...staticFields, ...instanceFields].map(
    ({ fieldIndex, accessFlags: flags }, place) =>
      `${flags} ${dex.fieldName(fieldIndex)}:${dex.fieldType(fieldIndex)} ${place < staticFields.length ? (constants[place] ?? '') : ''}`,
  );
  const types = (text: string) => shapeOfTypes(text, isOwn);
  const nameless = fields.map((field) => types(field.replace(/ [^ :]*:/, ':'))).sort();
  const methods: ComparedMethod[] = [];
  const own = {
    name,
    dex,
    fingerprints,
    methods,
    fields: [...staticFields, ...instanceFields].map(({ fieldIndex }) => dex.field(fieldIndex)),
    head: [accessFlags, ...parents, ...fields.sort()].join('\n'),
    shape: '',
    instructions: 0,
  };
  for (const { methodIndex, accessFlags: flags, codeOffset } of [...directMethods, ...virtualMethods]) {
    const fingerprint = fingerprints.of(codeOffset);
    const descriptor = dex.methodDescriptor(methodIndex);
    const shapeOf = `${flags} ${types(descriptor)} ${fingerprint?.shape ?? ''}`;
    const named = { name: dex.methodName(methodIndex), descriptor, flags, codeOffset };
    methods.push({ owner: own, ...named, fingerprint, shape: shapeOf });
  }
  own.instructions = methods.reduce((sum, method) => sum + (method.fingerprint?.instructions ?? 0), 0);
  const shapes = methods.map((method) => method.shape).sort();
  own.shape = [accessFlags, ...parents.map(types), ...nameless, ...shapes].join('\n');
  return own;
}
