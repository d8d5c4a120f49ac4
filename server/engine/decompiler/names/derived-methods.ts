// Names for methods whose own are no words: one for all that override each other. Knows no text.
import { object } from '../../code/values/operands.ts';
import { allMethods, type EncodedMethod } from '../../formats/dex/class-data.ts';
import { methodNames } from '../kotlin/method-names.ts';
import type { SourceClass } from '../printing/program.ts';
import { accessedField } from './code-hints.ts';
import type { Deriving } from './derived-names.ts';
import { MethodFamilies } from './method-families.ts';
import { Relatives } from './relatives.ts';
import { isGoodName, isWord, withoutSigns } from './words.ts';

const accNative = 0x100;
const accAnnotation = 0x2000;
/** Looks at classes for families of methods: what an app has needs a small part, classes that extend each other without end get no names. */
const maxWork = 50_000_000;
const ofObject = /^(?:clone|equals|finalize|getClass|hashCode|notify|notifyAll|toString|wait)$/;
/** Its classes have no methods that are called by no word, whether or not a table tells all of them. */
const ofPlatform = /^L(?:android|dalvik|java|javax|com\/android\/internal|org\/(?:json|w3c|xml|xmlpull))\//;
/** Of the platform's classes those that give their heirs no methods that readable names could meet. */
const silent = new Set([object, 'Ljava/io/Serializable;', 'Ljava/lang/Cloneable;', 'Ljava/lang/Runnable;']);

export function nameMethods(deriving: Deriving): void {
  const { program, given, names } = deriving;
  const { relations } = program;
  const relatives = new Relatives(program);
  const unnamed: { place: SourceClass; method: EncodedMethod }[] = [];
  const words = new Map<string, string[]>();
  const sought = new Set<string>();
  for (const type of relations.appTypes) {
    const place = program.classOf(type)!;
    const { dex, data, classIndex } = place;
    const methods = allMethods(data);
    for (const { methodIndex } of methods)
      relatives.add(type, given.members.get(dex.method(methodIndex)) ?? dex.methodName(methodIndex));
    const isNamedByUse = (dex.classDef(classIndex).accessFlags & accAnnotation) !== 0;
    if (isNamedByUse || relations.factsOf(type)?.superclass === 'Ljava/lang/Record;') continue;
    const without = methods.filter(
      ({ methodIndex }) => !isWord(dex.methodName(methodIndex)) && !isSpecial(dex.methodName(methodIndex)),
    );
    if (without.length === 0) continue;
    const said = methodNames(deriving.hintsOf(place).kotlin, place);
    for (const method of without) {
      unnamed.push({ place, method });
      const own = [said.get(method.methodIndex)?.name, accessorName(deriving, place, method)].filter(
        (word) => word !== undefined && isGoodName(word),
      ) as string[];
      if (own.length > 0) words.set(dex.method(method.methodIndex), own);
      for (const word of own) sought.add(word);
    }
  }
  const families = new MethodFamilies(program, deriving.dexes, (key) => {
    const name = key.slice(0, key.indexOf('('));
    return !isWord(name) || sought.has(name);
  });
  const done = new Set<string>();
  for (const { place, method } of unnamed) {
    const symbol = place.dex.method(method.methodIndex);
    if (done.has(symbol) || families.work > maxWork) continue;
    const key = place.dex.methodName(method.methodIndex) + place.dex.methodDescriptor(method.methodIndex);
    const { members, outside } = families.of(place.type, key);
    for (const member of members) done.add(member);
    if (outside !== null || members.some((member) => given.members.has(member))) continue;
    if (members.some((member) => isKept(deriving, member))) continue;
    const owners = members.map((member) => member.slice(0, member.indexOf(';->') + 1));
    const descriptor = key.slice(key.indexOf('('));
    const isFree = (word: string) =>
      !ofObject.test(word) &&
      owners.every(
        (owner) => !relatives.hasAround(owner, word) && families.outsideOf(owner, word + descriptor) === null,
      );
    const isSure = owners.every((owner) => isOwnAlone(deriving, owner));
    const name =
      (isSure ? members.flatMap((member) => words.get(member) ?? []).find(isFree) : undefined) ??
      [withoutSigns(place.dex.methodName(method.methodIndex))].find((word) => word !== null && isFree(word)) ??
      deriving.numbered('method', 4);
    for (const owner of owners) relatives.add(owner, name);
    names.set(symbol, name);
  }
}

const isSpecial = (name: string): boolean => name.startsWith('<');

/** Whether a method is called by its name from where the app has no code: by native code, or by a class that nobody knows. */
function isKept({ program }: Deriving, symbol: string): boolean {
  const end = symbol.indexOf(';->');
  const owner = symbol.slice(0, end + 1);
  const place = program.classOf(owner)!;
  const method = allMethods(place.data).find(({ methodIndex }) => place.dex.method(methodIndex) === symbol);
  if (method === undefined || (method.accessFlags & accNative) !== 0) return true;
  const isDirect = place.data.directMethods.includes(method);
  return (
    !isDirect &&
    program.relations.above(owner).some((type) => program.relations.factsOf(type) === null && !ofPlatform.test(type))
  );
}

/** Whether a class has methods of the app's classes alone. */
const isOwnAlone = ({ program }: Deriving, type: string): boolean =>
  program.relations
    .above(type)
    .every((above) => silent.has(above) || program.relations.placeOf(above) !== null || above.startsWith('Lkotlin/'));

/** `getName` of what only reads the field `name`. */
function accessorName({ names }: Deriving, place: SourceClass, method: EncodedMethod): string | undefined {
  const accessed = accessedField(place, method);
  if (accessed === null) return undefined;
  const { dex } = place;
  const field = names.get(dex.field(accessed.field)) ?? dex.fieldName(accessed.field);
  if (!isWord(field) || /^field\d+$/.test(field)) return undefined;
  const isBoolean = dex.fieldType(accessed.field) === 'Z';
  if (/^is[A-Z]/.test(field) && isBoolean) return accessed.isWritten ? `set${field.slice(2)}` : field;
  return `${accessed.isWritten ? 'set' : isBoolean ? 'is' : 'get'}${field[0]!.toUpperCase()}${field.slice(1)}`;
}
