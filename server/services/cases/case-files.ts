// A whole case as a file, and back: what people wrote, and what is known of its APKs. Knows nothing of HTTP.
import { type CaseFile, maxCaseApks } from '../../contract/catalogue/case.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { Store, Writes } from '../../store/store.ts';
import type { AccountRecord } from '../people/accounts.ts';
import type { Verdicts } from '../triage/verdicts.ts';
import type { CaseRecord, Cases } from './cases.ts';

type FileApk = CaseFile['apks'][number];

const isoOf = (microseconds: number): string => new Date(microseconds / 1000).toISOString();
const microsecondsOf = (iso: string): number => Date.parse(iso) * 1000;

const knownOf = (apk: ApkRecord): FileApk['known'] => ({
  ...{ sha1: apk.sha1, md5: apk.md5, size: apk.size, app: apk.app, package_name: apk.packageName },
  ...{ version: apk.version, company: apk.company, verdict: apk.verdict, family: apk.family },
  ...{ verdict_note: apk.note, risk: apk.risk, tags: [...apk.tags] },
});

export class CaseFiles {
  readonly #store: Store;
  readonly #cases: Cases;
  readonly #verdicts: Verdicts;

  constructor(store: Store, cases: Cases, verdicts: Verdicts) {
    this.#store = store;
    this.#cases = cases;
    this.#verdicts = verdicts;
  }

  /** All that is known of a case. */
  async written(found: CaseRecord): Promise<CaseFile> {
    const entries = await this.#cases.entries(found, undefined, { offset: 0, limit: -1 });
    const apks = await this.#cases.apks(found, { offset: 0, limit: maxCaseApks });
    const { name, note, isClosed, people, username } = found;
    return {
      ...{ format: 'apk-workstation-case', version: 1 },
      case: { name, note, is_closed: isClosed, people, analyst: username },
      entries: entries.map(({ kind, text, answer, assignee, isDone, happenedAt, createdAt, ...entry }) => ({
        ...{ kind, text, answer, assignee, is_done: isDone, analyst: entry.username },
        ...{ happened_at: isoOf(happenedAt), created_at: isoOf(createdAt) },
      })),
      apks: apks.map(({ place, apk }) => ({
        ...{ sha256: place.sha256, name: place.name, note: place.note, analyst: place.username },
        ...{ added_at: isoOf(place.addedAt), known: apk === null ? null : knownOf(apk) },
      })),
    };
  }

  /**
   * Makes a case of a file, under a name that is free. Tags are added to APKs that are here; a verdict is said of those of
   * which nobody here said one.
   * @param also writes what else belongs to it, in the transaction that makes it
   */
  async read(
    account: AccountRecord,
    file: CaseFile,
    also?: (inside: Writes, id: number) => Promise<void>,
  ): Promise<{ made: CaseRecord; held: number; missing: number }> {
    const apks = new Map<string, ApkRecord>();
    for (const { sha256 } of file.apks) {
      const apk = await this.#store.apks.findBySha256(sha256);
      if (apk !== null) apks.set(sha256, apk);
    }
    const id = await this.#store.transaction(async (inside) => {
      const made = await insertCase(inside, account, file, apks);
      await also?.(inside, made);
      return made;
    });
    for (const { sha256, known } of file.apks) {
      const apk = apks.get(sha256);
      if (apk === undefined || known === null) continue;
      await this.#tell(account, apk, known);
    }
    return { made: await this.#cases.get(id), held: apks.size, missing: file.apks.length - apks.size };
  }

  async #tell(account: AccountRecord, apk: ApkRecord, known: NonNullable<FileApk['known']>): Promise<void> {
    const tags = known.tags.filter((name) => !apk.tags.includes(name));
    await this.#store.transaction(async ({ apks }) => {
      for (const name of tags) await apks.addTag(apk.id, name);
    });
    const isJudged = (await this.#verdicts.latest(apk.id)) !== null;
    if (isJudged || known.verdict === 'unknown') return;
    const { verdict, family, verdict_note: note } = known;
    await this.#verdicts.say(account, apk.id, { verdict, family, note });
  }
}

async function insertCase(
  { cases }: Writes,
  account: AccountRecord,
  { case: told, entries, apks }: CaseFile,
  held: ReadonlyMap<string, ApkRecord>,
): Promise<number> {
  const { note, is_closed: isClosed, people } = told;
  const name = await freeName(cases, told.name);
  const caseId = await cases.insert({ name, note, isClosed, accountId: account.id, username: account.username });
  await cases.setPeople(caseId, [...people, told.analyst, account.username]);
  for (const { kind, text, answer, assignee, ...entry } of entries) {
    await cases.insertEntry({
      ...{ caseId, kind, text, answer, assignee, isDone: entry.is_done, username: entry.analyst },
      ...{ happenedAt: microsecondsOf(entry.happened_at), createdAt: microsecondsOf(entry.created_at) },
    });
  }
  for (const { sha256, name: called, note: reason, analyst, added_at: addedAt, known } of apks) {
    await cases.addApk({
      ...{ caseId, sha256, apkId: held.get(sha256)?.id ?? null, note: reason, username: analyst },
      ...{ name: called || (known?.app ?? ''), addedAt: microsecondsOf(addedAt) },
    });
  }
  return caseId;
}

/** The name, or the name with the first number that is free. */
async function freeName(cases: Writes['cases'], wanted: string): Promise<string> {
  const roomForNumber = 90;
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted.slice(0, roomForNumber)} (${number})`;
    if (!(await cases.isNamed(name))) return name;
  }
}
