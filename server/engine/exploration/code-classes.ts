// Dex files and classes as an analyst opens them: outline, smali, where each member stands in it. Knows no references.
import { type CodeClass, type CodeOutline, maxSmaliLength } from '../../contract/engine/exploration.ts';
import { classData, type EncodedMethod } from '../formats/dex/class-data.ts';
import { codeAt } from '../formats/dex/code-item.ts';
import { type Dex, noIndex } from '../formats/dex/dex.ts';
import { instructionsOf } from '../formats/dex/instruction.ts';
import { accessFlagWords, smaliOf } from '../formats/dex/smali.ts';
import { smaliName, smaliProto, smaliType } from '../formats/dex/smali-literal.ts';
import { maxPrintedUnits } from '../formats/dex/smali-method.ts';
import { ExplorationFault } from './fault.ts';
import { programFor } from './java-source.ts';
import { type OpenedApp, readable } from './opened-app.ts';
import { ShownDex } from './shown-dex.ts';
import { originalNames, smaliWithNotes } from './smali-notes.ts';

const maxSubclasses = 100;
/** Members in the outline; a class has some thousand at most, a hostile one claims millions. */
const maxMembers = 20_000;
/** Instructions of a class whose addresses are told. */
const maxAddresses = 200_000;
/** Things that the smali of a class calls otherwise than its code. */
const maxShown = 20_000;

const changed = (shown: string, own: string): string | null => (shown === own ? null : shown);

export function codeOutline(app: OpenedApp): CodeOutline {
  return {
    dexes: app.dexes.map((dex) => ({
      name: dex.where,
      version: dex.header.version,
      size: dex.header.fileSize,
      classes: dex.classCount,
      methods: dex.methodCount,
      fields: dex.fieldCount,
      strings: dex.stringCount,
      is_embedded: app.isEmbedded(dex),
    })),
    unreadable: app.unreadableDexes,
  };
}

/**
 * A class with its smali.
 * @throws ExplorationFault `not-found`
 */
export function classOf(app: OpenedApp, { name, dex: wanted }: { name: string; dex?: string | undefined }): CodeClass {
  const places = app.tree.placesOf(name);
  const place = wanted === undefined ? places[0] : places.find(({ dex }) => dex.where === wanted);
  if (place === undefined) throw new ExplorationFault('not-found', 'no dex defines this class');
  const { dex, classIndex } = place;
  const definition = dex.classDef(classIndex);
  const { notes } = app.names;
  const shown = !app.isRenamed ? dex : new ShownDex(dex, programFor(app, dex, name).program);
  const bare = readable(() => smaliOf(shown, classIndex));
  const said = [...originalNames(dex, classIndex, shown), ...notes];
  const whole = said.length === 0 ? bare : smaliWithNotes(bare, dex, classIndex, shown, said);
  const isCut = whole.length > maxSmaliLength;
  const smali = isCut ? whole.slice(0, whole.lastIndexOf('\n', maxSmaliLength) + 1) : whole;
  return {
    name,
    renamed: changed(shown.className(classIndex), name),
    dex: dex.where,
    dexes: places.map((one) => one.dex.where),
    access: accessFlagWords(definition.accessFlags, 'class'),
    superclass: definition.superclassIndex === noIndex ? null : dex.type(definition.superclassIndex),
    interfaces: dex.typeList(definition.interfacesOffset).map((type) => dex.type(type)),
    source: definition.sourceFileIndex === noIndex ? null : dex.string(definition.sourceFileIndex),
    subclasses: app.tree.subclassesOf(name).slice(0, maxSubclasses),
    ...membersOf(dex, shown, classIndex, memberLines(smali)),
    smali,
    shown:
      shown instanceof ShownDex
        ? Array.from(shown.renamed, ([text, symbol]) => ({ text, symbol })).slice(0, maxShown)
        : [],
    is_cut: isCut,
  };
}

/** Lines by what opens them, `name:type` and `name(…)…`, in smali's own spelling; from 1. */
function memberLines(smali: string): Map<string, number> {
  const lines = new Map<string, number>();
  let number = 1;
  for (let start = 0; start < smali.length; number++) {
    let end = smali.indexOf('\n', start);
    if (end < 0) end = smali.length;
    if (smali.startsWith('.method', start)) {
      const at = smali.lastIndexOf(' ', end - 1);
      lines.set(smali.slice(at + 1, end), number);
    } else if (smali.startsWith('.field', start)) {
      const line = smali.slice(start, end);
      const head = line.split(' = ', 1)[0]!;
      lines.set(head.slice(head.lastIndexOf(' ') + 1), number);
    }
    start = end + 1;
  }
  return lines;
}

function membersOf(
  dex: Dex,
  shown: Dex,
  classIndex: number,
  lines: ReadonlyMap<string, number>,
): Pick<CodeClass, 'fields' | 'methods'> {
  const data = classData(dex, classIndex);
  const fields = [...data.staticFields, ...data.instanceFields].slice(0, maxMembers).map((field) => {
    const name = dex.fieldName(field.fieldIndex);
    const called = shown.fieldName(field.fieldIndex);
    return {
      name,
      renamed: changed(called, name),
      descriptor: dex.fieldType(field.fieldIndex),
      access: accessFlagWords(field.accessFlags, 'field'),
      line: lines.get(`${smaliName(called)}:${smaliType(shown.fieldType(field.fieldIndex))}`) ?? null,
    };
  });
  let addressesLeft = maxAddresses;
  const methods = [...data.directMethods, ...data.virtualMethods].slice(0, maxMembers).map((method) => {
    const addresses = addressesOf(dex, method, addressesLeft);
    addressesLeft -= addresses.length;
    const name = dex.methodName(method.methodIndex);
    const called = shown.methodName(method.methodIndex);
    return {
      name,
      renamed: changed(called, name),
      descriptor: dex.methodDescriptor(method.methodIndex),
      access: accessFlagWords(method.accessFlags, 'method'),
      line: lines.get(`${smaliName(called)}${smaliProto(shown, dex.methodProtoIndex(method.methodIndex))}`) ?? null,
      has_code: method.codeOffset !== 0,
      addresses,
    };
  });
  return { fields, methods };
}

function addressesOf(dex: Dex, { codeOffset }: EncodedMethod, most: number): number[] {
  const code = codeAt(dex, codeOffset);
  if (code === null || code.units.length > maxPrintedUnits) return [];
  return Array.from(instructionsOf(code.units), ({ at }) => at).slice(0, most);
}
