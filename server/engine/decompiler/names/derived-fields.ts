// Names for fields whose own are no words. Knows no methods.
import { isReference } from '../../code/values/operands.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import type { KotlinProperty } from '../kotlin/metadata.ts';
import { constantNames } from '../language/constant-names.ts';
import { binaryName, type SourceClass } from '../printing/program.ts';
import type { Deriving } from './derived-names.ts';
import { Relatives } from './relatives.ts';
import { isGoodName, isResourceTable, isWord, onlyByCase, withoutSigns } from './words.ts';

const accSynthetic = 0x1000;
const accEnum = 0x4000;

export function nameFields(deriving: Deriving): void {
  const { program, given, names } = deriving;
  const relatives = new Relatives(program);
  for (const type of program.relations.appTypes) {
    const { dex, data } = program.classOf(type)!;
    for (const { fieldIndex } of [...data.staticFields, ...data.instanceFields])
      relatives.add(type, given.members.get(dex.field(fieldIndex)) ?? dex.fieldName(fieldIndex));
  }
  for (const type of program.relations.appTypes) {
    const place = program.classOf(type)!;
    const unnamed = unnamedFields(deriving, place);
    if (unnamed.length === 0) continue;
    const wordsFor = fieldWords(deriving, place, unnamed);
    for (const fieldIndex of unnamed) {
      const symbol = place.dex.field(fieldIndex);
      const name =
        wordsFor(fieldIndex).find((word) => isGoodName(word) && !relatives.hasAround(type, word)) ??
        deriving.numbered('field', 4);
      if (given.members.has(symbol)) continue;
      relatives.add(type, name);
      names.set(symbol, name);
    }
  }
}

/** Indexes of the fields of a class whose names are no words. What a record has is named as its constructor's parameters are. */
function unnamedFields({ program }: Deriving, { type, dex, data }: SourceClass): number[] {
  if (isResourceTable(type) || program.relations.factsOf(type)?.superclass === 'Ljava/lang/Record;') return [];
  const fields = [...data.staticFields, ...data.instanceFields];
  const names = fields.map(({ fieldIndex }) => dex.fieldName(fieldIndex));
  const twice = onlyByCase(names.filter((name) => /^\P{Lu}*\p{Ll}.*\p{Lu}/u.test(name)));
  const isUnnamed = (name: string) => !isWord(name) || twice.has(name);
  return fields
    .filter(({ fieldIndex, accessFlags }) => {
      const isArrayOfEnum = (accessFlags & accSynthetic) !== 0 && program.isEnumClass(type);
      return !isArrayOfEnum && isUnnamed(dex.fieldName(fieldIndex));
    })
    .map(({ fieldIndex }) => fieldIndex);
}

/** What the code calls a field, the surest first. */
function fieldWords(
  deriving: Deriving,
  place: SourceClass,
  unnamed: readonly number[],
): (fieldIndex: number) => string[] {
  const { dex, data, type } = place;
  const { kotlin, spoken } = deriving.hintsOf(place);
  const isConstant = (index: number) =>
    data.staticFields.some(({ fieldIndex, accessFlags }) => fieldIndex === index && (accessFlags & accEnum) !== 0);
  const constants =
    deriving.program.isEnumClass(type) && unnamed.some(isConstant)
      ? constantNames(deriving.program, place)
      : new Map<string, string>();
  const isStatic = (index: number) => data.staticFields.some(({ fieldIndex }) => fieldIndex === index);
  return (index) => {
    const name = dex.fieldName(index);
    const constant = isConstant(index) ? constants.get(name) : undefined;
    if (constant !== undefined) return [constant];
    const property = kotlin?.properties.find((one) => isOf(one, dex, index))?.name;
    const word = property ?? spoken.fields.get(index);
    const ofType = typeWord(deriving, dex.fieldType(index), isStatic(index));
    const plain = withoutSigns(name);
    return [...(word === undefined ? [] : [word, `${word}Field`]), ...(plain === null ? [] : [plain]), ...ofType];
  };
}

const isOf = ({ name, field }: KotlinProperty, dex: Dex, index: number): boolean =>
  field !== null &&
  (field.name ?? name) === dex.fieldName(index) &&
  (field.descriptor === null || field.descriptor === dex.fieldType(index));

/** `textView`, `textView2` …, `INSTANCE…` for none: what a field of a type may be called. */
function typeWord({ names }: Deriving, type: string, isStatic: boolean): string[] {
  const element = type.replace(/^\[+/, '');
  if (!isReference(element) || element === 'Ljava/lang/Object;') return [];
  const binary = binaryName(element);
  const own = (names.get(element) ?? binary.slice(binary.lastIndexOf('$') + 1)).replace(/^[^A-Za-z]+/, '');
  if (!isGoodName(own)) return [];
  const lower = own.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (letters) => letters.toLowerCase());
  const word = `${isStatic ? 'static' : ''}${isStatic ? own : lower}${type === element ? '' : 's'}`;
  return [word, ...Array.from({ length: maxAlike }, (_, index) => `${word}${index + 2}`)];
}

/** Fields of one type in one class that are told apart by numbers of their own. */
const maxAlike = 30;
