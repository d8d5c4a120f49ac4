// What the constants of an enum call themselves, where an obfuscator gave their fields other names. Knows no text.
import { BadCode } from '../../code/method-body.ts';
import { allMethods, type EncodedMethod } from '../../formats/dex/class-data.ts';
import { codeAt } from '../../formats/dex/code-item.ts';
import { instructionAt } from '../../formats/dex/instruction.ts';
import { Unsayable, WorkLimit } from '../limits.ts';
import { methodSource } from '../method.ts';
import { isIdentifier } from '../printing/identifiers.ts';
import type { Program, SourceClass } from '../printing/program.ts';
import { enumShape } from './enums.ts';

const accEnum = 0x4000;
const none: ReadonlyMap<string, string> = new Map();

/**
 * By the name of its field what the code makes the name of each constant, which `valueOf()`, `toString()` and serialisation go
 * by. Only names that Java takes, and that no other field of the class has.
 */
export function constantNames(program: Program, place: SourceClass): ReadonlyMap<string, string> {
  const { dex, data, type } = place;
  const initialiser = allMethods(data).find(({ methodIndex }) => dex.methodName(methodIndex) === '<clinit>');
  const fields = data.staticFields.filter(({ accessFlags }) => (accessFlags & accEnum) !== 0);
  const fieldNames = fields.map(({ fieldIndex }) => dex.fieldName(fieldIndex));
  if (initialiser === undefined) return none;
  const strings = stringsIn(place, initialiser);
  if (fieldNames.every((name) => strings.has(name))) return none;
  const others = [...data.staticFields, ...data.instanceFields].filter((field) => !fields.includes(field));
  const taken = new Set(others.map(({ fieldIndex }) => dex.fieldName(fieldIndex)));
  const named = new Map<string, string>();
  try {
    const work = new WorkLimit();
    const { statements } = methodSource({ program, work }, dex, type, initialiser);
    const isValues = (field: { owner: string; name: string; type: string }) =>
      program.isValuesField(field.owner, field.name, field.type);
    for (const { field, call } of enumShape(type, statements, isValues).constants) {
      const [given] = call.values;
      if (given?.kind === 'string' && isIdentifier(given.value) && !taken.has(given.value))
        named.set(field, given.value);
    }
  } catch (error) {
    if (!(error instanceof BadCode || error instanceof Unsayable)) throw error;
    return none;
  }
  // A name that is taken twice, or by a field that keeps its own, would be two.
  const kept = fieldNames.filter((name) => !named.has(name));
  const shown = [...named.values(), ...kept];
  const isUnique = new Set(shown).size === shown.length;
  return isUnique ? new Map([...named].filter(([field, name]) => field !== name)) : none;
}

function stringsIn({ dex }: SourceClass, { codeOffset }: EncodedMethod): Set<string> {
  const strings = new Set<string>();
  const units = codeAt(dex, codeOffset)?.units ?? new Uint16Array();
  for (let at = 0; at < units.length; ) {
    const { opcode, index, length } = instructionAt(units, at);
    if (opcode.index === 'string') strings.add(dex.string(index));
    at += Math.max(1, length);
  }
  return strings;
}
