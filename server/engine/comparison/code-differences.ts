// Pairs the classes and methods of two apps, those with other names by what they do. Knows no format.
import type { ComparedList, Facts } from '../../contract/engine/comparison.ts';
import type { ComparedClass, ComparedCode, ComparedMethod } from './compared-code.ts';
import { DifferenceList } from './differences.ts';

type Pair<T> = [T, T];

/** Instructions from which on code that is the same is not so by chance, however often it is there. */
const telling = 8;
/** Classes that share a method: code that more of them have tells nothing of which is which. */
const maxSharers = 8;

/** Takes pairs out of two sets: those of one key, where it is the only one on each side, or where it is telling. */
function pairBy<T>(first: Set<T>, second: Set<T>, keyOf: (one: T) => string | null, isTelling: (one: T) => boolean) {
  const pairs: Pair<T>[] = [];
  const grouped = (set: Set<T>) => Map.groupBy(set, keyOf);
  const others = grouped(second);
  for (const [key, ones] of grouped(first)) {
    const theirs = key === null ? undefined : others.get(key);
    if (theirs === undefined) continue;
    if ((ones.length > 1 || theirs.length > 1) && !isTelling(ones[0]!)) continue;
    for (let place = 0; place < Math.min(ones.length, theirs.length); place++) {
      const pair: Pair<T> = [ones[place]!, theirs[place]!];
      first.delete(pair[0]);
      second.delete(pair[1]);
      pairs.push(pair);
    }
  }
  return pairs;
}

/** Of classes that are left, those that share most of their telling methods. */
function pairByMethods(first: Set<ComparedClass>, second: Set<ComparedClass>): Pair<ComparedClass>[] {
  const isTelling = ({ fingerprint }: ComparedMethod) => (fingerprint?.instructions ?? 0) >= telling;
  const owners = Map.groupBy(
    [...second].flatMap(({ methods }) => methods.filter(isTelling)),
    ({ shape }) => shape,
  );
  const pairs: Pair<ComparedClass>[] = [];
  for (const one of first) {
    const votes = new Map<ComparedClass, number>();
    const methods = one.methods.filter(isTelling);
    for (const { shape } of methods) {
      const sharers = owners.get(shape) ?? [];
      if (sharers.length > maxSharers) continue;
      for (const { owner } of sharers) if (second.has(owner)) votes.set(owner, (votes.get(owner) ?? 0) + 1);
    }
    const [best, count] = [...votes].reduce<[ComparedClass | null, number]>(
      (most, [owner, times]) => (times > most[1] ? [owner, times] : most),
      [null, 0],
    );
    if (best === null || count * 2 < methods.length) continue;
    first.delete(one);
    second.delete(best);
    pairs.push([one, best]);
  }
  return pairs;
}

function pairClasses(first: ComparedCode, second: ComparedCode) {
  const gone = new Set(first.classes);
  const come = new Set(second.classes);
  const never = () => false;
  const pairs = [
    ...pairBy(gone, come, ({ name, shape }) => `${name}\n${shape}`, never),
    ...pairBy(
      gone,
      come,
      ({ instructions, shape }) => (instructions === 0 ? null : shape),
      ({ instructions }) => instructions >= telling,
    ),
    ...pairBy(gone, come, ({ name, methods }) => (sharesNothing(methods) ? null : name), never),
    ...pairByMethods(gone, come),
    ...pairBy(gone, come, ({ name }) => name, never),
  ];
  return { pairs, gone, come };
}

/** Names such as `La/a;` come back for another class: what has no method of a telling name is paired by its code first. */
const sharesNothing = (methods: readonly ComparedMethod[]): boolean =>
  methods.every(({ name }) => name.startsWith('<') || name.length < 3);

function pairMethods(one: ComparedClass, other: ComparedClass, renamed: (text: string) => string) {
  const gone = new Set(one.methods);
  const come = new Set(other.methods);
  const mine = new Set(one.methods);
  const signature = (method: ComparedMethod) =>
    method.name + (mine.has(method) ? renamed(method.descriptor) : method.descriptor);
  const never = () => false;
  const pairs = [
    ...pairBy(gone, come, (method) => `${signature(method)}\n${method.shape}`, never),
    ...pairBy(
      gone,
      come,
      ({ fingerprint, name, shape }) => (fingerprint === null || name.startsWith('<') ? null : shape),
      ({ fingerprint }) => fingerprint!.instructions >= telling,
    ),
    ...pairBy(gone, come, signature, never),
  ];
  return { pairs, gone, come };
}

export function codeDifferences(
  first: ComparedCode,
  second: ComparedCode,
): Record<'classes' | 'methods', ComparedList> {
  const classes = new DifferenceList();
  const methods = new DifferenceList();
  const { pairs, gone, come } = pairClasses(first, second);
  const names = new Map(pairs.map(([one, other]) => [one.name, other.name]));
  const renamed = (text: string) => text.replace(/L[^;]*;/g, (type) => names.get(type) ?? type);
  const paired = pairs.map(([one, other]) => ({ one, other, ...pairMethods(one, other, renamed) }));
  const known = new Set(second.classes.flatMap((one) => [...one.methods.map(keyOf), ...one.fields]));
  /** A member that is no longer there has got another name: code that uses it did not change. */
  const isRenaming = (mine: string, theirs: string) => {
    const [at, other] = [mine.indexOf(' L'), theirs.indexOf(' L')];
    return at >= 0 && at === other && mine.slice(0, at) === theirs.slice(0, at) && !known.has(mine.slice(at + 1));
  };
  const isSame = (mine: ComparedMethod, theirs: ComparedMethod): boolean => {
    if (mine.shape !== theirs.shape) return false;
    if (mine.fingerprint === null || mine.fingerprint.exact === theirs.fingerprint!.exact) return true;
    const others = theirs.owner.fingerprints.detailsOf(theirs.codeOffset);
    return mine.owner.fingerprints.detailsOf(mine.codeOffset).every((detail, place) => {
      const other = others[place]!;
      return detail === other || renamed(detail) === other || isRenaming(renamed(detail), other);
    });
  };
  for (const { one, other, pairs: both, gone: removed, come: added } of paired) {
    let changes = removed.size + added.size;
    for (const [mine, theirs] of both) {
      // Under the new name of its class a method is the same.
      const state = !isSame(mine, theirs) ? 'changed' : renamed(keyOf(mine)) === keyOf(theirs) ? 'same' : 'renamed';
      if (state !== 'same') changes++;
      const to = keyOf(mine) === keyOf(theirs) ? null : keyOf(theirs);
      methods.add(state, keyOf(mine), methodFacts(mine), methodFacts(theirs), to);
    }
    for (const method of removed) methods.add('removed', keyOf(method), methodFacts(method), null);
    for (const method of added) methods.add('added', keyOf(method), null, methodFacts(method));
    const isHeadSame = one.head === other.head || renamed(one.head) === other.head;
    const isChanged = changes > 0 || !isHeadSame;
    const state = one.name !== other.name ? 'renamed' : isChanged ? 'changed' : 'same';
    const facts = { ...classFacts(other), methods_changed: changes };
    classes.add(state, one.name, classFacts(one), facts, one.name === other.name ? null : other.name);
  }
  for (const one of gone) {
    classes.add('removed', one.name, classFacts(one), null);
    for (const method of one.methods) methods.add('removed', keyOf(method), methodFacts(method), null);
  }
  for (const other of come) {
    classes.add('added', other.name, null, classFacts(other));
    for (const method of other.methods) methods.add('added', keyOf(method), null, methodFacts(method));
  }
  if (first.isCut || second.isCut) for (const list of [classes, methods]) list.cut();
  return { classes: classes.done(), methods: methods.done() };
}

const keyOf = ({ owner, name, descriptor }: ComparedMethod): string => `${owner.name}->${name}${descriptor}`;
const classFacts = ({ dex, methods, instructions }: ComparedClass): Facts => ({
  dex: dex.where,
  methods: methods.length,
  instructions,
});
const methodFacts = ({ owner, fingerprint }: ComparedMethod): Facts => ({
  dex: owner.dex.where,
  instructions: fingerprint?.instructions ?? 0,
});
