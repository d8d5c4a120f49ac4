// How the APKs of a search are spread, each value with the search that narrows to it. Knows nothing of HTTP.
import type { Facets, FacetValue } from '../../contract/catalogue/facet.ts';
import { findingText } from '../../contract/findings/finding-catalogue.ts';
import { type FacetName, facetNames } from '../../store/search/search-questions.ts';
import type { Store } from '../../store/store.ts';
import type { AccountRecord } from '../people/accounts.ts';
import { techniqueName } from '../techniques.ts';
import type { CatalogueSearch } from './catalogue.ts';
import { searchWord } from './search-word.ts';

/** Lower bounds of the ranges of sizes; a range ends where the next begins. */
const sizeEnds = [0, 100_000, 1_000_000, 5_000_000, 20_000_000, 50_000_000, 100_000_000, 500_000_000];

function sizeSearch(from: number): string {
  const next = sizeEnds[sizeEnds.indexOf(from) + 1];
  return next === undefined ? `size:>=${from}` : `size:[${from} TO ${next - 1}]`;
}

type Show = (key: string | number) => Omit<FacetValue, 'count'> | null;

const month = (microseconds: number) => new Date(microseconds / 1000).toISOString().slice(0, 7);

export class SearchFacets {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** @param values how many values are listed of a field that can have any number of them */
  async of(search: CatalogueSearch, values: number, viewer: AccountRecord, signal: AbortSignal): Promise<Facets> {
    const expression = search ?? ({ kind: 'all' } as const);
    const { count, sampled, facets } = await this.#store.search.ask(
      'facets',
      { expression, values, viewerId: viewer.id },
      signal,
    );
    const signers = await this.#store.statistics.signers(facets.signer.map(({ key }) => Number(key)));
    const shown = (name: FacetName, show: Show): FacetValue[] =>
      facets[name].flatMap((value) => {
        const one = show(value.key);
        return one === null ? [] : [{ ...one, count: value.count }];
      });
    const named = (name: string) => (key: string | number) => {
      const value = String(key);
      return { value, label: value, search: `${name}:${searchWord(value)}` };
    };
    const shows: Partial<Record<FacetName, Show>> = {
      finding: (key) => ({ ...named('finding')(key), label: findingText(`${key}`).title }),
      technique: (key) => ({ ...named('technique')(key), label: techniqueName(`${key}`) }),
      analyzed: (key) => ({ value: `${key}`, label: `${key}`, search: `${key}_analyzed:true` }),
      signer: (key) => {
        const signer = signers.get(Number(key));
        if (signer === undefined) return null;
        return { value: signer.sha256, label: signer.company, search: `cert:${signer.sha256}` };
      },
      size: (key) => ({ value: `${key}`, label: `${key}`, search: sizeSearch(Number(key)) }),
      date: (key) => named('date')(month(Number(key))),
    };
    const byName = facetNames.map((name) => [name, shown(name, shows[name] ?? named(name))]);
    return { count, sampled, facets: Object.fromEntries(byName) as Record<FacetName, FacetValue[]> };
  }
}
