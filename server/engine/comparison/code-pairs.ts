// Pairs the classes and members of two apps: by name, by what they do, and by where other code that is paired uses them.
// Knows no format.
import { digestOf } from '../similarity/method-fingerprint.ts';
import { ChangedNames } from './changed-names.ts';
import type { ComparedClass, ComparedCode, ComparedField, ComparedMethod } from './compared-code.ts';

export type Pair<T> = readonly [T, T];
export type Member = ComparedMethod | ComparedField;

/** Instructions from which on code that is the same is not so by chance, however often it is there. */
const telling = 8;
/** Classes that share a method: code that more of them have tells nothing of which is which. */
const maxSharers = 8;
/** Members from which on a class without code is not like another by chance. */
const fewMembers = 3;
/** Each finds what the one before makes known; few apps need more than four. */
const maxRounds = 8;
/** Superclasses and interfaces that a member is looked for in. */
const maxParents = 64;

/** Things of one kind that are not paired yet, and those that are. */
export class Pairing<T> {
  readonly gone: Set<T>;
  readonly come: Set<T>;
  readonly pairs: Pair<T>[] = [];

  constructor(first: Iterable<T>, second: Iterable<T>) {
    this.gone = new Set(first);
    this.come = new Set(second);
  }

  pair(one: T, other: T): void {
    this.gone.delete(one);
    this.come.delete(other);
    this.pairs.push([one, other]);
  }

  /**
   * Those of one key, none of the key null.
   * @param mayGuess asked where several on a side have it; they are paired in their order then
   */
  by(keyOf: (one: T) => string | null, mayGuess: (ones: T[], theirs: T[]) => boolean = () => false): void {
    const others = Map.groupBy(this.come, keyOf);
    for (const [key, ones] of Map.groupBy(this.gone, keyOf)) {
      const theirs = key === null ? undefined : others.get(key);
      if (theirs === undefined || (ones.length + theirs.length > 2 && !mayGuess(ones, theirs))) continue;
      for (let place = 0; place < Math.min(ones.length, theirs.length); place++) {
        this.pair(ones[place]!, theirs[place]!);
      }
    }
  }

  /** Those that most often stand for each other, the clearest first. */
  byVotes(votes: ReadonlyMap<T, ReadonlyMap<T, number>>): void {
    const all = [...votes].flatMap(([one, others]) => [...others].map(([other, count]) => ({ one, other, count })));
    const best = new Map<T, number>();
    for (const { other, count } of all) best.set(other, Math.max(best.get(other) ?? 0, count));
    for (const { one, other, count } of all.sort((a, b) => b.count - a.count)) {
      if (this.gone.has(one) && this.come.has(other) && best.get(other) === count) this.pair(one, other);
    }
  }
}

/** Which of the others each thing was seen in the place of. */
class Votes<T> {
  readonly counts = new Map<T, Map<T, number>>();

  add(one: T | undefined, other: T | undefined): void {
    if (one === undefined || other === undefined) return;
    const others = this.counts.get(one) ?? new Map<T, number>();
    this.counts.set(one, others.set(other, (others.get(other) ?? 0) + 1));
  }
}

const isTellingMethod = ({ fingerprint }: ComparedMethod) => (fingerprint?.instructions ?? 0) >= telling;
const hasCode = (member: Member) => 'fingerprint' in member && member.fingerprint !== null;
const isTellingMember = (member: Member) => 'fingerprint' in member && isTellingMethod(member);

/** Names such as `La/a;` come back for another class: what has no method of a telling name is paired by its code first. */
const hasTellingNames = ({ methods }: ComparedClass): boolean =>
  methods.some(({ name }) => !name.startsWith('<') && name.length >= 3);

const signatureOf = (member: Member): string =>
  'fingerprint' in member ? member.name + member.descriptor : `${member.name}:${member.descriptor}`;
export const keyOf = (member: Member): string => `${member.owner.name}->${signatureOf(member)}`;

/** One app's classes and members by their names. */
class NamedCode {
  readonly #classes: ReadonlyMap<string, ComparedClass>;
  readonly #members = new Map<ComparedClass, ReadonlyMap<string, Member>>();

  constructor({ classes }: ComparedCode) {
    this.#classes = new Map(classes.map((one) => [one.name, one]));
  }

  classOf(name: string): ComparedClass | undefined {
    return this.#classes.get(name);
  }

  /** The member that code means which names it in this class: it may stand in a class above. */
  member(owner: string, signature: string): Member | undefined {
    const waiting = [owner];
    for (let place = 0; place < waiting.length && place < maxParents; place++) {
      const one = this.#classes.get(waiting[place]!);
      if (one === undefined) continue;
      const found = this.#membersOf(one).get(signature);
      if (found !== undefined) return found;
      waiting.push(...one.parents);
    }
    return undefined;
  }

  #membersOf(one: ComparedClass): ReadonlyMap<string, Member> {
    const known =
      this.#members.get(one) ?? new Map([...one.methods, ...one.fields].map((all) => [signatureOf(all), all]));
    this.#members.set(one, known);
    return known;
  }
}

export interface PairedMembers {
  methods: Pairing<ComparedMethod>;
  fields: Pairing<ComparedField>;
}

export class CodePairs {
  readonly classes: Pairing<ComparedClass>;
  /** Of each pair of classes, by the first. */
  readonly members = new Map<ComparedClass, PairedMembers>();
  /** The names of the second app in place of those of the first. */
  readonly names: ChangedNames;
  readonly #first: NamedCode;
  readonly #second: NamedCode;
  readonly #classNames = new Map<string, string>();
  readonly #others = new Map<Member, Member>();
  readonly #classVotes = new Votes<ComparedClass>();
  readonly #memberVotes = new Votes<Member>();
  /** Pairs of methods whose code has been looked through. */
  readonly #learnt = new Set<ComparedMethod>();
  #namedClasses = 0;

  constructor(first: ComparedCode, second: ComparedCode) {
    this.#first = new NamedCode(first);
    this.#second = new NamedCode(second);
    this.classes = new Pairing(first.classes, second.classes);
    this.names = new ChangedNames(this.#classNames, (owner, signature) => {
      const mine = this.#first.member(owner, signature);
      return mine === undefined ? undefined : this.#others.get(mine)?.name;
    });
    const { classes } = this;
    classes.by(({ name, shape }) => `${name}\n${shape}`);
    classes.by(({ instructions, shape }) => (instructions === 0 ? null : shape));
    classes.by((one) => (hasTellingNames(one) ? one.name : null));
    this.#spread();
    this.#pairByMethods();
    this.#spread();
    this.#pairByMeaning();
    this.#spread();
    classes.by(
      ({ instructions, shape }) => (instructions === 0 ? null : shape),
      ([one]) => one!.instructions >= telling,
    );
    classes.by(({ name }) => name);
    this.#spread();
    for (const { methods, fields } of this.members.values()) {
      this.#settle(methods);
      this.#settle(fields);
    }
  }

  /** Pairs what code that is paired uses in the same place, until nothing more is found. */
  #spread(): void {
    for (let round = 0; round < maxRounds; round++) {
      this.#nameClasses();
      const before = this.#others.size + this.classes.pairs.length;
      for (const [one, { methods, fields }] of this.members) {
        if (methods.gone.size + fields.gone.size > 0) this.#pairMembers(one, methods, fields);
        for (const [mine, theirs] of methods.pairs) this.#learn(mine, theirs);
      }
      this.classes.byVotes(this.#classVotes.counts);
      if (this.#others.size + this.classes.pairs.length === before) return;
    }
  }

  /** Takes up the classes that were paired since. */
  #nameClasses(): void {
    const { pairs } = this.classes;
    for (; this.#namedClasses < pairs.length; this.#namedClasses++) {
      const [one, other] = pairs[this.#namedClasses]!;
      if (one.name !== other.name) this.#classNames.set(one.name, other.name);
      this.members.set(one, {
        methods: new Pairing(one.methods, other.methods),
        fields: new Pairing(one.fields, other.fields),
      });
      for (const [place, parent] of one.parents.entries()) this.#learnText(parent, other.parents[place] ?? '');
    }
  }

  #pairMembers(owner: ComparedClass, methods: Pairing<ComparedMethod>, fields: Pairing<ComparedField>): void {
    const signature = (member: Member) =>
      member.owner === owner ? this.names.text(signatureOf(member)) : signatureOf(member);
    const isRenamed = this.#classNames.has(owner.name);
    // What has no code looks like any other: where names are as they were, another name is another thing.
    const hasShape = (member: Member) => !member.name.startsWith('<') && (isRenamed || hasCode(member));
    const pair = <T extends Member>(pairing: Pairing<T>) => {
      const held = pairing.pairs.length;
      pairing.by((member) => `${signature(member)}\n${member.shape}`);
      pairing.by((member) => (member.name.length >= 3 ? signature(member) : null));
      // Members are voted for by members of their own kind.
      const votes = [...pairing.gone].map((one) => [one, this.#memberVotes.counts.get(one) ?? new Map()] as const);
      pairing.byVotes(new Map(votes));
      pairing.by((member) => (hasShape(member) ? member.shape : null));
      for (const [mine, theirs] of pairing.pairs.slice(held)) {
        this.#others.set(mine, theirs);
        this.#learnText(mine.descriptor, theirs.descriptor);
      }
    };
    pair(methods);
    pair(fields);
  }

  /** The last that can be said of what is left. */
  #settle<T extends Member>(pairing: Pairing<T>): void {
    const known = pairing.pairs.length;
    const owner = [...pairing.gone][0]?.owner;
    const isRenamed = owner !== undefined && this.#classNames.has(owner.name);
    const signature = (member: T) =>
      member.owner === owner ? this.names.text(signatureOf(member)) : signatureOf(member);
    const shape = (member: T) => (member.name.startsWith('<') ? null : member.shape);
    pairing.by(
      (member) => (isTellingMember(member) ? shape(member) : null),
      () => true,
    );
    pairing.by(signature);
    // A field with another type.
    pairing.by((member) => ('value' in member ? member.name : null));
    // Which of those that do the same is which makes no difference.
    if (isRenamed) pairing.by(shape, (ones, theirs) => ones.length === theirs.length);
    for (const [mine, theirs] of pairing.pairs.slice(known)) this.#others.set(mine, theirs);
  }

  /** What two methods that do the same name in the same place is the same. */
  #learn(mine: ComparedMethod, theirs: ComparedMethod): void {
    if (this.#learnt.has(mine)) return;
    this.#learnt.add(mine);
    if (mine.shape !== theirs.shape || mine.fingerprint === null || theirs.fingerprint === null) return;
    if (mine.fingerprint.exact === theirs.fingerprint.exact) return;
    const others = theirs.owner.fingerprints.detailsOf(theirs.codeOffset);
    for (const [place, detail] of mine.owner.fingerprints.detailsOf(mine.codeOffset).entries()) {
      const other = others[place] ?? '';
      if (detail === other) continue;
      this.#learnText(detail, other);
      const [member, otherMember] = [memberIn(detail), memberIn(other)];
      if (member === null || otherMember === null) continue;
      this.#memberVotes.add(this.#first.member(...member), this.#second.member(...otherMember));
    }
  }

  #learnText(mine: string, theirs: string): void {
    const [types, others] = [typesIn(mine), typesIn(theirs)];
    if (types.length !== others.length) return;
    for (const [place, type] of types.entries()) {
      if (type !== others[place]) {
        this.#classVotes.add(this.#first.classOf(type), this.#second.classOf(others[place]!));
      }
    }
  }

  /** Classes that look alike, by the classes that they name, as far as these are paired. */
  #pairByMeaning(): void {
    const { gone, come } = this.classes;
    const shapes = new Set([...come].map(({ shape }) => shape));
    const alike = new Set([...gone].flatMap(({ shape }) => (shapes.has(shape) ? [shape] : [])));
    const others = new Set(this.classes.pairs.map(([, { name }]) => name));
    const mine = (type: string) => {
      const one = this.#first.classOf(type);
      return one === undefined ? type : this.members.has(one) ? (this.#classNames.get(type) ?? type) : '?';
    };
    const theirs = (type: string) => (this.#second.classOf(type) === undefined || others.has(type) ? type : '?');
    const isEmpty = ({ methods, fields, instructions }: ComparedClass) =>
      instructions === 0 && methods.length + fields.length < fewMembers;
    this.classes.by((one) =>
      isEmpty(one) || !alike.has(one.shape) ? null : meaningOf(one, gone.has(one) ? mine : theirs),
    );
  }

  /** Of classes that are left, those that share most of their telling methods. */
  #pairByMethods(): void {
    const { gone, come } = this.classes;
    const owners = Map.groupBy(
      [...come].flatMap(({ methods }) => methods.filter(isTellingMethod)),
      ({ shape }) => shape,
    );
    for (const one of [...gone]) {
      const votes = new Map<ComparedClass, number>();
      const methods = one.methods.filter(isTellingMethod);
      for (const { shape } of methods) {
        const sharers = owners.get(shape) ?? [];
        if (sharers.length > maxSharers) continue;
        for (const { owner } of sharers) if (come.has(owner)) votes.set(owner, (votes.get(owner) ?? 0) + 1);
      }
      const best = [...votes].reduce<[ComparedClass, number] | null>(
        (most, vote) => (most === null || vote[1] > most[1] ? vote : most),
        null,
      );
      if (best !== null && best[1] * 2 >= methods.length) this.classes.pair(one, best[0]);
    }
  }
}

const typesIn = (text: string): string[] => text.match(/L[^;]*;/g) ?? [];

/** All that a class says, without names of members. @param named a type as it is called in the other app, `?` where that is open */
function meaningOf({ parents, fields, methods, fingerprints, shape }: ComparedClass, named: (type: string) => string) {
  const text = (all: readonly string[]) =>
    all
      .join('\n')
      .replace(/->[^(:\n]*/g, '')
      .replace(/L[^;]*;/g, named);
  const code = methods.map(({ descriptor, codeOffset }) =>
    digestOf(text([descriptor, ...fingerprints.detailsOf(codeOffset)])),
  );
  const types = fields.map(({ descriptor }) => text([descriptor]));
  return [shape, text(parents), ...types.sort(), ...code.sort()].join('\n');
}

/** `1,2 0 La/b;->c(I)V`: registers, distance, what is named. */
function memberIn(detail: string): [string, string] | null {
  const at = detail.indexOf(' L');
  const arrow = detail.indexOf(';->', at);
  return at < 0 || arrow < 0 ? null : [detail.slice(at + 1, arrow + 1), detail.slice(arrow + 3)];
}
