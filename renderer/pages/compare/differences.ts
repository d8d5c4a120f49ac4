// What differs between two APKs as lines of a list, with the sides as they stand on the page. Asks nothing.
import {
  type ComparedPart,
  type Comparison,
  comparedParts,
  type Facts,
  type Difference as ServerDifference,
} from '../../../server/contract/engine/comparison.ts';
import { findingText } from '../../../server/contract/findings/finding-catalogue.ts';
import { codeAddress, fileAddress } from '../../components/place/place-address.ts';
import { formatSize } from '../../components/text/format.ts';
import { functionalitiesTexts } from '../apk/abilities/texts.ts';
import { compareTexts as words } from './texts.ts';

/** One thing as one side has it. */
export interface Entry {
  name: string;
  /** What is shown of it. */
  text: string;
  /** Where it is shown. */
  address?: string;
}

export type DifferenceState = 'first' | 'second' | 'changed' | 'moved';

/** `first` and `second`: only that side has it. `moved`: the other side has the same under another name. */
export interface Difference {
  name: string;
  state: DifferenceState;
  first: Entry | null;
  second: Entry | null;
  /** The code that the server compares line by line. */
  code?: CodePair;
}

/** A class or method by its name on each side, in the server's order. */
export interface CodePair {
  first?: string;
  second?: string;
}

export interface Section {
  differences: readonly Difference[];
  /** All, however many are listed. */
  total: number;
  /** How many are the same on both sides. */
  same: number;
  isCut: boolean;
}

const states = { removed: 'first', added: 'second', changed: 'changed', renamed: 'moved' } as const;
const swapped: Record<DifferenceState, DifferenceState> = {
  first: 'second',
  second: 'first',
  changed: 'changed',
  moved: 'moved',
};

const isCode = (part: ComparedPart) => part === 'classes' || part === 'methods';

const factText = (name: string, value: Facts[string]): string =>
  name === 'size' && typeof value === 'number' ? formatSize(value) : String(value);

/** Of a thing that both have only what differs. */
function factsText(facts: Facts, other: Facts | null): string {
  const shown = Object.entries(facts).filter(([name, value]) => other === null || other[name] !== value);
  return shown
    .map(([name, value]) => (name === 'value' ? String(value) : `${words.fact(name)} ${factText(name, value)}`))
    .join(' · ');
}

/** The view of an APK's page that shows such a thing. */
const addresses: Partial<Record<ComparedPart, (sha256: string, name: string) => string>> = {
  permissions: (sha256) => `/apks/${sha256}/permissions`,
  components: (sha256, name) => codeAddress(sha256, `L${name.replaceAll('.', '/')};`),
  certificate: (sha256) => `/apks/${sha256}/signature`,
  files: fileAddress,
  functionalities: (sha256, name) => `/apks/${sha256}/abilities?name=${encodeURIComponent(name)}`,
  libraries: (sha256) => `/apks/${sha256}/libraries`,
  findings: (sha256) => `/apks/${sha256}/summary`,
  classes: codeAddress,
  methods: codeAddress,
  fields: codeAddress,
};

const shownName = (part: ComparedPart, name: string): string =>
  part === 'findings'
    ? findingText(name).title
    : part === 'functionalities'
      ? (functionalitiesTexts[name] ?? name)
      : name;

function lineOf(
  { state, name, to, first, second }: ServerDifference,
  part: ComparedPart,
  hashes: readonly [string, string],
): Difference {
  const entry = (side: 0 | 1, own: string, facts: Facts | null, other: Facts | null): Entry | null => {
    if (facts === null) return null;
    const address = addresses[part]?.(hashes[side], own);
    return { name: shownName(part, own), text: factsText(facts, other), ...(address === undefined ? {} : { address }) };
  };
  const pair = { ...(first !== null && { first: name }), ...(second !== null && { second: to ?? name }) };
  return {
    name: shownName(part, name),
    // What is the same is not listed.
    state: states[state as keyof typeof states],
    first: entry(0, name, first, second),
    second: entry(1, to ?? name, second, first),
    ...(isCode(part) && { code: pair }),
  };
}

/** @param isSwapped the server's left side is shown on the right */
export function sectionOf(comparison: Comparison, part: ComparedPart, isSwapped: boolean): Section {
  const { counts, differences, is_cut: isCut } = comparison.parts[part];
  const lines = differences.map((one) => lineOf(one, part, [comparison.first, comparison.second]));
  return {
    differences: isSwapped ? lines.map(turned) : lines,
    total: counts.removed + counts.added + counts.changed + counts.renamed,
    same: counts.same,
    isCut,
  };
}

const turned = ({ name, state, first, second, ...rest }: Difference): Difference => ({
  ...rest,
  name: second?.name ?? name,
  state: swapped[state],
  first: second,
  second: first,
});

/** What people and rules say of two APKs, by name: the server's comparison knows what is in them alone. */
export function differencesOf(first: readonly Entry[], second: readonly Entry[]): Section {
  const others = new Map(second.map((entry) => [entry.name, entry]));
  const differences: Difference[] = [];
  let same = 0;
  for (const one of new Map(first.map((entry) => [entry.name, entry])).values()) {
    const other = others.get(one.name);
    others.delete(one.name);
    if (other === undefined) differences.push({ name: one.name, state: 'first', first: one, second: null });
    else if (other.text === one.text) same++;
    else differences.push({ name: one.name, state: 'changed', first: one, second: other });
  }
  for (const other of others.values()) {
    differences.push({ name: other.name, state: 'second', first: null, second: other });
  }
  return { differences, total: differences.length, same, isCut: false };
}

export type SectionName = keyof typeof words.sections;
export const isServerPart = (name: SectionName): name is ComparedPart & SectionName =>
  (comparedParts as readonly string[]).includes(name);

export const sectionGroups: readonly { group: keyof typeof words.groups; sections: readonly SectionName[] }[] = [
  { group: 'declared', sections: ['app', 'permissions', 'components', 'certificate', 'manifest'] },
  {
    group: 'content',
    sections: ['files', 'resources', 'native', 'classes', 'methods', 'fields', 'code', 'strings'],
  },
  {
    group: 'judged',
    sections: ['findings', 'functionalities', 'libraries', 'indicators', 'matches', 'detections'],
  },
];
export const sectionNames: readonly SectionName[] = sectionGroups.flatMap(({ sections }) => sections);
