// What differs in the classes, methods and fields of two apps, those with other names taken for the same. Knows no format.
import type { ComparedList, Facts } from '../../contract/engine/comparison.ts';
import { accessFlagWords } from '../formats/dex/smali.ts';
import { CodePairs, keyOf, type Member, type PairedMembers } from './code-pairs.ts';
import type { ComparedClass, ComparedCode, ComparedField, ComparedMethod } from './compared-code.ts';
import { DifferenceList } from './differences.ts';

export function codeDifferences(
  first: ComparedCode,
  second: ComparedCode,
): Record<'classes' | 'methods' | 'fields', ComparedList> {
  const lists = { classes: new DifferenceList(), methods: new DifferenceList(), fields: new DifferenceList() };
  const pairs = new CodePairs(first, second);
  const { names } = pairs;

  const isSameMethod = (mine: ComparedMethod, theirs: ComparedMethod): boolean => {
    if (mine.shape !== theirs.shape) return false;
    if (mine.fingerprint === null || mine.fingerprint.exact === theirs.fingerprint?.exact) return true;
    const others = theirs.owner.fingerprints.detailsOf(theirs.codeOffset);
    return mine.owner.fingerprints
      .detailsOf(mine.codeOffset)
      .every((detail, place) => detail === others[place] || names.text(detail) === others[place]);
  };
  const isSameField = (mine: ComparedField, theirs: ComparedField): boolean =>
    mine.flags === theirs.flags &&
    names.text(mine.descriptor) === theirs.descriptor &&
    (mine.value === theirs.value || names.text(mine.value) === theirs.value);
  /** @returns how many are not the same */
  const tell = <T extends Member>(
    list: DifferenceList,
    { pairs: both, gone, come }: { pairs: Iterable<readonly [T, T]>; gone: Iterable<T>; come: Iterable<T> },
    isSame: (mine: T, theirs: T) => boolean,
  ): number => {
    let changes = 0;
    for (const [mine, theirs] of both) {
      // Under the new name of its class a member is the same.
      const isNamedSame = mine.name === theirs.name;
      const state = !isSame(mine, theirs) ? 'changed' : isNamedSame ? 'same' : 'renamed';
      if (state !== 'same') changes++;
      list.add(
        state,
        keyOf(mine),
        factsOf(mine),
        factsOf(theirs),
        keyOf(mine) === keyOf(theirs) ? null : keyOf(theirs),
      );
    }
    for (const one of gone) list.add('removed', keyOf(one), factsOf(one), null);
    for (const other of come) list.add('added', keyOf(other), null, factsOf(other));
    return changes + [...gone].length + [...come].length;
  };
  const tellPair = (one: ComparedClass, other: ComparedClass, { methods, fields }: PairedMembers) => {
    const methodsChanged = tell(lists.methods, methods, isSameMethod);
    const fieldsChanged = tell(lists.fields, fields, isSameField);
    const isHeadSame =
      one.flags === other.flags &&
      one.parents.map((parent) => names.text(parent)).join() === other.parents.join() &&
      (one.annotations === other.annotations || names.text(one.annotations) === other.annotations);
    const isChanged = methodsChanged + fieldsChanged > 0 || !isHeadSame;
    const state = one.name !== other.name ? 'renamed' : isChanged ? 'changed' : 'same';
    const facts = { ...classFacts(other), methods_changed: methodsChanged, fields_changed: fieldsChanged };
    lists.classes.add(state, one.name, classFacts(one), facts, one.name === other.name ? null : other.name);
  };
  for (const [one, other] of pairs.classes.pairs) tellPair(one, other, pairs.members.get(one)!);
  for (const one of pairs.classes.gone) {
    lists.classes.add('removed', one.name, classFacts(one), null);
    tell<Member>(lists.methods, { pairs: [], gone: one.methods, come: [] }, () => true);
    tell<Member>(lists.fields, { pairs: [], gone: one.fields, come: [] }, () => true);
  }
  for (const other of pairs.classes.come) {
    lists.classes.add('added', other.name, null, classFacts(other));
    tell<Member>(lists.methods, { pairs: [], gone: [], come: other.methods }, () => true);
    tell<Member>(lists.fields, { pairs: [], gone: [], come: other.fields }, () => true);
  }
  if (first.isCut || second.isCut) for (const list of Object.values(lists)) list.cut();
  return { classes: lists.classes.done(), methods: lists.methods.done(), fields: lists.fields.done() };
}

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
