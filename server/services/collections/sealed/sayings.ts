// What people and rules say of an APK, as a sealed collection carries it, and how what others said is kept here: beside what is said here,
// never in its place. Knows no file.
import { createHash } from 'node:crypto';
import { type CollectedApk, maxRules, maxSayings, type Saying } from '../../../contract/workstation/collection.ts';
import type { ApkRecord } from '../../../store/repositories/apk-repository.ts';
import type { AccountRecord } from '../../../store/repositories/people/account-repository.ts';
import { ruleNames } from '../../../store/repositories/rules/match-repository.ts';
import type { Store, Writes } from '../../../store/store.ts';
import type { EventBus } from '../../event-bus.ts';

const isoOf = (microseconds: number): string => new Date(Math.trunc(microseconds / 1000)).toISOString();

/** How people of other workstations are called in histories: nobody here is. */
const elsewhere = ' (elsewhere)';
export const nameElsewhere = (analyst: string): string => `${analyst}${elsewhere}`;
const isHere = ({ username }: { username: string }): boolean => !username.endsWith(elsewhere);

/** Stands for what is said, by whom and when. */
export const markOf = (said: unknown): Uint8Array => createHash('sha256').update(JSON.stringify(said)).digest();

/** What is said here of an APK, as far as somebody may see it. */
export async function ownSayings(store: Store, apk: ApkRecord, viewer: AccountRecord): Promise<Saying[]> {
  const apkId = apk.id;
  const limit = maxSayings;
  const verdicts = await store.verdicts.page({ apkId, limit });
  const comments = await store.comments.page({ filter: { apkId }, limit });
  const codeNames = (await store.codeNames.of(apkId)).slice(-limit);
  const dismissals = (await store.dismissals.holdingFor({ id: apkId, signerId: null }, viewer.id)).slice(-limit);
  const matches = await store.matches.page({ filter: { apkId, readerId: viewer.id }, limit });
  const rulesets = await store.rulesets.findByIds(matches.items.map(({ rulesetId }) => rulesetId));
  const people = await store.accounts.findByIds([
    ...comments.items.map(({ authorId }) => authorId),
    ...[...rulesets.values()].map(({ authorId }) => authorId),
  ]);
  const nameOf = (id: number): string => people.get(id)?.username ?? 'somebody';
  return [
    ...verdicts.items.filter(isHere).map(({ username, createdAt, verdict, family, note }): Saying => {
      return { kind: 'verdict', analyst: username, said_at: isoOf(createdAt), verdict, family, note };
    }),
    ...comments.items.map(({ authorId, createdAt, text }): Saying => {
      return { kind: 'comment', analyst: nameOf(authorId), said_at: isoOf(createdAt), text };
    }),
    ...codeNames.filter(isHere).map(({ kind, username, createdAt, symbol, address, text }): Saying => {
      return { kind: 'code', analyst: username, said_at: isoOf(createdAt), as: kind, symbol, address, text };
    }),
    ...dismissals.flatMap(({ scope, finding, rule, username, createdAt, place, reason }): Saying[] => {
      if (scope !== 'apk') return [];
      const what = finding ?? rule ?? '';
      return [{ kind: 'dismissal', analyst: username, said_at: isoOf(createdAt), what, place, reason }];
    }),
    ...matches.items.flatMap(({ rulesetId, createdAt, rules }): Saying[] => {
      const ruleset = rulesets.get(rulesetId);
      if (ruleset === undefined) return [];
      const named = { ruleset: ruleset.name, rules: ruleNames(rules).slice(0, maxRules) };
      return [{ kind: 'match', analyst: nameOf(ruleset.authorId), said_at: isoOf(createdAt), ...named }];
    }),
  ];
}

/** What is known of an APK, also from other workstations. */
export async function allSayings(store: Store, apk: ApkRecord, viewer: AccountRecord): Promise<Saying[]> {
  const told = await store.told.of(apk.id);
  return [...(await ownSayings(store, apk, viewer)), ...told.slice(0, maxSayings).map(({ saying }) => saying)];
}

interface Kept {
  account: AccountRecord;
  events: EventBus;
  /** Marks of what was said here: it comes back from a workstation that had it from here. */
  own: ReadonlySet<string>;
}

const hexOf = (mark: Uint8Array): string => Buffer.from(mark).toString('hex');
export const marksOf = (sayings: readonly Saying[]): ReadonlySet<string> =>
  new Set(sayings.map((saying) => hexOf(markOf(saying))));

/**
 * Keeps what others said of an APK. Where nobody here has said what it is, their verdicts stand in its history and the newest one holds.
 * @returns how much of it is new here
 */
export async function keepSayings(
  inside: Writes,
  apkId: number,
  { tags, sayings }: Pick<CollectedApk, 'tags' | 'sayings'>,
  { account, events, own }: Kept,
): Promise<number> {
  const fresh: Saying[] = [];
  for (const saying of sayings) {
    const mark = markOf(saying);
    const isNew =
      !own.has(hexOf(mark)) && (await inside.told.add(apkId, mark, { saying, broughtBy: account.username }));
    if (isNew) fresh.push(saying);
  }
  for (const name of tags) await inside.apks.addTag(apkId, name);
  const verdicts = fresh
    .filter((saying) => saying.kind === 'verdict')
    .toSorted((a, b) => (a.said_at < b.said_at ? -1 : Number(a.said_at > b.said_at)));
  const newest = verdicts.at(-1);
  if (newest === undefined || (await inside.verdicts.latest(apkId)) !== null) {
    await inside.apks.update(apkId, {});
    return fresh.length;
  }
  for (const { analyst, verdict, family, note } of verdicts) {
    const by = { apkId, accountId: null, username: nameElsewhere(analyst) };
    await inside.verdicts.insert({ ...by, verdict, family, note });
  }
  const { verdict, family, note } = newest;
  await inside.apks.update(apkId, { verdict, family, note });
  if (verdict !== 'unknown') await events.happened({ name: 'standing_changed', apkIds: [apkId] }, inside);
  return fresh.length;
}
