// What differs in the classes, methods and fields of two apps, those with other names taken for the same. Knows no format.
import type { ComparedList, Facts } from '../../contract/engine/comparison.ts';
import { accessFlagWords } from '../formats/dex/smali.ts';
import type { ChangedNames } from './changed-names.ts';
import { CodePairs, keyOf, type Member, type PairedMembers, type Pairing } from './code-pairs.ts';
import type { ComparedClass, ComparedCode, ComparedField, ComparedMethod } from './compared-code.ts';
import { DifferenceList } from './differences.ts';

type Lists = Record<'classes' | 'methods' | 'fields', DifferenceList>;

export function codeDifferences(first: ComparedCode, second: ComparedCode): Record<keyof Lists, ComparedList> {
  const lists: Lists = { classes: new DifferenceList(), methods: new DifferenceList(), fields: new DifferenceList() };
  const pairs = new CodePairs(first, second);
  const { gone, come } = pairs.classes;
  for (const [one, other] of pairs.classes.pairs) tellPair(lists, pairs.names, one, other, pairs.members.get(one)!);
  for (const one of gone) {
    lists.classes.add('removed', one.name, classFacts(one), null);
    for (const member of one.methods) lists.methods.add('removed', keyOf(member), factsOf(member), null);
    for (const member of one.fields) lists.fields.add('removed', keyOf(member), factsOf(member), null);
  }
  for (const other of come) {
    lists.classes.add('added', other.name, null, classFacts(other));
    for (const member of other.methods) lists.methods.add('added', keyOf(member), null, factsOf(member));
    for (const member of other.fields) lists.fields.add('added', keyOf(member), null, factsOf(member));
  }
  if (first.isCut || second.isCut) for (const list of Object.values(lists)) list.cut();
  return { classes: lists.classes.done(), methods: lists.methods.done(), fields: lists.fields.done() };
}

function tellPair(
  lists: Lists,
  names: ChangedNames,
  one: ComparedClass,
  other: ComparedClass,
  { methods, fields }: PairedMembers,
): void {
  const methodsChanged = tellMembers(lists.methods, methods, (mine, theirs) => isSameMethod(names, mine, theirs));
  const fieldsChanged = tellMembers(lists.fields, fields, (mine, theirs) => isSameField(names, mine, theirs));
  const isHeadSame =
    one.flags === other.flags &&
    one.parents.map((parent) => names.text(parent)).join() === other.parents.join() &&
    isSameText(names, one.annotations, other.annotations);
  const isChanged = methodsChanged + fieldsChanged > 0 || !isHeadSame;
  const state = one.name !== other.name ? 'renamed' : isChanged ? 'changed' : 'same';
  const facts = {
    ...classFacts(other),
    ...(methodsChanged > 0 && { methods_changed: methodsChanged }),
    ...(fieldsChanged > 0 && { fields_changed: fieldsChanged }),
    ...(!isHeadSame && { declaration: 'changed' }),
  };
  lists.classes.add(state, one.name, classFacts(one), facts, one.name === other.name ? null : other.name);
}

/** @returns how many are not the same */
function tellMembers<T extends Member>(
  list: DifferenceList,
  { pairs, gone, come }: Pairing<T>,
  isSame: (mine: T, theirs: T) => boolean,
): number {
  let changes = gone.size + come.size;
  for (const [mine, theirs] of pairs) {
    // Under the new name of its class a member is the same.
    const state = !isSame(mine, theirs) ? 'changed' : mine.name === theirs.name ? 'same' : 'renamed';
    if (state !== 'same') changes++;
    list.add(state, keyOf(mine), factsOf(mine), factsOf(theirs), keyOf(mine) === keyOf(theirs) ? null : keyOf(theirs));
  }
  for (const one of gone) list.add('removed', keyOf(one), factsOf(one), null);
  for (const other of come) list.add('added', keyOf(other), null, factsOf(other));
  return changes;
}

const isSameText = (names: ChangedNames, mine: string, theirs: string | undefined): boolean =>
  mine === theirs || names.text(mine) === theirs;

function isSameMethod(names: ChangedNames, mine: ComparedMethod, theirs: ComparedMethod): boolean {
  if (mine.shape !== theirs.shape) return false;
  if (mine.fingerprint === null || mine.fingerprint.exact === theirs.fingerprint?.exact) return true;
  const others = theirs.owner.fingerprints.detailsOf(theirs.codeOffset);
  const details = mine.owner.fingerprints.detailsOf(mine.codeOffset);
  return details.every((detail, place) => isSameText(names, detail, others[place]));
}

const isSameField = (names: ChangedNames, mine: ComparedField, theirs: ComparedField): boolean =>
  mine.flags === theirs.flags &&
  names.text(mine.descriptor) === theirs.descriptor &&
  isSameText(names, mine.value, theirs.value);

const classFacts = ({ dex, methods, instructions }: ComparedClass): Facts => ({
  dex: dex.where,
  methods: methods.length,
  instructions,
});
const factsOf = (member: Member): Facts =>
  'fingerprint' in member
    ? { dex: member.owner.dex.where, instructions: member.fingerprint?.instructions ?? 0 }
    : {
        access: accessFlagWords(member.flags, 'field').join(' '),
        type: member.descriptor,
        ...(member.value === '' ? {} : { value: member.value }),
      };
