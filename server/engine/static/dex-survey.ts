// One pass over the strings and one over the code of every dex: matches of the code table, and strings worth a closer look.
// Knows neither manifest nor archive.

import type { AppClasses } from '../code/app-classes.ts';
import { type ClassPlace, superclassChain } from '../code/class-hierarchy.ts';
import type { Findings } from '../findings.ts';
import { androguardNotation } from '../formats/dex/androguard-notation.ts';
import { methodsOf } from '../formats/dex/class-data.ts';
import { forEachString, scanCode } from '../formats/dex/code-scan.ts';
import type { Dex } from '../formats/dex/dex.ts';
import { instructionAt } from '../formats/dex/instruction.ts';
import { stringEnd } from '../formats/dex/mutf8.ts';
import type { CodeSketcher } from '../similarity/code-sketch.ts';
import type { OwnStringCollector } from '../similarity/own-strings.ts';
import { type CodeRule, codeRules } from './code-rules.ts';
import {
  type CodeTable,
  type CodeTarget,
  codeTable,
  type FunctionalityName,
  hashOfEnd,
  memberKey,
} from './code-table.ts';
import { isFrameworkSubclass } from './framework-classes.ts';
import { type CodeReference, FunctionalityReferences } from './functionality-references.ts';
import type { CallRule } from './weaknesses/call-rule.ts';
import { mayBeSecret, namesSecret } from './weaknesses/secrets.ts';
import type { JudgedCall } from './weaknesses/weaknesses.ts';

/** A rule's matches: how many, and the first of them. */
export interface RuleHits {
  readonly rule: CodeRule;
  count: number;
  /** Matches outside known libraries. */
  ownCount: number;
  /** Those outside known libraries before others. */
  readonly places: { where: string; code: string; isOwn: boolean }[];
}

/** Where code does what a permission guards. */
export interface PermissionUse {
  readonly permission: string;
  count: number;
  /** The first method that does, outside known libraries where there is one, and its instruction. */
  place: { where: string; code: string; isOwn: boolean };
}

/** A string constant that may hold an address. */
export interface StringUse {
  readonly text: string;
  /** The first methods that load it, `Lcom/a/B;->m()V`; the dex where none does. */
  readonly where: string[];
}

export interface CodeSurvey {
  readonly functionalities: Partial<Record<FunctionalityName, CodeReference[]>>;
  readonly rules: RuleHits[];
  readonly permissionUses: PermissionUse[];
  /** Calls outside known libraries that are judged by their arguments, in dex order, cut at `maxJudgedCalls`. */
  readonly judgedCalls: readonly JudgedCall[];
  /** Classes that name a method which rules judge where it is overridden: types of each dex. */
  readonly judgedClasses: ReadonlyMap<Dex, ReadonlySet<number>>;
  readonly counts: { dexes: number; classes: number; methods: number; instructions: number; nativeMethods: number };
  /** Strings with `://`, `@` or a dot between letters, in dex order. */
  readonly addresses: StringUse[];
  /** Strings that begin like a secret of a service or name one, outside known libraries, in dex order. */
  readonly secrets: StringUse[];
  /** Whether code names a method that guards a screen's touches. */
  readonly guardsTouches: boolean;
  /** Strings that code loads, distinct, in dex order, cut at `maxLoadedStrings`. */
  readonly loadedStrings: Set<string>;
  readonly isLoadedCut: boolean;
}

/** No instruction that refers to something is longer than five code units. */
const longestInstruction = 5;
/** Longer texts of instructions hold long constants, which thousands of instructions may load: their sum is bounded. */
const usualTextLength = 400;
const maxLongText = 4 * 1024 * 1024;
/** Places that prove a rule. */
const maxPlaces = 5;
const maxWhere = 5;
const maxJudgedCalls = 20_000;
const maxLoadedStrings = 12_000;
/** Longer constants are data, not text: their start is shown. */
const maxLoadedLength = 400;
const minLoadedLength = 4;
/** Longer strings hold an address only in their first part, or are documents. */
const maxAddressLength = 8192;
/** An encoded method takes three bytes at least, and honest classes do not share theirs. */
const minMethodBytes = 3;

// Classes of bytes; those of a string are ORed together.
const dot = 1;
const at = 2;
const colon = 4;
const slash = 8;
const blank = 16;
const letter = 32;
const odd = 64;
const classes = new Uint8Array(256).fill(odd);
for (let byte = 0x30; byte <= 0x39; byte++) classes[byte] = 0;
for (let byte = 0x41; byte <= 0x5a; byte++) classes[byte] = letter;
for (let byte = 0x61; byte <= 0x7a; byte++) classes[byte] = letter;
for (const character of '-_%') classes[character.charCodeAt(0)] = 0;
for (const character of '?&=#+,~') classes[character.charCodeAt(0)] = blank;
classes[0x2e] = dot;
classes[0x40] = at;
classes[0x3a] = colon;
classes[0x2f] = slash;
classes[0x20] = blank;

/** Classes of a string's bytes: a loop that does nothing else, since all of them go through it. */
function classesIn(bytes: Buffer, start: number, end: number): number {
  let seen = 0;
  for (let position = start; position < end; position++) seen |= classes[bytes[position]!]!;
  return seen;
}

/** Whether a string with these bytes may hold a URL, a host, an address or an e-mail address. */
function mayHoldAddress(seen: number, first: number): boolean {
  if ((seen & (colon | slash)) === (colon | slash)) return true;
  if ((seen & dot) === 0) return false;
  if ((seen & at) !== 0) return true;
  // A bare host stands alone: nothing but its own letters, a port, a path.
  return (seen & (odd | blank)) === 0 && first !== 0x2e && first !== 0x2f;
}

/** A class as a dex file names it: the app's own classes from it upwards, and the first beyond them. */
interface Ancestry {
  readonly dex: Dex;
  readonly type: number;
  readonly own: readonly ClassPlace[];
  /** null where the classes go round in a circle. */
  readonly above: string | null;
}

/** What else reads the code while it is surveyed. */
export interface CodeReaders {
  /** Told of all code. */
  sketcher: CodeSketcher;
  /** Told of what the app's own code loads. */
  ownStrings: OwnStringCollector;
}

/** Surveys every dex of an app. Linear in their size. */
export function surveyCode(classes: AppClasses, findings: Findings, readers?: CodeReaders): CodeSurvey {
  return new Survey(classes, findings, readers).run();
}

class Survey {
  readonly #classes: AppClasses;
  readonly #readers: CodeReaders | undefined;
  readonly #findings: Findings;
  readonly #table: CodeTable = codeTable();
  readonly #functionalities: FunctionalityReferences;
  readonly #rules = new Map<CodeRule, RuleHits>();
  readonly #permissionUses = new Map<string, PermissionUse>();
  readonly #judgedCalls: JudgedCall[] = [];
  readonly #judgedClasses = new Map<Dex, Set<number>>();
  /** Of the dex file at hand: calls that rules may judge, and the methods that do what a rule wants beside. */
  #calls: JudgedCall[] = [];
  readonly #beside = new Map<CallRule, Set<number>>();
  readonly #addresses: StringUse[] = [];
  readonly #secrets: StringUse[] = [];
  readonly #loaded = new Set<string>();
  #isLoadedCut = false;
  #guardsTouches = false;
  /** Names and descriptors of the methods that override inherited ones of the table, by the classes' place. */
  readonly #overrides = new Map<ClassPlace, ReadonlySet<string>>();
  #ancestry: Ancestry | null = null;
  #methodsLeft: number;
  /** Instructions of the dex file at hand as text, by their code units: each is often used again, and may be long. */
  readonly #texts = new Map<string, string>();
  #longTextLeft = maxLongText;

  constructor(classes: AppClasses, findings: Findings, readers: CodeReaders | undefined) {
    this.#classes = classes;
    this.#readers = readers;
    this.#findings = findings;
    this.#functionalities = new FunctionalityReferences(findings);
    const buffers = new Set(classes.dexes.map(({ bytes }) => bytes));
    this.#methodsLeft = [...buffers].reduce((sum, { length }) => sum + length / minMethodBytes, 0);
  }

  run(): CodeSurvey {
    const { dexes } = this.#classes;
    const counts = { dexes: dexes.length, classes: 0, methods: 0, instructions: 0, nativeMethods: 0 };
    for (const dex of dexes) {
      const found = this.#survey(dex);
      counts.classes += found.classes;
      counts.methods += found.methods;
      counts.instructions += found.instructions;
      counts.nativeMethods += found.nativeMethods;
    }
    return {
      functionalities: this.#functionalities.lists,
      rules: codeRules.flatMap((rule) => this.#rules.get(rule) ?? []),
      permissionUses: [...this.#permissionUses.values()],
      judgedCalls: this.#judgedCalls,
      judgedClasses: this.#judgedClasses,
      counts,
      addresses: this.#addresses,
      secrets: this.#secrets,
      guardsTouches: this.#guardsTouches,
      loadedStrings: this.#loaded,
      isLoadedCut: this.#isLoadedCut,
    };
  }

  #survey(dex: Dex) {
    this.#texts.clear();
    const literals = new Uint16Array(dex.stringCount);
    const { candidates, secrets, targets: stringTargets } = this.#readStrings(dex, literals);
    const strings = new Uint8Array(dex.stringCount).fill(1);
    const { marks: methods, targets: methodTargets } = this.#markMethods(dex, literals);
    const { marks: fields, targets: fieldTargets } = this.#markFields(dex, literals);
    /** Per string, once code loads it: 1, once the app's own does: 2, or 3 where it names a password or key. */
    const loading = new Uint8Array(dex.stringCount);
    let lastClass = -1;
    let isOwn = false;
    const uses = new Map<number, number[]>([...candidates, ...secrets].map((index) => [index, []]));
    const code = this.#readers?.sketcher.reader(dex);
    const counts = scanCode(
      dex,
      { strings, methods, fields, ...(code === undefined ? {} : { code }) },
      (classIndex, methodIndex, codeOffset, position, opcode, index) => {
        if (opcode === 0x1a || opcode === 0x1b) {
          if (loading[index] === 0) {
            loading[index] = 1;
            this.#addLoaded(dex, index);
          }
          if (classIndex !== lastClass) {
            lastClass = classIndex;
            isOwn = this.#classes.isOwn(dex, dex.classDefs[classIndex * 8]!);
          }
          if (isOwn && loading[index] === 1) {
            loading[index] = this.#isSecretName(dex, index) ? 3 : 2;
            if (loading[index] === 3) secrets.add(index);
            // One that may hold an address has its list already.
            if (loading[index] === 3 && !uses.has(index)) uses.set(index, []);
          }
          if (isOwn && loading[index] === 3)
            for (const rule of this.#table.secretRules) this.#noteBeside(rule, methodIndex);
          const users = uses.get(index);
          if (users !== undefined && users.length < maxWhere && users.at(-1) !== methodIndex) users.push(methodIndex);
          const target = stringTargets.get(index);
          if (target !== undefined) this.#count(dex, target, methodIndex, codeOffset, position);
          return;
        }
        const target = isFieldAccess(opcode) ? fieldTargets.get(index) : methodTargets.get(index);
        if (target !== undefined) this.#count(dex, target, methodIndex, codeOffset, position);
      },
    );
    this.#keepJudgedCalls();
    const useOf = (index: number): StringUse[] => {
      const text = dex.stringOrNull(index);
      const users = uses.get(index)!.map((method) => this.#bounded(dex.method(method)));
      return text === null ? [] : [{ text, where: users.length === 0 ? [dex.where] : users }];
    };
    this.#addresses.push(...candidates.flatMap(useOf));
    const isOfLibrary = (method: number) => !this.#classes.isOwn(dex, dex.methodClassIndex(method));
    this.#secrets.push(...[...secrets].filter((index) => !uses.get(index)!.some(isOfLibrary)).flatMap(useOf));
    return counts;
  }

  /** Whether a text that own code loads names a password or key. */
  #isSecretName(dex: Dex, index: number): boolean {
    const text = dex.stringOrNull(index) ?? '';
    const range = dex.stringRange(index);
    if (range !== null) this.#readers?.ownStrings.add(text, dex.bytes, range.start, range.end);
    return namesSecret(text);
  }

  /** Keeps the calls in methods that do what their rules want beside them. */
  #keepJudgedCalls(): void {
    for (const call of this.#calls) {
      const rules = call.rules.filter((rule) => !rule.beside || this.#beside.get(rule)?.has(call.methodIndex));
      if (rules.length > 0 && this.#judgedCalls.length < maxJudgedCalls) this.#judgedCalls.push({ ...call, rules });
    }
    this.#calls = [];
    this.#beside.clear();
  }

  /** Finds the strings of the table, what loading each counts for, and the strings that may hold an address. */
  #readStrings(dex: Dex, literals: Uint16Array) {
    const { literals: ids, literalsByHash, strings, stringParts } = this.#table;
    const parts = Array.from(stringParts)
      .flatMap(([part, target]) =>
        placesAmongStrings(dex, part).map((place) => ({ place, past: place + part.length, target })),
      )
      .sort((left, right) => left.place - right.place);
    const places = parts.map(({ place }) => place);
    const targets = new Map<number, CodeTarget>();
    const candidates: number[] = [];
    const secrets = new Set<number>();
    forEachString(dex, (bytes, start, end, index) => {
      const seen = classesIn(bytes, start, end);
      const sharing = literalsByHash.get(hashOfEnd(bytes, start, end));
      if (sharing !== undefined) {
        const text = bytes.toString('latin1', start, end);
        if (sharing.includes(text)) {
          const id = ids.get(text)!;
          literals[index] = id;
          const target = strings.get(id);
          if (target !== undefined) targets.set(index, target);
        }
      }
      for (let part = lowerBound(places, start); part < places.length && places[part]! < end; part++) {
        const { past, target } = parts[part]!;
        if (past <= end) targets.set(index, joined(targets.get(index), target));
      }
      if (mayBeSecret(bytes, start, end)) secrets.add(index);
      const length = end - start;
      if (
        length >= 4 &&
        length <= maxAddressLength &&
        (seen & letter || seen === dot) &&
        mayHoldAddress(seen, bytes[start]!)
      ) {
        // Class names are most of what has a slash and no colon.
        if (bytes[start] === 0x4c && bytes[end - 1] === 0x3b) return;
        candidates.push(index);
      }
    });
    return { candidates, secrets, targets };
  }

  #markMethods(dex: Dex, literals: Uint16Array) {
    const { overridden, touchGuards } = this.#table;
    const marks = new Uint8Array(dex.methodCount);
    const judged = new Set<number>();
    this.#judgedClasses.set(dex, judged);
    const targets = new Map<number, CodeTarget>();
    for (let index = 0; index < marks.length; index++) {
      const name = literals[dex.methodNameIndex(index)] ?? 0;
      if (name === 0) continue;
      if (overridden.has(name)) judged.add(dex.methodClassIndex(index));
      if (touchGuards.has(name)) this.#guardsTouches = true;
      const target = this.#targetOf(dex, index, name, literals);
      if (target === undefined) continue;
      marks[index] = 1;
      targets.set(index, target);
    }
    return { marks, targets };
  }

  /** What calling a method counts for, also by way of a class that inherits it. */
  #targetOf(dex: Dex, index: number, name: number, literals: Uint16Array): CodeTarget | undefined {
    const { methods, inherited } = this.#table;
    const owner = literals[dex.typeIds[dex.methodClassIndex(index)] ?? -1] ?? 0;
    const target = owner === 0 ? undefined : methods.get(memberKey(owner, name));
    const declaring = target === undefined ? inherited.get(name) : undefined;
    return declaring !== undefined && this.#isInherited(dex, index, declaring)
      ? methods.get(memberKey(this.#table.literals.get(declaring)!, name))
      : target;
  }

  #markFields(dex: Dex, literals: Uint16Array) {
    const marks = new Uint8Array(dex.fieldCount);
    const targets = new Map<number, CodeTarget>();
    for (let index = 0; index < marks.length; index++) {
      const name = literals[dex.fieldNameIndex(index)] ?? 0;
      if (name === 0) continue;
      const owner = literals[dex.typeIds[dex.fieldClassIndex(index)] ?? -1] ?? 0;
      const ofClass = owner === 0 ? undefined : this.#table.fields.get(memberKey(owner, name));
      const ofAny = this.#table.fieldNames.get(name);
      const target = ofClass && ofAny ? joined(ofClass, ofAny) : (ofClass ?? ofAny);
      if (target === undefined) continue;
      marks[index] = 1;
      targets.set(index, target);
    }
    return { marks, targets };
  }

  /** Whether a method looked up in an app's own class ends at the framework's: no class in between defines it. */
  #isInherited(dex: Dex, methodIndex: number, declaring: string): boolean {
    const { own, above } = this.#ancestryOf(dex, dex.methodClassIndex(methodIndex));
    if (above === null || !isFrameworkSubclass(above, declaring)) return false;
    if (own.length === 0) return true;
    const method = dex.methodName(methodIndex) + dex.methodDescriptor(methodIndex);
    return !own.some((place) => this.#overridesOf(place).has(method));
  }

  #ancestryOf(dex: Dex, type: number): Ancestry {
    // Methods are in the order of their classes.
    if (this.#ancestry?.dex !== dex || this.#ancestry.type !== type) {
      const own: ClassPlace[] = [];
      let above: string | null = null;
      for (const { name, place } of superclassChain(dex.type(type), (owner) => this.#classes.placeOf(owner))) {
        if (place === null) above = name;
        else own.push(place);
      }
      this.#ancestry = { dex, type, own, above };
    }
    return this.#ancestry;
  }

  #overridesOf(place: ClassPlace): ReadonlySet<string> {
    let overrides = this.#overrides.get(place);
    if (overrides === undefined) {
      const { dex, classIndex } = place;
      const { literals, inherited } = this.#table;
      const methods = this.#methodsLeft > 0 ? methodsOf(dex, classIndex) : [];
      this.#methodsLeft -= methods.length;
      if (this.#methodsLeft <= 0) {
        this.#findings.add('dex-code-limit', dex.where, 'classes share so many methods that some were not read');
      }
      const named = methods.filter(({ methodIndex }) => inherited.has(literals.get(dex.methodName(methodIndex)) ?? 0));
      overrides = new Set(
        named.map(({ methodIndex }) => dex.methodName(methodIndex) + dex.methodDescriptor(methodIndex)),
      );
      this.#overrides.set(place, overrides);
    }
    return overrides;
  }

  #count(dex: Dex, target: CodeTarget, methodIndex: number, codeOffset: number, position: number): void {
    const { rules, calls, beside, permissions } = target;
    const isOwn =
      rules.length + calls.length + permissions.length > 0 &&
      this.#classes.isOwn(dex, dex.methodClassIndex(methodIndex));
    if (isOwn && calls.length > 0) this.#calls.push({ dex, methodIndex, at: position, rules: calls });
    const place = () => ({
      where: this.#bounded(dex.method(methodIndex)),
      code: this.#instructionText(dex, codeOffset, position),
      isOwn,
    });
    for (const permission of permissions) this.#notePermission(permission, isOwn, place);
    for (const rule of beside) this.#noteBeside(rule, methodIndex);
    const wanted = target.rules.filter((rule) => this.#isWanted(rule, isOwn));
    const listed = target.functionalities.filter((name) => !this.#functionalities.isCut(name));
    const code = listed.length > 0 || wanted.length > 0 ? this.#instructionText(dex, codeOffset, position) : '';
    for (const name of listed) {
      const [owner, method] = [dex.methodClass(methodIndex), dex.methodName(methodIndex)];
      this.#functionalities.add(name, { class: this.#bounded(owner), method: this.#bounded(method), code });
    }
    for (const rule of target.rules) {
      let hits = this.#rules.get(rule);
      if (hits === undefined) {
        hits = { rule, count: 0, ownCount: 0, places: [] };
        this.#rules.set(rule, hits);
      }
      hits.count++;
      if (isOwn) hits.ownCount++;
      if (!wanted.includes(rule)) continue;
      if (hits.places.length >= maxPlaces) hits.places.pop();
      const at = isOwn ? hits.places.filter((place) => place.isOwn).length : hits.places.length;
      hits.places.splice(at, 0, { where: this.#bounded(dex.method(methodIndex)), code, isOwn });
    }
  }

  #noteBeside(rule: CallRule, methodIndex: number): void {
    const methods = this.#beside.get(rule);
    if (methods === undefined) this.#beside.set(rule, new Set([methodIndex]));
    else methods.add(methodIndex);
  }

  #notePermission(permission: string, isOwn: boolean, place: () => PermissionUse['place']): void {
    const known = this.#permissionUses.get(permission);
    if (known === undefined) {
      this.#permissionUses.set(permission, { permission, count: 1, place: place() });
      return;
    }
    known.count += 1;
    if (isOwn && !known.place.isOwn) known.place = place();
  }

  #instructionText(dex: Dex, codeOffset: number, position: number): string {
    const start = codeOffset + 16 + position * 2;
    const end = Math.min(dex.bytes.length, start + longestInstruction * 2);
    const units = new Uint16Array(longestInstruction);
    for (let unit = 0; start + unit * 2 + 2 <= end; unit++) units[unit] = dex.view.getUint16(start + unit * 2, true);
    const instruction = instructionAt(units, 0);
    const key = units.subarray(0, instruction.length).join();
    let text = this.#texts.get(key);
    if (text === undefined) {
      text = androguardNotation(dex, instruction);
      this.#texts.set(key, text);
    }
    return this.#bounded(text);
  }

  /** A text that many places of the report may repeat. */
  #bounded(text: string): string {
    if (text.length <= usualTextLength) return text;
    this.#longTextLeft -= text.length;
    return this.#longTextLeft < 0 ? `${text.slice(0, usualTextLength)}…` : text;
  }

  /** Whether one more place is kept: there is room, or a place in a library that it can replace. */
  #isWanted(rule: CodeRule, isOwn: boolean): boolean {
    const places = this.#rules.get(rule)?.places ?? [];
    return places.length < maxPlaces || (isOwn && places.at(-1)?.isOwn === false);
  }

  #addLoaded(dex: Dex, index: number): void {
    const range = dex.stringRange(index);
    if (range === null || range.end - range.start < minLoadedLength) return;
    if (this.#loaded.size >= maxLoadedStrings) {
      this.#isLoadedCut = true;
      return;
    }
    const { bytes } = dex;
    const end = Math.min(range.end, range.start + maxLoadedLength);
    for (let position = range.start; position < end; position++) {
      const byte = bytes[position]!;
      if (byte < 0x20 || byte > 0x7e) {
        const text = dex.stringOrNull(index);
        if (text !== null && isPrintable(text)) this.#loaded.add(text.slice(0, maxLoadedLength));
        return;
      }
    }
    this.#loaded.add(bytes.toString('latin1', range.start, end));
  }
}

const joined = (first: CodeTarget | undefined, second: CodeTarget): CodeTarget =>
  first === undefined
    ? second
    : {
        functionalities: [...new Set([...first.functionalities, ...second.functionalities])],
        rules: [...first.rules, ...second.rules],
        calls: [...first.calls, ...second.calls],
        beside: [...first.beside, ...second.beside],
        permissions: [...first.permissions, ...second.permissions],
      };

/** Where a text stands in the part of a file that holds strings, ascending: one search costs less than one for each string. */
function placesAmongStrings({ bytes, stringOffsets }: Dex, text: string): number[] {
  let [from, last] = [bytes.length, 0];
  for (const offset of stringOffsets) {
    if (offset < from) from = offset;
    if (offset > last && offset < bytes.length) last = offset;
  }
  const part = bytes.subarray(from, stringEnd(bytes, last));
  const places: number[] = [];
  for (let at = part.indexOf(text, 0, 'latin1'); at >= 0; at = part.indexOf(text, at + 1, 'latin1'))
    places.push(from + at);
  return places;
}

/** The index of the first number that is not below `least`. */
function lowerBound(ascending: readonly number[], least: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** `iget` to `sput-short`. https://source.android.com/docs/core/runtime/dalvik-bytecode */
const isFieldAccess = (opcode: number): boolean => opcode >= 0x52 && opcode <= 0x6d;

const isPrintable = (text: string): boolean => /^[^\p{Cc}\p{Cn}\p{Co}\p{Cs}]+$/u.test(text.slice(0, maxLoadedLength));
