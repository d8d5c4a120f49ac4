// The parts that the server compares, as lines of this page's list, with the sides as they stand here. Asks nothing.
import type { Comparison, Facts } from '../../../server/contract/engine/comparison.ts';
import { codeAddress } from '../../components/place/place-address.ts';
import type { Difference, DifferenceState, Entry } from './differences.ts';
import { compareTexts as words } from './texts.ts';

export const comparedSections = ['manifest', 'resources', 'native', 'classes', 'methods'] as const;
export type ComparedSection = (typeof comparedSections)[number];

const states = { removed: 'first', added: 'second', changed: 'changed', renamed: 'moved', same: 'same' } as const;
const swapped: Partial<Record<DifferenceState, DifferenceState>> = { first: 'second', second: 'first' };

const factsText = (facts: Facts): string =>
  Object.entries(facts)
    .map(([name, value]) => (name === 'value' ? String(value) : `${name} ${value}`))
    .join(' · ');

/** Each line that one side alone has, by its number there. */
function manifestLines({ manifest: { hunks } }: Comparison): Difference[] {
  return hunks.flatMap(({ first_start, second_start, lines }) => {
    let [one, other] = [first_start, second_start];
    return lines.flatMap((line): Difference[] => {
      const mark = line[0];
      const entry = (name: string): Entry => ({ name, text: line.slice(1) });
      if (mark === '-') {
        const name = words.line(one++);
        return [{ name, state: 'first', first: entry(name), second: null }];
      }
      if (mark === '+') {
        const name = words.line(other++);
        return [{ name, state: 'second', first: null, second: entry(name) }];
      }
      one++;
      other++;
      return [];
    });
  });
}

function partLines(comparison: Comparison, section: Exclude<ComparedSection, 'manifest'>): Difference[] {
  const isCode = section === 'classes' || section === 'methods';
  const entry = (sha256: string, name: string, facts: Facts | null): Entry | null => {
    if (facts === null) return null;
    const text = factsText(facts);
    return isCode ? { name, text, address: codeAddress(sha256, name.split('->')[0]!) } : { name, text };
  };
  return comparison.parts[section].differences.map(({ state, name, to, first, second }) => ({
    name,
    state: states[state],
    first: entry(comparison.first, name, first),
    second: entry(comparison.second, to ?? name, second),
  }));
}

/** @param first the SHA-256 of the side that stands left on the page */
export function comparedLines(comparison: Comparison, section: ComparedSection, first: string): Difference[] {
  const lines = section === 'manifest' ? manifestLines(comparison) : partLines(comparison, section);
  if (comparison.first === first) return lines;
  return lines.map(({ name, state, first: one, second: other }) => ({
    name: other?.name ?? name,
    state: swapped[state] ?? state,
    first: other,
    second: one,
  }));
}
