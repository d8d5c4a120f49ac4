// Notes of analysts as comments in the smali of a class: above the line that they are about. Knows no editor.
import type { CodeNames } from '../../contract/engine/code-names.ts';
import { noteLines } from '../decompiler/names/notes.ts';
import { allMethods, classData } from '../formats/dex/class-data.ts';
import { codeAt } from '../formats/dex/code-item.ts';
import type { Dex } from '../formats/dex/dex.ts';
import { instructionsOf } from '../formats/dex/instruction.ts';
import { smaliName, smaliProto, smaliType } from '../formats/dex/smali-literal.ts';

/** @param shown the dex file with the names that the smali has */
export function smaliWithNotes(
  smali: string,
  dex: Dex,
  classIndex: number,
  shown: Dex,
  notes: CodeNames['notes'],
): string {
  const name = dex.className(classIndex);
  const own = notes.filter(([symbol]) => symbol.startsWith(name));
  if (own.length === 0) return smali;
  const data = classData(dex, classIndex);
  /** By what ends the line that opens a member, in smali's own spelling. */
  const ofMembers = new Map<string, { texts: string[]; atAddress: Map<number, string[]>; addresses: number[] }>();
  const bySymbol = Map.groupBy(own, ([about]) => about);
  const wanted = (symbol: string) => bySymbol.get(symbol) ?? [];
  for (const { fieldIndex } of [...data.staticFields, ...data.instanceFields]) {
    const texts = wanted(dex.field(fieldIndex)).map(([, , text]) => text);
    if (texts.length > 0)
      ofMembers.set(`${smaliName(shown.fieldName(fieldIndex))}:${smaliType(shown.fieldType(fieldIndex))}`, {
        texts,
        atAddress: new Map(),
        addresses: [],
      });
  }
  for (const { methodIndex, codeOffset } of allMethods(data)) {
    const found = wanted(dex.method(methodIndex));
    if (found.length === 0) continue;
    const code = codeAt(dex, codeOffset);
    const atAddress = new Map<number, string[]>();
    for (const [, address, text] of found) {
      if (address !== null) atAddress.set(address, [...(atAddress.get(address) ?? []), text]);
    }
    ofMembers.set(smaliName(shown.methodName(methodIndex)) + smaliProto(shown, dex.methodProtoIndex(methodIndex)), {
      texts: found.filter(([, address]) => address === null).map(([, , text]) => text),
      atAddress,
      addresses: code === null ? [] : Array.from(instructionsOf(code.units), ({ at }) => at),
    });
  }
  const out = wanted(name).flatMap(([, , text]) => written(text, ''));
  let inside: { atAddress: Map<number, string[]>; addresses: number[] } | null = null;
  let block = -1;
  for (const line of smali.split('\n')) {
    if (line.startsWith('.method') || line.startsWith('.field')) {
      const [head] = line.startsWith('.field') ? line.split(' = ', 1) : [line];
      const member = ofMembers.get(head!.slice(head!.lastIndexOf(' ') + 1));
      for (const text of member?.texts ?? []) out.push(...written(text, ''));
      inside = line.startsWith('.method') ? (member ?? null) : null;
      block = -1;
    } else if (line.startsWith('.end method')) inside = null;
    out.push(line);
    if (inside !== null && line === '') {
      block++;
      const texts = inside.atAddress.get(inside.addresses[block] ?? -1);
      for (const text of texts ?? []) out.push(...written(text, '    '));
    }
  }
  return out.join('\n');
}

/** What a class and its members are called in the code, where they are shown otherwise. */
export function originalNames(dex: Dex, classIndex: number, shown: Dex): CodeNames['notes'] {
  if (shown === dex) return [];
  const notes: CodeNames['notes'] = [];
  const add = (symbol: string, own: string, called: string) => {
    if (own !== called) notes.push([symbol, null, `renamed from: ${own}`]);
  };
  const name = dex.className(classIndex);
  add(name, name, shown.className(classIndex));
  const data = classData(dex, classIndex);
  for (const { fieldIndex } of [...data.staticFields, ...data.instanceFields])
    add(dex.field(fieldIndex), dex.fieldName(fieldIndex), shown.fieldName(fieldIndex));
  for (const { methodIndex } of allMethods(data))
    add(dex.method(methodIndex), dex.methodName(methodIndex), shown.methodName(methodIndex));
  return notes;
}

/** Two signs, so that a note is told from what the printer has to say. */
const written = (text: string, indent: string): string[] => noteLines(text).map((line) => `${indent}## ${line}`);
