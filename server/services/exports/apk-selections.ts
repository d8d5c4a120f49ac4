// Which APKs people mean together: one, what a search finds, a family, a case, what rules match. Knows nothing of HTTP.
import { maxCaseApks } from '../../contract/catalogue/case.ts';
import { maxExportedApks } from '../../contract/catalogue/indicator-export.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { CaseRecord } from '../../store/repositories/case-repository.ts';
import type { Store } from '../../store/store.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { Failure } from '../failure.ts';
import type { FamilyRecord } from '../families/families.ts';
import type { AccountRecord } from '../people/accounts.ts';
import type { MatchRecord } from '../rules/matches.ts';
import type { Retrohunts, RetrohuntView } from '../rules/retrohunts.ts';

const pageSize = 100;

/** Some APKs, and what people call them together. */
export interface ApkSelection {
  title: string;
  apkIds: number[];
}

/** Gathers APKs that are exported or put into a case at once. */
export class ApkSelections {
  readonly #store: Store;
  readonly #catalogue: Catalogue;
  readonly #retrohunts: Retrohunts;

  constructor(store: Store, catalogue: Catalogue, retrohunts: Retrohunts) {
    this.#store = store;
    this.#catalogue = catalogue;
    this.#retrohunts = retrohunts;
  }

  /** One APK. */
  ofApk = ({ id, packageName, sha256 }: ApkRecord): ApkSelection => ({
    title: `APK ${packageName || sha256}`,
    apkIds: [id],
  });

  /** What a search finds, newest first. @throws SearchFailure; Failure `too-many-apks` */
  async ofSearch(text: string, viewer: AccountRecord): Promise<ApkSelection> {
    const search = await this.#catalogue.search(text, viewer);
    const next = async (olderThan: number | undefined) => {
      const { items, hasOlder } = await this.#catalogue.page({ search, olderThan, limit: pageSize });
      return { apkIds: items.map(({ id }) => id), last: hasOlder ? items.at(-1)?.id : undefined };
    };
    return { title: text.trim() === '' ? 'All APKs' : `APKs found by ${text}`, apkIds: await upToLimit(next) };
  }

  /** The members of a family, newest first. @throws Failure `too-many-apks` */
  async ofFamily({ id, title }: FamilyRecord): Promise<ApkSelection> {
    const apkIds = await this.#store.families.members(id, { offset: 0, limit: maxExportedApks + 1 });
    checkSelected(apkIds.length);
    return { title: `Family ${title}`, apkIds };
  }

  /** Those APKs of a case that the catalogue holds. */
  async ofCase({ id, name }: Pick<CaseRecord, 'id' | 'name'>): Promise<ApkSelection> {
    const apks = await this.#store.cases.apks(id, { offset: 0, limit: maxCaseApks });
    return { title: `Case ${name}`, apkIds: apks.flatMap(({ apkId }) => apkId ?? []) };
  }

  /** What a ruleset matches, the latest match first. @throws Failure `too-many-apks` */
  async ofRuleset({ id, name }: { id: number; name: string }): Promise<ApkSelection> {
    const next = async (olderThan: number | undefined) => {
      const page = await this.#store.matches.page({ filter: { rulesetId: id }, olderThan, limit: pageSize });
      return { apkIds: matched(page.items), last: page.hasOlder ? page.items.at(-1)?.id : undefined };
    };
    return { title: `APKs that match ${name}`, apkIds: await upToLimit(next) };
  }

  /** What a hunt found. @throws Failure `too-many-apks` */
  async ofRetrohunt(view: RetrohuntView): Promise<ApkSelection> {
    const next = async (olderThan: number | undefined) => {
      const page = await this.#retrohunts.foundMatches(view, { olderThan, limit: pageSize });
      const apkIds = matched(page.items.map(({ match }) => match));
      return { apkIds, last: page.hasOlder ? page.items.at(-1)?.id : undefined };
    };
    const names = view.rulesets.map(({ ruleset }) => ruleset.name);
    return { title: `APKs that a hunt by ${names.join(', ')} found`, apkIds: await upToLimit(next) };
  }
}

const matched = (matches: readonly MatchRecord[]): number[] => matches.map(({ apkId }) => apkId);

/** @throws Failure `too-many-apks` */
export function checkSelected(apks: number): void {
  if (apks > maxExportedApks) throw new Failure('too-many-apks', { limit: maxExportedApks });
}

/** Goes through pages until there is no older one. @returns each APK once */
async function upToLimit(
  next: (olderThan: number | undefined) => Promise<{ apkIds: number[]; last: number | undefined }>,
): Promise<number[]> {
  const all = new Set<number>();
  for (let olderThan: number | undefined; ; ) {
    const { apkIds, last } = await next(olderThan);
    for (const id of apkIds) all.add(id);
    checkSelected(all.size);
    if (last === undefined) return [...all];
    olderThan = last;
  }
}
