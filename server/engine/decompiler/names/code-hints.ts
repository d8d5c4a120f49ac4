// What code itself calls things whose names were taken away: texts of toString(), tags of log lines, accessors of fields. Knows no names.
import { classData, type EncodedMethod } from '../../formats/dex/class-data.ts';
import { codeAt } from '../../formats/dex/code-item.ts';
import { scanCode } from '../../formats/dex/code-scan.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import { EncodedValueReader } from '../../formats/dex/encoded-value.ts';
import { instructionsOf } from '../../formats/dex/instruction.ts';
import type { SourceClass } from '../printing/program.ts';
import { isGoodName } from './words.ts';

/** Code units of a method that are read for hints. */
const maxUnits = 4000;
const logMethod = /^Landroid\/util\/Log;->(?:[vdiwe]|wtf)\(Ljava\/lang\/String;/;

const codeOf = (dex: Dex, { codeOffset }: EncodedMethod): Uint16Array | null => {
  const units = codeAt(dex, codeOffset)?.units ?? null;
  return units === null || units.length > maxUnits ? null : units;
};

export interface SpokenNames {
  /** `User` of `"User(name=" + a + ", age=" + b + ")"`. */
  readonly className: string | null;
  /** `name` by the index of its field. */
  readonly fields: ReadonlyMap<number, string>;
}

const nothingSpoken: SpokenNames = { className: null, fields: new Map() };

/** What a class's `toString()` calls it and its fields. */
export function spokenNames({ dex, data, type }: SourceClass): SpokenNames {
  const method = data.virtualMethods.find(
    ({ methodIndex }) =>
      dex.methodName(methodIndex) === 'toString' && dex.methodDescriptor(methodIndex) === '()Ljava/lang/String;',
  );
  const units = method === undefined ? null : codeOf(dex, method);
  if (units === null) return nothingSpoken;
  const fields = new Map<number, string>();
  let className: string | null = null;
  let label: string | null = null;
  for (const part of spokenParts(dex, type, units)) {
    if (typeof part === 'number') {
      if (label !== null && !fields.has(part)) fields.set(part, label);
      label = null;
      continue;
    }
    const [, own, named] =
      /^(?:\s*([A-Za-z_][\w.]*)\s*[([{]\s*|[\s,;'"]*)(?:([A-Za-z_]\w*)\s*[=:]\s*['"]?)?$/.exec(part) ?? [];
    if (own !== undefined) className ??= own.slice(own.lastIndexOf('.') + 1);
    label = named ?? null;
  }
  return { className: className !== null && isGoodName(className) ? className : null, fields };
}

/** Texts and own fields in the order in which they are joined. */
function* spokenParts(dex: Dex, type: string, units: Uint16Array): Generator<string | number> {
  const held = new Map<number, string | number>();
  let result: string | number | undefined;
  for (const { opcode, registers, index } of instructionsOf(units)) {
    const { mnemonic } = opcode;
    const [first = 0, second = 0] = registers;
    if (mnemonic.startsWith('const-string')) held.set(first, dex.string(index));
    else if (mnemonic.startsWith('iget') && dex.fieldClass(index) === type) held.set(first, index);
    else if (mnemonic.startsWith('move-result')) set(held, first, result);
    else if (mnemonic.startsWith('move')) set(held, first, held.get(second));
    else if (mnemonic.startsWith('invoke')) {
      const isJoined =
        /^Ljava\/lang\/String(?:Builder|Buffer);->(?:append|<init>)\(.|^Ljava\/lang\/String;->concat/.test(
          dex.method(index),
        );
      const given = registers.slice(1).map((register) => held.get(register));
      if (isJoined && given[0] !== undefined) yield given[0];
      // `Arrays.toString(a)`, `String.valueOf(a)` and the like speak of the field that they are given.
      result = isJoined
        ? undefined
        : registers.map((register) => held.get(register)).find((each) => typeof each === 'number');
    } else if (mnemonic.startsWith('if') || mnemonic.startsWith('goto') || /switch/.test(mnemonic)) held.clear();
    else if (!/^(?:iput|sput|aput|return|throw|nop|monitor|check-cast)/.test(mnemonic)) held.delete(first);
  }
}

function set<T>(held: Map<number, T>, register: number, value: T | undefined): void {
  if (value === undefined) held.delete(register);
  else held.set(register, value);
}

/** What classes call themselves in the lines that they log, where one tag stands for one class alone. */
export function logTags(dexes: readonly Dex[], isAsked: (type: string) => boolean): Map<string, string> {
  const tags = new Map<string, Set<string>>();
  for (const dex of dexes) {
    const methods = Uint8Array.from({ length: dex.methodCount }, (_, index) =>
      logMethod.test(dex.method(index)) ? 1 : 0,
    );
    if (!methods.includes(1)) continue;
    const seen = new Set<number>();
    scanCode(dex, { methods }, (classIndex, _method, codeOffset) => {
      if (seen.has(codeOffset)) return;
      seen.add(codeOffset);
      const type = dex.className(classIndex);
      const known = tags.get(type) ?? new Set<string>();
      tags.set(type, known);
      for (const tag of tagsIn(dex, codeOffset, methods)) known.add(tag);
    });
  }
  const owners = new Map<string, Set<string>>();
  for (const [type, said] of tags) {
    for (const tag of said) owners.set(tag, (owners.get(tag) ?? new Set()).add(type));
  }
  const found = new Map<string, string>();
  for (const [type, said] of tags) {
    const [tag = ''] = said;
    if (said.size !== 1 || owners.get(tag)!.size !== 1 || !isAsked(type)) continue;
    if (/^[A-Z][A-Za-z0-9]{3,59}$/.test(tag) && isGoodName(tag)) found.set(type, tag);
  }
  return found;
}

function tagsIn(dex: Dex, codeOffset: number, methods: Uint8Array): Set<string> {
  const found = new Set<string>();
  const units = codeAt(dex, codeOffset)?.units;
  if (units === undefined || units.length > maxUnits) return found;
  const held = new Map<number, string>();
  for (const { opcode, registers, index } of instructionsOf(units)) {
    const [first = 0] = registers;
    if (opcode.mnemonic.startsWith('const-string')) held.set(first, dex.string(index));
    else if (opcode.mnemonic.startsWith('sget-object')) set(held, first, initialText(dex, index));
    else if (opcode.mnemonic.startsWith('invoke')) {
      if (methods[index] === 1) found.add(held.get(first) ?? '');
    } else if (!/^(?:if|iput|sput|aput|return|throw|goto|nop)/.test(opcode.mnemonic)) held.delete(first);
  }
  return found;
}

/** The text that a static field starts with. */
function initialText(dex: Dex, fieldIndex: number): string | undefined {
  const classIndex = dex.classByDescriptor(dex.fieldClass(fieldIndex));
  if (classIndex < 0) return undefined;
  const { staticValuesOffset } = dex.classDef(classIndex);
  if (staticValuesOffset === 0) return undefined;
  const place = classData(dex, classIndex).staticFields.findIndex((field) => field.fieldIndex === fieldIndex);
  const value = new EncodedValueReader(dex).arrayAt(staticValuesOffset)[place];
  return value?.kind === 'string' ? dex.string(value.index) : undefined;
}

/** The field that a method only reads or only writes; null for none. */
export function accessedField(
  { dex, type }: SourceClass,
  method: EncodedMethod,
): { field: number; isWritten: boolean } | null {
  const units = method.codeOffset === 0 ? null : codeAt(dex, method.codeOffset)?.units;
  if (units == null || units.length > 8) return null;
  const [first, second, ...others] = instructionsOf(units);
  if (first === undefined || second === undefined || others.length > 0) return null;
  if (!/^i(?:get|put)/.test(first.opcode.mnemonic) || !second.opcode.mnemonic.startsWith('return')) return null;
  const isWritten = first.opcode.mnemonic.startsWith('iput');
  const isPlain = isWritten
    ? second.opcode.mnemonic === 'return-void'
    : second.registers[0] === first.registers[0] && second.opcode.mnemonic !== 'return-void';
  return isPlain && dex.fieldClass(first.index) === type ? { field: first.index, isWritten } : null;
}
