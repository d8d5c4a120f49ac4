// Which APKs indicators are asked of, and how they are written. Knows nothing of HTTP.
import { maxCaseApks } from '../../contract/catalogue/case.ts';
import type { IndicatorFormat } from '../../contract/catalogue/indicator-export.ts';
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
import { indicatorCsv, indicatorJson } from './indicator-rows.ts';
import { type IndicatorsOfApk, indicatorsOf } from './indicators.ts';
import { mispEvent } from './misp-event.ts';
import { stixBundle } from './stix-bundle.ts';

const pageSize = 100;

/** Whose indicators: some APKs, and what people call them together. */
export interface ExportedSelection {
  title: string;
  apkIds: number[];
}

export class IndicatorExports {
  readonly #store: Store;
  readonly #catalogue: Catalogue;
  readonly #retrohunts: Retrohunts;

  constructor(store: Store, catalogue: Catalogue, retrohunts: Retrohunts) {
    this.#store = store;
    this.#catalogue = catalogue;
    this.#retrohunts = retrohunts;
  }

  /** One APK. */
  ofApk = ({ id, packageName, sha256 }: ApkRecord): ExportedSelection => ({
    title: `APK ${packageName || sha256}`,
    apkIds: [id],
  });

  /** What a search finds, newest first. @throws SearchFailure; Failure `too-many-apks` */
  async ofSearch(text: string, viewer: AccountRecord): Promise<ExportedSelection> {
    const search = await this.#catalogue.search(text, viewer);
    const next = async (olderThan: number | undefined) => {
      const { items, hasOlder } = await this.#catalogue.page({ search, olderThan, limit: pageSize });
      return { apkIds: items.map(({ id }) => id), last: hasOlder ? items.at(-1)?.id : undefined };
    };
    return { title: text.trim() === '' ? 'All APKs' : `APKs found by ${text}`, apkIds: await upToLimit(next) };
  }

  /** The members of a family, newest first. @throws Failure `too-many-apks` */
  async ofFamily({ id, title }: FamilyRecord): Promise<ExportedSelection> {
    const apkIds = await this.#store.families.members(id, { offset: 0, limit: maxExportedApks + 1 });
    check(apkIds.length);
    return { title: `Family ${title}`, apkIds };
  }

  /** Those APKs of a case that the catalogue holds. */
  async ofCase({ id, name }: Pick<CaseRecord, 'id' | 'name'>): Promise<ExportedSelection> {
    const apks = await this.#store.cases.apks(id, { offset: 0, limit: maxCaseApks });
    return { title: `Case ${name}`, apkIds: apks.flatMap(({ apkId }) => apkId ?? []) };
  }

  /** What a ruleset matches, the latest match first. @throws Failure `too-many-apks` */
  async ofRuleset({ id, name }: { id: number; name: string }): Promise<ExportedSelection> {
    const next = async (olderThan: number | undefined) => {
      const page = await this.#store.matches.page({ filter: { rulesetId: id }, olderThan, limit: pageSize });
      return { apkIds: matched(page.items), last: page.hasOlder ? page.items.at(-1)?.id : undefined };
    };
    return { title: `APKs that match ${name}`, apkIds: await upToLimit(next) };
  }

  /** What a hunt found. @throws Failure `too-many-apks` */
  async ofRetrohunt(view: RetrohuntView): Promise<ExportedSelection> {
    const next = async (olderThan: number | undefined) => {
      const page = await this.#retrohunts.foundMatches(view, { olderThan, limit: pageSize });
      const apkIds = matched(page.items.map(({ match }) => match));
      return { apkIds, last: page.hasOlder ? page.items.at(-1)?.id : undefined };
    };
    const names = view.rulesets.map(({ ruleset }) => ruleset.name);
    return { title: `APKs that a hunt by ${names.join(', ')} found`, apkIds: await upToLimit(next) };
  }

  /** The indicators of the APKs, in pieces of text. */
  written = (selection: ExportedSelection, format: IndicatorFormat, isDefanged: boolean): AsyncGenerator<string> =>
    writtenIndicators(this.#store, selection, format, isDefanged);
}

/** The indicators of the APKs, in pieces of text. @throws Failure `too-many-apks` */
export async function* writtenIndicators(
  store: Store,
  { title, apkIds }: ExportedSelection,
  format: IndicatorFormat,
  isDefanged: boolean,
): AsyncGenerator<string> {
  const made = new Date(store.clock() / 1000);
  const found: IndicatorsOfApk[] = [];
  check(apkIds.length);
  for (let at = 0; at < apkIds.length; at += pageSize) {
    const some = apkIds.slice(at, at + pageSize);
    const apks = await store.apks.findByIds(some);
    found.push(
      ...(await indicatorsOf(
        store,
        some.flatMap((id) => apks.get(id) ?? []),
      )),
    );
  }
  switch (format) {
    case 'csv':
      return yield* indicatorCsv(found, isDefanged);
    case 'json':
      return yield indicatorJson(found, isDefanged, made);
    case 'stix':
      return yield stixBundle(found, made);
    case 'misp':
      return yield mispEvent(found, title, made);
  }
}

const matched = (matches: readonly MatchRecord[]): number[] => matches.map(({ apkId }) => apkId);

/** @throws Failure `too-many-apks` */
function check(apks: number): void {
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
    check(all.size);
    if (last === undefined) return [...all];
    olderThan = last;
  }
}
