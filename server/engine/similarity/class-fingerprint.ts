// What a class does, as a hash that renaming leaves alone, and which member of it is which, whatever they are called.
import { allMethods, classData } from '../formats/dex/class-data.ts';
import { type Dex, noIndex } from '../formats/dex/dex.ts';
import { digestOf, MethodFingerprints, ofPlatform, shapeOfTypes } from './method-fingerprint.ts';

/** All else may be called otherwise in the next app. */
const isOwn = (type: string): boolean => !ofPlatform.test(type.replace(/^\[+/, ''));
/** A class with less code is equal to any other that is as small. */
const minInstructions = 12;
/** Members of a class that are looked at. */
const maxMembers = 20_000;

export interface ClassFingerprint {
  /** Empty where there is too little code to tell the class from others. */
  readonly hash: string;
  /** Places within the class by symbol, of what stands there by itself. */
  readonly places: ReadonlyMap<string, string>;
}

export function classFingerprint(dex: Dex, classIndex: number): ClassFingerprint {
  const { accessFlags, superclassIndex, interfacesOffset } = dex.classDef(classIndex);
  const data = classData(dex, classIndex);
  const fingerprints = new MethodFingerprints(dex, isOwn, () => null);
  let instructions = 0;
  const shapes = new Map<string, string[]>();
  const add = (shape: string, symbol: string) => {
    const list = shapes.get(shape);
    if (list === undefined) shapes.set(shape, [symbol]);
    else list.push(symbol);
  };
  for (const { methodIndex, accessFlags: flags, codeOffset } of allMethods(data).slice(0, maxMembers)) {
    const fingerprint = fingerprints.of(codeOffset);
    instructions += fingerprint?.instructions ?? 0;
    const types = shapeOfTypes(dex.methodDescriptor(methodIndex), isOwn);
    add(`m${digestOf(`${flags} ${types} ${fingerprint?.shape}`)}`, dex.method(methodIndex));
  }
  for (const { fieldIndex, accessFlags: flags } of [...data.staticFields, ...data.instanceFields].slice(0, maxMembers))
    add(`f${digestOf(`${flags} ${shapeOfTypes(dex.fieldType(fieldIndex), isOwn)}`)}`, dex.field(fieldIndex));
  const parents = [superclassIndex, ...dex.typeList(interfacesOffset)]
    .map((type) => (type === noIndex ? '' : shapeOfTypes(dex.type(type), isOwn)))
    .sort();
  const members = [...shapes].map(([shape, { length }]) => `${shape} ${length}`).sort();
  const places = new Map([[dex.className(classIndex), '']]);
  for (const [shape, [symbol, ...others]] of shapes) if (others.length === 0) places.set(symbol!, shape);
  return {
    hash: instructions < minInstructions ? '' : digestOf([accessFlags, ...parents, ...members].join('\n')),
    places,
  };
}
