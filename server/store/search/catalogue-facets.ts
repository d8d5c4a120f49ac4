// Facets of a set of APKs: counts by mark, tag, signer, SDK, size and date. For the search thread; reads only.
import type BetterSqlite3 from 'better-sqlite3';
import { type Damage, damages } from '../../contract/catalogue/damage.ts';
import { verdicts } from '../../contract/catalogue/verdict.ts';
import { type HostField, hostFields, type MarkField, markFields } from '../../contract/engine/report-terms.ts';
import { severities } from '../../contract/findings/finding.ts';
import { riskLevelOf, riskLevels } from '../../contract/findings/risk.ts';
import type { ApkFamilies } from './apk-families.ts';
import type { ApkMarks } from './apk-marks.ts';
import type { ApkRules } from './apk-rules.ts';
import { type CatalogueColumns, flagColumns } from './catalogue-columns.ts';
import { asciiLower } from './folded-text.ts';
import { hostCounts, sampleOf } from './host-facets.ts';
import { forEachId, hasId, type IdSet, sizeOf } from './id-set.ts';
import type { FlagColumn } from './search-expression.ts';
import type { CatalogueTotals, FacetName, FacetsAnswer, FacetValue, SearchQuestions } from './search-questions.ts';
import type { TermSources } from './search-term-sources.ts';

/** Lower bounds of the ranges of size, in bytes. */
const sizeSteps = [0, 100_000, 1_000_000, 5_000_000, 20_000_000, 50_000_000, 100_000_000, 500_000_000];
const dayLength = 86_400_000_000;

const flagBit = (column: FlagColumn) => 1 << flagColumns.indexOf(column);

/** The beginning of the month, in microseconds since 1970 UTC. */
function monthOf(microseconds: number): number {
  const date = new Date(microseconds / 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) * 1000;
}

/** The values with the highest counts; among equal counts by key. */
function mostCommon<Key extends string | number>(
  counts: Iterable<readonly [Key, number]>,
  limit: number,
): { key: Key; count: number }[] {
  const values: { key: Key; count: number }[] = [];
  for (const [key, count] of counts) {
    const last = values.length === limit ? values.at(-1) : undefined;
    if (last !== undefined && (count < last.count || (count === last.count && key > last.key))) continue;
    let at = values.length;
    for (; at > 0; at--) {
      const before = values[at - 1]!;
      if (before.count > count || (before.count === count && before.key < key)) break;
    }
    values.splice(at, 0, { key, count });
    if (values.length > limit) values.pop();
  }
  return values;
}

/** Counts small whole numbers; NaN is none. */
class Counts {
  #counts = new Uint32Array(64);

  add(key: number): void {
    if (key >= this.#counts.length) {
      const counts = new Uint32Array(key * 2);
      counts.set(this.#counts);
      this.#counts = counts;
    }
    if (key >= 0) this.#counts[key]! += 1;
  }

  *[Symbol.iterator](): Generator<[number, number]> {
    for (let key = 0; key < this.#counts.length; key++) {
      const count = this.#counts[key]!;
      if (count > 0) yield [key, count];
    }
  }
}

const inOrder = (values: FacetValue[]) => values.sort((a, b) => Number(a.key) - Number(b.key));

/** Words by their index, descending: the gravest first. */
const named = (words: readonly string[], counts: Iterable<readonly [place: number, count: number]>): FacetValue[] =>
  [...counts].map(([place, count]) => ({ key: words[place]!, count })).reverse();

/** Counts of scores by level. */
function levels(scores: Iterable<readonly [score: number, count: number]>): Map<number, number> {
  const places = Object.keys(riskLevels);
  const counts = new Map<number, number>();
  for (const [score, count] of scores) {
    const place = places.indexOf(riskLevelOf(score));
    counts.set(place, (counts.get(place) ?? 0) + count);
  }
  return counts;
}

export interface FacetSources {
  columns: CatalogueColumns;
  marks: ApkMarks;
  families: ApkFamilies;
  rules: ApkRules;
  terms: TermSources;
}

export class CatalogueFacets {
  readonly #connection: BetterSqlite3.Database;
  readonly #columns: CatalogueColumns;
  readonly #marks: ApkMarks;
  readonly #families: ApkFamilies;
  readonly #rules: ApkRules;
  readonly #terms: TermSources;
  /** The APKs of each tag, as of change `#tagSeq`. */
  #tags = new Map<string, number[]>();
  #tagSeq = -1;

  constructor(connection: BetterSqlite3.Database, { columns, marks, families, rules, terms }: FacetSources) {
    this.#connection = connection;
    this.#columns = columns;
    this.#marks = marks;
    this.#families = families;
    this.#rules = rules;
    this.#terms = terms;
  }

  /**
   * The facets of a set of APKs.
   * @param limit values of each facet
   * @param viewerId whose private rules are counted, too
   */
  of(set: IdSet, limit: number, viewerId: number | null): FacetsAnswer {
    const { flags, numbers } = this.#columns;
    const flagCounts = new Uint32Array(128);
    const sizes = new Uint32Array(sizeSteps.length);
    const signers = new Counts();
    const [targets, minima, said, scores, graves, damage, codeFamilies] = [
      new Counts(),
      new Counts(),
      new Counts(),
      new Counts(),
      new Counts(),
      new Counts(),
      new Counts(),
    ];
    const months = new Map<number, number>();
    // Ids rise with time, and so do the months.
    let month = 0;
    let monthEnd = 0;
    let inMonth = 0;
    forEachId(set, (id) => {
      flagCounts[flags[id]!]! += 1;
      const size = numbers.size[id]!;
      let step = sizeSteps.length - 1;
      while (size < sizeSteps[step]! && step > 0) step -= 1;
      sizes[step]! += 1;
      signers.add(numbers.signer_id[id]!);
      targets.add(numbers.target_sdk[id]!);
      minima.add(numbers.min_sdk[id]!);
      said.add(numbers.verdict[id]!);
      scores.add(numbers.risk[id]!);
      graves.add(numbers.severity[id]!);
      damage.add(numbers.damage[id]!);
      codeFamilies.add(numbers.code_family_id[id]!);
      const createdAt = numbers.created_at[id]!;
      if (createdAt >= monthEnd || createdAt < month) {
        if (inMonth > 0) months.set(month, (months.get(month) ?? 0) + inMonth);
        inMonth = 0;
        month = monthOf(createdAt);
        const date = new Date(month / 1000);
        monthEnd = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) * 1000;
      }
      inMonth += 1;
    });
    if (inMonth > 0) months.set(month, (months.get(month) ?? 0) + inMonth);
    const count = sizeOf(set);
    const marked = (column: FlagColumn) => {
      let marks = 0;
      for (let at = 0; at < flagCounts.length; at++) if ((at & flagBit(column)) !== 0) marks += flagCounts[at]!;
      return marks;
    };
    const yesOrNo = (column: FlagColumn) =>
      [
        { key: 'true', count: marked(column) },
        { key: 'false', count: count - marked(column) },
      ].filter((value) => value.count > 0);
    const sample = sampleOf(set);
    const facets: Record<FacetName, FacetValue[]> = {
      detected: yesOrNo('is_detected'),
      trusted: yesOrNo('is_trusted'),
      corrupted: yesOrNo('is_corrupted'),
      damage: [...damage].map(([place, found]) => ({ key: damages[place]!, count: found })),
      analyzed: (['static', 'dynamic', 'yara'] as const)
        .map((key) => ({ key, count: marked(`is_${key}_analyzed`) }))
        .filter((value) => value.count > 0),
      verdict: named(verdicts, said),
      family: mostCommon(this.#families.countsIn(set, mostCommon(codeFamilies, limit)), limit),
      risk: named(Object.keys(riskLevels), levels(scores)),
      severity: named(severities, graves),
      ...this.#marksOf(set, limit),
      ...this.#hostsOf(sample, count / sample.length, limit),
      rule: mostCommon(this.#rules.countsIn(set, viewerId), limit),
      tag: mostCommon(this.#tagsOf(set), limit),
      signer: mostCommon(signers, limit),
      target_sdk: inOrder(mostCommon(targets, 100)),
      min_sdk: inOrder(mostCommon(minima, 100)),
      size: [...sizes].map((size, at) => ({ key: sizeSteps[at]!, count: size })).filter((value) => value.count > 0),
      date: inOrder([...months].map(([key, inOne]) => ({ key, count: inOne }))).slice(-120),
    };
    return { count, sampled: sample.length < count ? sample.length : null, facets };
  }

  #marksOf(set: IdSet, limit: number): Record<MarkField, FacetValue[]> {
    this.#marks.catchUp();
    const counts = this.#marks.countsIn(set);
    const ofField = (field: MarkField) =>
      mostCommon(
        this.#marks.marks.flatMap((mark, number) =>
          mark.field === field && counts[number]! > 0 ? [[mark.text, counts[number]!] as const] : [],
        ),
        limit,
      );
    return Object.fromEntries(markFields.map((field) => [field, ofField(field)])) as Record<MarkField, FacetValue[]>;
  }

  /** @param weight APKs that each one of the sample stands for */
  #hostsOf(sample: readonly number[], weight: number, limit: number): Record<HostField, FacetValue[]> {
    const ofField = (field: HostField) =>
      mostCommon(hostCounts(this.#terms, sample, field), limit).map(({ key, count }) => ({
        key,
        count: Math.round(count * weight),
      }));
    return Object.fromEntries(hostFields.map((field) => [field, ofField(field)])) as Record<HostField, FacetValue[]>;
  }

  /** The most common marks of a field that contain a text, case-insensitively. */
  marksContaining(field: MarkField, text: string, limit: number): { text: string; count: number }[] {
    const wanted = text.toLowerCase();
    const { [field]: values } = this.#marksOf(this.#columns.alive, Number.POSITIVE_INFINITY);
    const found = values.map(({ key, count }) => ({ text: String(key), count }));
    return found.filter((mark) => mark.text.toLowerCase().includes(wanted)).slice(0, limit);
  }

  /** The facets of the whole catalogue, also by day and signer. */
  totals({ firstDay, days, signers: limit }: SearchQuestions['totals']['question']): CatalogueTotals {
    const { alive, flags, numbers } = this.#columns;
    const marks = new Uint32Array(128);
    const imports = new Array<number>(days).fill(0);
    const signers = new Counts();
    const damaged = new Counts();
    let bytes = 0;
    forEachId(alive, (id) => {
      marks[flags[id]!]! += 1;
      bytes += numbers.size[id]!;
      const day = Math.floor((numbers.created_at[id]! - firstDay) / dayLength);
      if (day >= 0 && day < days) imports[day]! += 1;
      signers.add(numbers.signer_id[id]!);
      damaged.add(numbers.damage[id]!);
    });
    const ofDamage = new Map(damaged);
    const marked = (column: FlagColumn) =>
      marks.reduce((sum, count, at) => ((at & flagBit(column)) === 0 ? sum : sum + count), 0);
    return {
      apks: sizeOf(alive),
      bytes,
      detected: marked('is_detected'),
      staticAnalyzed: marked('is_static_analyzed'),
      dynamicAnalyzed: marked('is_dynamic_analyzed'),
      yaraAnalyzed: marked('is_yara_analyzed'),
      trusted: marked('is_trusted'),
      corrupted: marked('is_corrupted'),
      damages: Object.fromEntries(damages.map((name, place) => [name, ofDamage.get(place) ?? 0])) as Record<
        Damage,
        number
      >,
      imports,
      signers: mostCommon(signers, limit).map(({ key, count }) => ({ signerId: key, count })),
    };
  }

  #tagsOf(set: IdSet): Map<string, number> {
    const changed = this.#tagSeq < 0 ? null : this.#columns.changedSince(this.#tagSeq, 'tags');
    if (changed === null || changed.size > 0) {
      this.#tags = new Map();
      // Searches for tags are case-insensitive: they are grouped by folded name, and each APK counts once.
      const rows = this.#connection
        .prepare('select name, apk_id from apk_tags order by name collate nocase, apk_id')
        .raw()
        .iterate();
      let folded = '';
      let members: number[] = [];
      for (const [name, id] of rows as Iterable<[string, number]>) {
        if (this.#tags.size === 0 || asciiLower(name) !== folded) {
          folded = asciiLower(name);
          members = [];
          this.#tags.set(name, members);
        }
        if (members.at(-1) !== id) members.push(id);
      }
    }
    this.#tagSeq = this.#columns.seq;
    const counts = new Map<string, number>();
    for (const [name, members] of this.#tags) {
      let count = 0;
      for (const id of members) if (hasId(set, id)) count += 1;
      if (count > 0) counts.set(name, count);
    }
    return counts;
  }
}
