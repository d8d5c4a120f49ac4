// What an APK has that leads to others: family, signer, certificate, hosts, payloads, icon. Knows nothing of HTTP.
import type { PivotField } from '../../contract/catalogue/pivot.ts';
import { childName } from '../../contract/engine/child.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { UsedTerm } from '../../store/repositories/pivot-repository.ts';
import type { Store } from '../../store/store.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { AccountRecord } from '../people/accounts.ts';
import type { Families } from './families.ts';

export interface Pivot {
  field: PivotField;
  value: string;
  /** Empty: the value says it. */
  label: string;
  apks: number;
}
type Found = Omit<Pivot, 'apks'>;

/** The most values of each kind: counting each takes a search. */
const most: Record<PivotField, number> = { family: 2, signer: 2, cert: 1, domain: 12, ip: 4, payload: 6, icon: 1 };
const termFields = ['signer', 'domain', 'ip', 'payload', 'icon'] as const satisfies PivotField[];
/** Characters that a quoted search value cannot contain. */
const unquotable = /["\\]/;

/** Values that few others have come first; those that nobody else has lead nowhere and come last. */
const byWorth = (one: UsedTerm, other: UsedTerm) =>
  Number(one.uses < 2) - Number(other.uses < 2) || one.uses - other.uses || (one.text < other.text ? -1 : 1);

export class Pivots {
  readonly #store: Store;
  readonly #catalogue: Catalogue;
  readonly #families: Families;

  constructor(store: Store, catalogue: Catalogue, families: Families) {
    this.#store = store;
    this.#catalogue = catalogue;
    this.#families = families;
  }

  /**
   * What leads on from an APK, a few of each kind.
   * @returns `count`: how many there are of all
   * @throws Failure `not-found`
   */
  async of(sha256: string, viewer: AccountRecord, signal: AbortSignal): Promise<{ count: number; pivots: Pivot[] }> {
    const apk = await this.#catalogue.get(sha256);
    const found = (await this.#all(apk)).filter(({ value }) => value !== '' && !unquotable.test(value));
    const chosen = [...Map.groupBy(found, ({ field }) => field)].flatMap(([field, some]) => some.slice(0, most[field]));
    const pivots = await Promise.all(
      chosen.map(async ({ field, value, label }): Promise<Pivot> => {
        const search = await this.#catalogue.search(`${field}:"${value}"`, viewer);
        return { field, value, label, apks: await this.#catalogue.count(search, signal) };
      }),
    );
    return { count: found.length, pivots };
  }

  async #all(apk: ApkRecord): Promise<Found[]> {
    const [signer, terms, children, family] = await Promise.all([
      apk.signerId === null ? null : this.#store.signers.findById(apk.signerId),
      this.#store.pivots.terms(apk.id, termFields),
      this.#store.children.list(apk.id),
      this.#families.of(apk),
    ]);
    const names = new Map(
      children.map(({ child }) => [
        child.sha256 as string,
        child.ways[0] === undefined ? '' : childName(child.ways[0]),
      ]),
    );
    return [
      ...[...new Set([apk.family, family?.title ?? ''])].map((value) => ({
        field: 'family' as const,
        value,
        label: '',
      })),
      ...(signer === null ? [] : [{ field: 'cert' as const, value: signer.sha256, label: apk.company }]),
      ...termFields.flatMap((field) =>
        terms
          .filter((term) => term.field === field)
          .sort(byWorth)
          .map(({ text }) => ({ field, value: text, label: names.get(text) ?? '' })),
      ),
    ];
  }
}
