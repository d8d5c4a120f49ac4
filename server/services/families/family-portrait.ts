// What the members of a family share and where they differ, and what it may be called. Knows no report and no HTTP.
import {
  type FamilyPart,
  type FamilyTraits,
  familyParts,
  maxComparedMembers,
  maxFamilyTraits,
  type ProposedName,
} from '../../contract/catalogue/family.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { FamilyRecord } from '../../store/repositories/family-repository.ts';
import type { Store } from '../../store/store.ts';
import { hashesIn } from '../catalogue/likeness/hash-list.ts';
import { familyStrings } from './family-strings.ts';
import { proposedNames } from './proposed-names.ts';

/** The part of an APK's page that shows the values of each search field. */
const partOfField: Readonly<Record<string, FamilyPart>> = {
  permission: 'permissions',
  domain: 'hosts',
  ip: 'hosts',
  url: 'urls',
  tracker: 'trackers',
  library: 'libraries',
  activity: 'activities',
  service: 'services',
  receiver: 'receivers',
  provider: 'providers',
  api: 'apis',
  finding: 'findings',
  technique: 'techniques',
};

const maxRules = 20;
const dayMicroseconds = 86_400_000_000;
/** Members of more days are counted by months. */
const maxDays = 90;

export interface SharedCode {
  /** Distinct methods that all members have. */
  shared: number;
  least: number;
  most: number;
  isEstimated: boolean;
}

export interface FamilyPortrait {
  names: ProposedName[];
  overTime: { from: string; count: number }[];
  /** Members that were compared. */
  compared: number;
  code: SharedCode | null;
  traits: Record<FamilyPart, FamilyTraits>;
}

/** How many methods a set of apps has in common, by their sketches. @returns null for an empty set */
function sharedCode(sketches: readonly { methods: number; hashes: Buffer }[]): SharedCode | null {
  const [first, ...others] = sketches.map(({ methods, hashes }) => {
    const values = hashesIn(hashes);
    return { methods, values, upTo: methods > values.length ? values.at(-1)! : Number.POSITIVE_INFINITY };
  });
  if (first === undefined) return null;
  const all = [first, ...others];
  const upTo = Math.min(...all.map((one) => one.upTo));
  const seen = first.values.filter((value) => value <= upTo);
  const sets = others.map(({ values }) => new Set(values));
  const shared = seen.filter((value) => sets.every((values) => values.has(value))).length;
  const methods = all.map((one) => one.methods);
  const isEstimated = upTo !== Number.POSITIVE_INFINITY;
  return {
    shared: isEstimated && seen.length > 0 ? Math.round((shared / seen.length) * first.methods) : shared,
    least: Math.min(...methods),
    most: Math.max(...methods),
    isEstimated,
  };
}

/** Names for a family, proposed from its members. @param shared texts that all of them have, where they were read already */
export async function namesFor(
  store: Store,
  family: FamilyRecord,
  shared: readonly string[] | null = null,
): Promise<ProposedName[]> {
  const ids = await store.families.ends(family.id, maxComparedMembers);
  const apks = [...(await store.apks.findByIds(ids)).values()];
  const signatures = await store.familyEvidence.signatures(ids);
  const known = { apks, signatures, rules: await store.familyEvidence.rules(ids, maxRules) };
  const names = proposedNames({ ...known, strings: shared ?? [] });
  // Texts come last: they are read where nothing else tells a name.
  if (shared !== null || names.length > 0) return names;
  return proposedNames({ ...known, strings: (await familyStrings(store, family, ids)).shared });
}

/** What a family's page shows of its members. */
export async function portraitOf(store: Store, family: FamilyRecord): Promise<FamilyPortrait> {
  const ids = await store.families.ends(family.id, maxComparedMembers);
  const compared = [...(await store.apks.findByIds(ids)).values()].filter((apk) => apk.isStaticAnalyzed);
  const apkIds = compared.map((apk) => apk.id);
  const { firstAt, lastAt } = family;
  const isLong = firstAt !== null && lastAt !== null && lastAt - firstAt > maxDays * dayMicroseconds;
  const traits = await traitsOf(store, compared);
  traits.strings = await familyStrings(store, family, apkIds);
  return {
    names: await namesFor(store, family, traits.strings.shared),
    overTime: await store.families.overTime(family.id, isLong ? 'month' : 'day'),
    compared: compared.length,
    code: sharedCode(await store.familyEvidence.sketches(apkIds)),
    traits,
  };
}

async function traitsOf(store: Store, apks: readonly ApkRecord[]): Promise<FamilyPortrait['traits']> {
  const traits = Object.fromEntries(
    familyParts.map((part): [FamilyPart, FamilyTraits] => [
      part,
      { shared_count: 0, shared: [], varying_count: 0, varying: [] },
    ]),
  ) as FamilyPortrait['traits'];
  if (apks.length === 0) return traits;
  const ids = apks.map(({ id }) => id);
  for (const { part, isShared, name, apks: having, total } of await store.familyEvidence.terms(
    ids,
    partOfField,
    maxFamilyTraits,
  )) {
    const told = traits[part as FamilyPart];
    if (isShared) told.shared.push(name);
    else told.varying.push({ name, apks_count: having });
    if (isShared) told.shared_count = total;
    else told.varying_count = total;
  }
  const signers = await store.signers.findByIds(apks.flatMap(({ signerId }) => signerId ?? []));
  traits.packages = traitsBy(apks, ({ packageName }) => packageName);
  traits.certificates = traitsBy(apks, ({ signerId }) => signers.get(signerId ?? 0)?.sha256 ?? '');
  return traits;
}

/** The value of a field of which each APK has at most one; empty where it has none. */
function traitsBy(apks: readonly ApkRecord[], nameOf: (apk: ApkRecord) => string): FamilyTraits {
  const groups = [...Map.groupBy(apks, nameOf)]
    .filter(([name]) => name !== '')
    .map(([name, some]) => ({ name, apks_count: some.length }))
    .toSorted((one, other) => one.apks_count - other.apks_count || (one.name < other.name ? -1 : 1));
  const shared = groups.filter(({ apks_count: count }) => count === apks.length).map(({ name }) => name);
  const varying = groups.filter(({ apks_count: count }) => count < apks.length);
  return {
    ...{ shared_count: shared.length, shared },
    ...{ varying_count: varying.length, varying: varying.slice(0, maxFamilyTraits) },
  };
}
