// Which texts of which rulesets analyses run at the moment, in memory. Knows nothing of who changes them, nor of YARA.
import type { VersionInUse } from '../../store/repositories/rules/ruleset-version-repository.ts';
import type { Reads, Store } from '../../store/store.ts';
import { readSetting } from '../settings.ts';

/** A text as analyses run it. */
export interface RulesetInUse extends VersionInUse {
  rules: string;
  /** Only APKs of some watched folders are scanned with it. */
  isOfFolder?: true;
}

/** Microseconds. */
const minute = 60_000_000;
/** Texts that are read from the store at a time. */
const readAtOnce = 20;

const keyOf = ({ rulesetId, version }: VersionInUse): string => `${rulesetId} ${version}`;

/**
 * An installation may have thousands of rulesets, and every incoming APK is scanned with all of them: their texts are
 * read once for each version.
 */
export class ActiveRulesets {
  readonly #store: Store;
  /** Since when no ruleset has changed, as a number that every change raises. */
  #generation = 0;
  /** `until`: when the next version comes into use, microseconds; `revision`: of the table, which commands also write to. */
  #versions: { list: readonly VersionInUse[]; from: number; until: number; revision: number } | null = null;
  #texts = new Map<string, string>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** To be called after every change of a ruleset. */
  invalidate(): void {
    this.#generation += 1;
    this.#versions = null;
  }

  /** When a text that is saved at a moment comes into use; both in microseconds. */
  async activationOf(savedAt: number, inside: Reads): Promise<number> {
    return savedAt + (await readSetting(inside, 'ruleset_delay_minutes')) * minute;
  }

  /** What is in use now, without the texts. @param inside repositories of the transaction that the caller is in */
  async versions(inside: Reads = this.#store): Promise<readonly VersionInUse[]> {
    const now = this.#store.clock();
    const known = this.#versions;
    const revision = this.#store.revisions.of('ruleset_versions');
    if (known !== null && known.revision === revision && now >= known.from && now < known.until) return known.list;
    const generation = this.#generation;
    const latest = await this.activationOf(now, inside);
    const list = await inside.rulesetVersions.inUse(now, latest);
    const until = (await inside.rulesetVersions.nextActivation(now, latest)) ?? Number.POSITIVE_INFINITY;
    if (generation === this.#generation) this.#versions = { list, from: now, until, revision };
    return list;
  }

  /** What is in use now, by id. */
  async list(): Promise<RulesetInUse[]> {
    const versions = await this.versions();
    const texts = new Map<string, string>();
    const missing: VersionInUse[] = [];
    for (const version of versions) {
      const text = this.#texts.get(keyOf(version));
      if (text === undefined) missing.push(version);
      else texts.set(keyOf(version), text);
    }
    for (let index = 0; index < missing.length; index += readAtOnce) {
      await Promise.all(
        missing.slice(index, index + readAtOnce).map(async (version) => {
          const text = await this.#store.rulesetVersions.readRules(version.rulesetId, version.version);
          // Deleted in this moment.
          if (text !== null) texts.set(keyOf(version), text);
        }),
      );
    }
    // Only what is in use stays in memory.
    this.#texts = texts;
    return versions.flatMap((version) => {
      const rules = texts.get(keyOf(version));
      return rules === undefined ? [] : [{ ...version, rules }];
    });
  }

  /** What an APK is scanned with, without the texts: what is in use now, then the rulesets of the folders that it came by. */
  async versionsFor(apkId: number, inside: Reads = this.#store): Promise<readonly VersionInUse[]> {
    const inUse = await this.versions(inside);
    return [...inUse, ...(await this.#ofFolders(apkId, inUse, inside))];
  }

  /** The same with the texts. */
  async listFor(apkId: number): Promise<RulesetInUse[]> {
    const list = await this.list();
    for (const version of await this.#ofFolders(apkId, list, this.#store)) {
      const rules = await this.#store.rulesetVersions.readRules(version.rulesetId, version.version);
      if (rules !== null) list.push({ ...version, rules, isOfFolder: true });
    }
    return list;
  }

  async #ofFolders(apkId: number, inUse: readonly VersionInUse[], inside: Reads): Promise<VersionInUse[]> {
    const wanted = await inside.watchedFolders.rulesetsFor(apkId);
    const further = wanted.filter((id) => !inUse.some(({ rulesetId }) => rulesetId === id));
    return further.length === 0 ? [] : inside.rulesetVersions.present(further);
  }
}
