// Who refers to a class, method, field or string, and what a method or class refers to. Knows no text of smali.
import { type CodePlace, maxListed, type ReferencePage } from '../../contract/engine/exploration.ts';
import { classData, methodsOf } from '../formats/dex/class-data.ts';
import { codeAt } from '../formats/dex/code-item.ts';
import { type CodeInterest, forEachString, scanCode } from '../formats/dex/code-scan.ts';
import { type Dex, noIndex } from '../formats/dex/dex.ts';
import { instructionsOf } from '../formats/dex/instruction.ts';
import { type IndexKind, opcodes } from '../formats/dex/opcodes.ts';
import type { ClassTree } from './class-tree.ts';
import { ExplorationFault } from './fault.ts';
import type { OpenedApp } from './opened-app.ts';

/** What references are sought of. */
export type CodeTarget =
  | { kind: 'class'; name: string }
  | { kind: 'method'; class: string; name: string; descriptor: string }
  | { kind: 'field'; class: string; name: string; type: string }
  | { kind: 'string'; text: string };

export type MethodTarget = Extract<CodeTarget, { kind: 'method' }>;

/** Ancestors of a class that are looked at for overridden methods. */
const maxAncestors = 64;
const maxRelatives = 20_000;
/** References out of one class or method that are listed. */
const maxCallees = 50_000;
const accPrivateOrStatic = 0xa;

/**
 * Reads a target: `Lcom/a/B;`, `Lcom/a/B;->m(I)V`, `Lcom/a/B;->f:I`, `"text`.
 * @throws ExplorationFault `bad-question`
 */
export function codeTargetOf(text: string): CodeTarget {
  if (text.startsWith('"')) return { kind: 'string', text: text.slice(1) };
  const arrow = text.indexOf(';->');
  if (arrow < 0) {
    if (/^\[*(?:L.+;|[VZBSCIJFD])$/s.test(text)) return { kind: 'class', name: text };
  } else {
    const owner = text.slice(0, arrow + 1);
    const member = text.slice(arrow + 3);
    const open = member.indexOf('(');
    if (open > 0) return { kind: 'method', class: owner, name: member.slice(0, open), descriptor: member.slice(open) };
    const colon = member.indexOf(':');
    if (colon > 0) return { kind: 'field', class: owner, name: member.slice(0, colon), type: member.slice(colon + 1) };
  }
  throw new ExplorationFault('bad-question', 'It is no descriptor of a class, method or field, and no "string.', 'of');
}

/** Collects places, counting all and keeping those of one page. */
class Page {
  readonly results: CodePlace[] = [];
  count = 0;
  isCut = false;
  readonly #offset: number;
  readonly #limit: number;

  constructor(offset: number, limit: number) {
    this.#offset = offset;
    this.#limit = Math.min(limit, maxListed);
  }

  /** @param make is only called for a place of this page */
  add(make: () => CodePlace): void {
    if (this.count >= this.#offset && this.results.length < this.#limit) this.results.push(make());
    this.count++;
  }

  shown(): ReferencePage {
    return { count: this.count, is_cut: this.isCut, results: this.results };
  }
}

/** @throws ExplorationFault */
export function referencesOf(
  app: OpenedApp,
  question: { of: string; direction: 'callers' | 'callees'; offset: number; limit: number },
): ReferencePage {
  const target = codeTargetOf(question.of);
  const page = new Page(question.offset, question.limit);
  if (question.direction === 'callees') collectCallees(app, target, page);
  else collectCallers(app, target, page);
  return page.shown();
}

function collectCallers(app: OpenedApp, target: CodeTarget, page: Page): void {
  if (target.kind === 'class') {
    for (const name of app.tree.subclassesOf(target.name)) {
      page.add(() => {
        const { dex, classIndex } = app.tree.placesOf(name)[0]!;
        const isSuperclass = dex.type(dex.classDef(classIndex).superclassIndex) === target.name;
        const opcode = isSuperclass ? 'extends' : 'implements';
        const place = { dex: dex.where, class: name, method: '', offset: 0, opcode };
        return { ...place, kind: 'type', target: target.name, is_own: app.tree.has(target.name) };
      });
    }
  }
  const owners =
    target.kind === 'method' || target.kind === 'field' ? receiversOf(app.tree, target) : new Set<string>();
  for (const dex of app.dexes) {
    const interest = interestIn(dex, target, owners);
    if (interest === null) continue;
    scanCode(dex, interest, (_class, methodIndex, _code, at, opcode, index) => {
      page.add(() => placeOf(app.tree, dex, { methodIndex, at, opcode, index }));
    });
  }
}

/**
 * Classes that an instruction may name to reach this member: its own, subclasses that inherit it, and, for a method that
 * overrides others, the classes and interfaces of the app that declare those.
 */
export function receiversOf(tree: ClassTree, target: Extract<CodeTarget, { kind: 'method' | 'field' }>): Set<string> {
  const receivers = new Set([target.class]);
  const defines = (name: string) =>
    tree.placesOf(name).some(({ dex, classIndex }) => definesMember(dex, classIndex, target));
  const waiting = [target.class];
  while (waiting.length > 0 && receivers.size < maxRelatives) {
    for (const name of tree.subclassesOf(waiting.pop()!)) {
      if (receivers.has(name) || defines(name)) continue;
      receivers.add(name);
      waiting.push(name);
    }
  }
  if (target.kind === 'field' || target.name.startsWith('<') || !isVirtual(tree, target)) return receivers;
  const above = ancestorsOf(tree, target.class).filter(defines);
  for (const name of above) receivers.add(name);
  return receivers;
}

function ancestorsOf(tree: ClassTree, descriptor: string): string[] {
  const found = new Set<string>();
  const waiting = [descriptor];
  while (waiting.length > 0 && found.size < maxAncestors) {
    const place = tree.placesOf(waiting.pop()!)[0];
    if (place === undefined) continue;
    const { superclassIndex, interfacesOffset } = place.dex.classDef(place.classIndex);
    for (const type of [superclassIndex, ...place.dex.typeList(interfacesOffset)]) {
      if (type === noIndex) continue;
      const name = place.dex.type(type);
      if (name === descriptor || found.has(name) || !tree.has(name)) continue;
      found.add(name);
      waiting.push(name);
    }
  }
  return [...found];
}

export function definesMember(
  dex: Dex,
  classIndex: number,
  target: Extract<CodeTarget, { kind: 'method' | 'field' }>,
): boolean {
  if (target.kind === 'method') {
    return methodsOf(dex, classIndex).some(({ methodIndex }) => isMethod(dex, methodIndex, target));
  }
  const { staticFields, instanceFields } = classData(dex, classIndex);
  return [...staticFields, ...instanceFields].some(
    ({ fieldIndex }) => dex.fieldName(fieldIndex) === target.name && dex.fieldType(fieldIndex) === target.type,
  );
}

const isMethod = (dex: Dex, methodIndex: number, { name, descriptor }: { name: string; descriptor: string }): boolean =>
  dex.methodName(methodIndex) === name && dex.methodDescriptor(methodIndex) === descriptor;

function isVirtual(tree: ClassTree, target: MethodTarget): boolean {
  const place = tree.placesOf(target.class)[0];
  if (place === undefined) return false;
  return classData(place.dex, place.classIndex).virtualMethods.some(
    ({ methodIndex, accessFlags }) =>
      (accessFlags & accPrivateOrStatic) === 0 && isMethod(place.dex, methodIndex, target),
  );
}

/** Marks the indexes under which a dex file names the target; null where it does not name it. */
function interestIn(dex: Dex, target: CodeTarget, owners: ReadonlySet<string>): CodeInterest | null {
  switch (target.kind) {
    case 'string': {
      const strings = new Uint8Array(dex.stringCount);
      const isFound = markStrings(dex, target.text, strings);
      return isFound ? { strings } : null;
    }
    case 'class': {
      const types = new Uint8Array(dex.typeCount);
      let isFound = false;
      for (let index = 0; index < types.length; index++) {
        if (dex.type(index).replace(/^\[+/, '') !== target.name) continue;
        types[index] = 1;
        isFound = true;
      }
      if (!isFound) return null;
      const isOfTarget = (typeIndex: number) => (types[typeIndex] ?? 0) !== 0;
      const methods = Uint8Array.from({ length: dex.methodCount }, (_, index) =>
        isOfTarget(dex.methodClassIndex(index)) ? 1 : 0,
      );
      const fields = Uint8Array.from({ length: dex.fieldCount }, (_, index) =>
        isOfTarget(dex.fieldClassIndex(index)) ? 1 : 0,
      );
      return { types, methods, fields };
    }
    case 'method': {
      const methods = new Uint8Array(dex.methodCount);
      let isFound = false;
      for (let index = 0; index < methods.length; index++) {
        if (dex.methodName(index) !== target.name || !owners.has(dex.methodClass(index))) continue;
        if (dex.methodDescriptor(index) !== target.descriptor) continue;
        methods[index] = 1;
        isFound = true;
      }
      return isFound ? { methods } : null;
    }
    case 'field': {
      const fields = new Uint8Array(dex.fieldCount);
      let isFound = false;
      for (let index = 0; index < fields.length; index++) {
        if (dex.fieldName(index) !== target.name || !owners.has(dex.fieldClass(index))) continue;
        if (dex.fieldType(index) !== target.type) continue;
        fields[index] = 1;
        isFound = true;
      }
      return isFound ? { fields } : null;
    }
  }
}

function markStrings(dex: Dex, text: string, marks: Uint8Array): boolean {
  let isFound = false;
  // Modified UTF-8 takes one to three bytes for each unit: others need not be decoded.
  forEachString(dex, (_bytes, start, end, index) => {
    const length = end - start;
    if (length < text.length || length > text.length * 3 || dex.stringOrNull(index) !== text) return;
    marks[index] = 1;
    isFound = true;
  });
  return isFound;
}

const kinds: Partial<Record<IndexKind, CodePlace['kind']>> = {
  string: 'string',
  type: 'type',
  field: 'field',
  method: 'method',
  'method-and-proto': 'method',
};

/** An instruction that refers to something, with names in place of indexes. */
export function placeOf(
  tree: ClassTree,
  dex: Dex,
  { methodIndex, at, opcode, index }: { methodIndex: number; at: number; opcode: number; index: number },
): CodePlace {
  const { mnemonic, index: indexKind } = opcodes[opcode]!;
  const kind = kinds[indexKind] ?? 'method';
  let target = '';
  let owner = '';
  switch (kind) {
    case 'string':
      target = dex.string(index);
      break;
    case 'type':
      target = dex.type(index);
      owner = target.replace(/^\[+/, '');
      break;
    case 'field':
      target = dex.field(index);
      owner = dex.fieldClass(index);
      break;
    case 'method':
      target = dex.method(index);
      owner = dex.methodClass(index);
      break;
  }
  return {
    dex: dex.where,
    class: dex.methodClass(methodIndex),
    method: `${dex.methodName(methodIndex)}${dex.methodDescriptor(methodIndex)}`,
    offset: at,
    opcode: mnemonic,
    kind,
    target,
    is_own: owner !== '' && tree.has(owner),
  };
}

/** @throws ExplorationFault `bad-question` for what has no code, `not-found` for what the app does not define */
function collectCallees(app: OpenedApp, target: CodeTarget, page: Page): void {
  if (target.kind === 'string' || target.kind === 'field') {
    throw new ExplorationFault('bad-question', 'Only a class or a method refers to something.', 'of');
  }
  const owner = target.kind === 'class' ? target.name : target.class;
  const place = app.tree.placesOf(owner)[0];
  if (place === undefined) throw new ExplorationFault('not-found', 'no dex defines this class');
  const { dex, classIndex } = place;
  const methods = methodsOf(dex, classIndex).filter(
    ({ methodIndex }) => target.kind === 'class' || isMethod(dex, methodIndex, target),
  );
  if (target.kind === 'method' && methods.length === 0) {
    throw new ExplorationFault('not-found', 'the class does not define this method');
  }
  for (const { methodIndex, codeOffset } of methods) {
    const code = codeAt(dex, codeOffset);
    if (code === null) continue;
    for (const { opcode, index, at } of instructionsOf(code.units)) {
      if (kinds[opcode.index] === undefined) continue;
      if (page.count >= maxCallees) {
        page.isCut = true;
        return;
      }
      page.add(() => placeOf(app.tree, dex, { methodIndex, at, opcode: opcode.value, index }));
    }
  }
}
