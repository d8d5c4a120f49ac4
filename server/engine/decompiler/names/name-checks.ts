// Whether an app's code takes the names that somebody wants to give: each thing is there, and nothing else is called so. Knows no text.
import { type NameChange, type NameFault, type NameVerdict, symbolParts } from '../../../contract/engine/code-names.ts';
import { allMethods } from '../../formats/dex/class-data.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import { isIdentifier, typeIdentifier } from '../printing/identifiers.ts';
import { Program } from '../printing/program.ts';
import { GivenNames, givenClass } from './given-names.ts';
import { MethodFamilies, withoutResult } from './method-families.ts';

type Fault = { readonly fault: NameFault; readonly by: string };
type Checked = Pick<NameVerdict, 'fault' | 'by' | 'replaces'>;

/** What is refused may be in the way of another: so often all is looked at again. */
const maxRounds = 4;
/** Other methods of one family that are told. */
const maxReplaced = 2000;

const fits: Checked = { fault: null, by: '', replaces: [] };

/** Checks changes together: what is renamed with others may take a name that one of them had. */
export function checkNames(
  dexes: readonly Dex[],
  names: readonly (readonly [string, string])[],
  changes: readonly NameChange[],
): Checked[] {
  const before = new Program(dexes, new GivenNames(names));
  const families = familiesFor(before, dexes, changes);
  const checked = changes.map((change) => firstLook(before, families, change));
  for (let round = 0; round < maxRounds; round++) {
    const kept = new Map(names);
    for (const [index, { symbol, name }] of changes.entries()) {
      if (checked[index]!.fault !== null || name === null) continue;
      for (const other of checked[index]!.replaces) kept.delete(other);
      kept.set(symbol, name);
    }
    const clashes = new Clashes(new Program(dexes, new GivenNames(kept)), families);
    let isDone = true;
    for (const [index, change] of changes.entries()) {
      if (checked[index]!.fault !== null || change.name === null) continue;
      const fault = clashes.of(change.symbol, change.name);
      if (fault === null) continue;
      checked[index] = { ...fault, replaces: [] };
      isDone = false;
    }
    if (isDone) break;
  }
  return checked;
}

function familiesFor(program: Program, dexes: readonly Dex[], changes: readonly NameChange[]): MethodFamilies {
  const wanted = new Set<string>();
  for (const { symbol, name } of changes) {
    const parts = symbolParts(symbol);
    if (parts?.kind !== 'method') continue;
    wanted.add(withoutResult(parts.name + parts.descriptor));
    if (name !== null) wanted.add(withoutResult(name + parts.descriptor));
  }
  return new MethodFamilies(program, dexes, (key) => wanted.has(key));
}

/** What can be told of one change by itself. */
function firstLook(program: Program, families: MethodFamilies, { symbol, address, name }: NameChange): Checked {
  const parts = symbolParts(symbol);
  const refused = (fault: NameFault, by = ''): Checked => ({ fault, by, replaces: [] });
  if (parts === null || !isThere(program, symbol)) return refused('unknown');
  if (address !== null && parts.kind !== 'method') return refused('unknown');
  if (name === null) return fits;
  if (parts.kind === 'class') {
    const { packageName, name: last } = givenClass(name);
    const isNamed = last.split('$').every((part) => part === '' || /^\d+$/.test(part) || isIdentifier(part));
    const isPlaced = packageName === null || packageName.split('.').every(isIdentifier);
    return isNamed && isPlaced && typeIdentifier(last) === last ? fits : refused('no-name');
  }
  if (!isIdentifier(name)) return refused('no-name');
  if (parts.kind !== 'method') return fits;
  if (parts.name.startsWith('<')) return refused('outside', parts.owner);
  if (program.isEnumClass(parts.owner) && /^(?:values|valueOf)$/.test(parts.name))
    return refused('outside', 'Ljava/lang/Enum;');
  const { members, outside } = families.of(parts.owner, parts.name + parts.descriptor);
  if (outside !== null) return refused('outside', outside);
  for (const member of members.slice(0, maxReplaced)) {
    const taken = families.outsideOf(ownerOf(member), name + parts.descriptor);
    if (taken !== null) return refused('clash', `${taken}->${name}${parts.descriptor}`);
  }
  return { ...fits, replaces: members.filter((member) => member !== symbol).slice(0, maxReplaced) };
}

function isThere(program: Program, symbol: string): boolean {
  const parts = symbolParts(symbol)!;
  if (parts.kind === 'package') return program.hasPackage(parts.path);
  const known = program.classOf(parts.owner);
  if (known === null) return false;
  if (parts.kind === 'class') return true;
  if (parts.kind === 'field') return program.hasField(parts.owner, parts.name, parts.type);
  const method = parts.kind === 'variable' ? parts.method : symbol;
  return allMethods(known.data).some(({ methodIndex }) => known.dex.method(methodIndex) === method);
}

/** What is called the same, with all names as they would be. */
class Clashes {
  readonly #program: Program;
  readonly #families: MethodFamilies;
  #classes: Map<string, string[]> | undefined;
  /** Symbols by what members are called, `f` or `m(I)`, by class. */
  readonly #members = new Map<string, Map<string, string[]>>();

  constructor(program: Program, families: MethodFamilies) {
    this.#program = program;
    this.#families = families;
  }

  of(symbol: string, name: string): Fault | null {
    const parts = symbolParts(symbol)!;
    const clash = (by: string): Fault => ({ fault: 'clash', by });
    if (parts.kind === 'package') {
      const moved = [...this.#program.relations.appTypes].find((type) => type.startsWith(`L${parts.path}/`));
      const other = moved === undefined ? null : this.#sameClass(moved);
      return other === null ? null : clash(other);
    }
    if (parts.kind === 'class') {
      const { name: last } = givenClass(name);
      const shown = this.#program.simpleName(parts.owner);
      const wanted = this.#program.outerOf(parts.owner) === null ? last : last.slice(last.lastIndexOf('$') + 1);
      const other = this.#sameClass(parts.owner);
      if (other !== null) return clash(other);
      return shown === wanted ? null : clash(wanted);
    }
    if (parts.kind === 'field') {
      const other = this.#sameMember(parts.owner, name, new Set([symbol]));
      return other === null ? null : clash(other);
    }
    if (parts.kind !== 'method') return null;
    const { members } = this.#families.of(parts.owner, parts.name + parts.descriptor);
    const family = new Set(members);
    for (const member of members) {
      const other = this.#sameMember(ownerOf(member), withoutResult(name + parts.descriptor), family);
      if (other !== null) return clash(other);
    }
    return null;
  }

  /** Another class of the same full name, or a package. */
  #sameClass(type: string): string | null {
    this.#classes ??= Map.groupBy(this.#program.relations.appTypes, (each) => this.#fullName(each));
    const name = this.#fullName(type);
    return this.#classes.get(name)?.find((other) => other !== type) ?? null;
  }

  #fullName(type: string): string {
    const path: string[] = [];
    for (let at: string | null = type; at !== null; at = this.#program.outerOf(at))
      path.unshift(this.#program.simpleName(at));
    return [this.#program.packageOf(type), ...path].join('.');
  }

  /** A member of a class, of one above or of one below it that is called so and is none of these. */
  #sameMember(owner: string, called: string, own: ReadonlySet<string>): string | null {
    for (const type of [...this.#program.relations.above(owner), ...this.#families.heirs(owner)]) {
      const found = this.#membersOf(type)
        .get(called)
        ?.find((symbol) => !own.has(symbol));
      if (found !== undefined) return found;
    }
    return null;
  }

  #membersOf(type: string): Map<string, string[]> {
    const known = this.#members.get(type);
    if (known !== undefined) return known;
    const members = new Map<string, string[]>();
    this.#members.set(type, members);
    const place = this.#program.classOf(type);
    if (place === null) return members;
    const { dex, data } = place;
    const add = (called: string, symbol: string) => {
      const list = members.get(called);
      if (list === undefined) members.set(called, [symbol]);
      else list.push(symbol);
    };
    for (const { fieldIndex } of [...data.staticFields, ...data.instanceFields])
      add(this.#program.fieldName(type, dex.fieldName(fieldIndex), dex.fieldType(fieldIndex)), dex.field(fieldIndex));
    for (const method of allMethods(data)) {
      // javac makes it anew, whatever it is called.
      if (this.#program.leftOutFor(place, method) !== null) continue;
      const descriptor = dex.methodDescriptor(method.methodIndex);
      const shown = this.#program.methodName(type, dex.methodName(method.methodIndex), descriptor);
      add(withoutResult(shown + descriptor), dex.method(method.methodIndex));
    }
    return members;
  }
}

const ownerOf = (symbol: string): string => symbol.slice(0, symbol.indexOf(';->') + 1);
