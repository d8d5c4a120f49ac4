// Which APKs literals are tried on besides the chosen ones: known good ones, and others from all over the catalogue that are
// not like the chosen ones. Knows no literal.

import type { ApkRecord } from '../../../store/repositories/apk-repository.ts';
import type { AccountRecord } from '../../../store/repositories/people/account-repository.ts';
import type { Store } from '../../../store/store.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { SimilarApks } from '../../catalogue/similar-apks.ts';
import { Failure } from '../../failure.ts';
import { kinOf } from './kin.ts';

const maxGood = 120;
const maxOthers = 120;
/** Chosen APKs that are asked what is like them, and how much it has to be. */
const maxAsked = 20;
const likeness = 0.3;
const goodOnes = ['is_trusted:true', 'verdict:clean', 'known:good'];

export interface OtherApks {
  knownGood: number[];
  others: number[];
}

export class OtherApkChoice {
  readonly #store: Store;
  readonly #catalogue: Catalogue;
  readonly #similar: SimilarApks;

  constructor(store: Store, catalogue: Catalogue, similar: SimilarApks) {
    this.#store = store;
    this.#catalogue = catalogue;
    this.#similar = similar;
  }

  /** Ids, in the order in which they are tried. What is like the chosen ones may be of their family: it is left out. */
  async besides(chosen: readonly ApkRecord[], account: AccountRecord): Promise<OtherApks> {
    const chosenIds = new Set(chosen.map(({ id }) => id));
    const good = new Set<number>();
    for (const search of goodOnes) {
      const page = { search: await this.#catalogue.search(search, account), limit: maxGood };
      for (const { id } of (await this.#catalogue.page(page)).items) if (!chosenIds.has(id)) good.add(id);
    }
    const knownGood = [...good].slice(0, maxGood);
    const alike = await this.#alike(chosen);
    const kin = kinOf(chosen);
    const others = (await this.#spread(maxOthers * 3)).filter(
      (apk) => !chosenIds.has(apk.id) && !good.has(apk.id) && !alike.has(apk.id) && !kin.has(apk),
    );
    return { knownGood, others: others.slice(0, maxOthers).map(({ id }) => id) };
  }

  async #alike(chosen: readonly ApkRecord[]): Promise<Set<number>> {
    const found = new Set<number>();
    for (const { sha256 } of chosen.slice(0, maxAsked)) {
      const similar = await this.#similar.of(sha256).catch((error: unknown) => {
        if (error instanceof Failure) return [];
        throw error;
      });
      for (const { apk, score } of similar) if (score >= likeness) found.add(apk.id);
    }
    return found;
  }

  /** APKs at equal distances all over the catalogue, in an order in which the first ones are from all over it too. */
  async #spread(count: number): Promise<ApkRecord[]> {
    const newest = (await this.#catalogue.page({ search: undefined, limit: 1 })).items[0]?.id ?? 0;
    const stride = Math.max(1, newest / count);
    const ids = Array.from({ length: Math.min(count, newest) }, (_, place) => 1 + Math.floor(place * stride));
    const found = [...(await this.#store.apks.findByIds(ids)).values()];
    const spreading = (place: number) => (place * 0.618_033_988_75) % 1;
    return found
      .map((apk, place) => ({ apk, at: spreading(place) }))
      .sort((one, other) => one.at - other.at)
      .map(({ apk }) => apk);
  }
}
