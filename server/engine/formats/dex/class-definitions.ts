// What Android's verifier refuses class definitions of a dex file for. Knows no members.
import { type Dex, noIndex } from './dex.ts';
import { type ItemKind, itemKinds, type KnownItems } from './item-kinds.ts';

/** Words of a class definition. https://source.android.com/docs/core/runtime/dex-format#class-def-item */
const words = {
  type: 0,
  accessFlags: 1,
  superclass: 2,
  interfaces: 3,
  annotations: 5,
  classData: 6,
  staticValues: 7,
  count: 8,
} as const;

/** Words that are offsets, 0 for none. */
const offsetWords: readonly { word: number; kind: ItemKind; name: string }[] = [
  { word: words.interfaces, kind: itemKinds.typeList, name: 'interfaces' },
  { word: words.annotations, kind: itemKinds.annotationsDirectory, name: 'annotations' },
  { word: words.classData, kind: itemKinds.classData, name: 'class data' },
  { word: words.staticValues, kind: itemKinds.encodedArray, name: 'static values' },
];
/** Access flags of the language; higher bits are the runtime's own. */
const javaFlags = 0xffff;
/** From this version of the format on, a class is defined after its superclass. */
const orderedSince = '037';

/** Reports class definitions that Android refuses. */
export function checkClassDefinitions(dex: Dex, items: KnownItems): void {
  const { classDefs, classCount, typeCount } = dex;
  const placeOf = new Int32Array(typeCount).fill(-1);
  for (let index = 0; index < classCount; index++) {
    const at = index * words.count;
    for (const { word, kind, name } of offsetWords) {
      const offset = classDefs[at + word]!;
      if (offset !== 0 && !items.isAt(kind, offset)) report(dex, index, `${name} at 0x${offset.toString(16)}`);
    }
    const type = classDefs[at + words.type]!;
    if (type >= typeCount) report(dex, index, `of type ${type} of ${typeCount}`);
    else if (placeOf[type]! >= 0) report(dex, index, 'defined more than once');
    else placeOf[type] = index;
    const accessFlags = classDefs[at + words.accessFlags]!;
    if ((accessFlags & ~javaFlags) !== 0) report(dex, index, `with flags 0x${accessFlags.toString(16)}`);
    const superclass = classDefs[at + words.superclass]!;
    if (superclass === type) report(dex, index, 'its own superclass');
    else if (superclass >= typeCount && superclass !== noIndex) {
      report(dex, index, `below type ${superclass} of ${typeCount}`);
    }
  }
  if (dex.header.version >= orderedSince) checkOrder(dex, placeOf);
}

/** @param placeOf per type where it is defined, -1 for nowhere */
function checkOrder(dex: Dex, placeOf: Int32Array): void {
  for (let index = 0; index < dex.classCount; index++) {
    const superclass = dex.classDefs[index * words.count + words.superclass]!;
    if ((placeOf[superclass] ?? -1) <= index) continue;
    const evidence = `classes: ${dex.className(index)} stands before its superclass`;
    dex.findings.add('dex-order', dex.where, evidence);
    return;
  }
}

function report(dex: Dex, index: number, fault: string): void {
  dex.findings.add('dex-class-definition', `${dex.where}:${dex.className(index)}`, fault);
}
