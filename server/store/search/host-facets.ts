// The most frequent hosts of a set of APKs, counted in a sample where it is large. For the search thread; reads only.
import type { HostField } from '../../contract/engine/report-terms.ts';
import { forEachId, type IdSet, idsIn, sizeOf } from './id-set.ts';
import type { TermSources } from './search-term-sources.ts';

/** APKs whose terms are read: some hundreds each. */
const maxHostSample = 250;
/** Domains above one that are looked at: a hostile name could have hundreds. */
const maxLevels = 12;

/** A domain, and those above it that it belongs to: what `domain:` finds it by. */
function* domainsAbove(name: string): Generator<string> {
  let at = 0;
  for (let level = 0; level <= maxLevels; level++) {
    yield name.slice(at);
    at = name.indexOf('.', at) + 1;
    if (at === 0) return;
  }
}

/** Up to so many APKs of a set, evenly from its whole length. */
export function sampleOf(set: IdSet): number[] {
  const size = sizeOf(set);
  if (size <= maxHostSample) return idsIn(set);
  const step = size / maxHostSample;
  const ids: number[] = [];
  let next = 0;
  let at = 0;
  forEachId(set, (id) => {
    if (at >= next) {
      ids.push(id);
      next += step;
    }
    at += 1;
  });
  return ids;
}

/**
 * How many APKs of a sample have each host that any of them names: of a domain those with one below it, too.
 * @param ids the sample
 */
export function hostCounts(terms: TermSources, ids: readonly number[], field: HostField): Map<string, number> {
  const ofApks = terms.textsOf(ids, field);
  const counts = new Map(ofApks.flat().map((name) => [name, 0]));
  for (const names of ofApks) {
    const found = new Set(names.flatMap((name) => (field === 'domain' ? [...domainsAbove(name)] : [name])));
    for (const name of found) {
      const count = counts.get(name);
      if (count !== undefined) counts.set(name, count + 1);
    }
  }
  return counts;
}
