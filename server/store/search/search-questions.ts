// The messages of the search thread: questions and answers. Knows neither thread nor table.
import type { Damage } from '../../contract/catalogue/damage.ts';
import { hostFields, type MarkField, markFields } from '../../contract/engine/report-terms.ts';
import type { Ordering, SearchExpression } from './search-expression.ts';

export interface SearchPageQuestion {
  expression: SearchExpression;
  /** Empty: newest first. */
  ordering: Ordering;
  /** `older`: what comes after the place in the order; `newer`: what comes right before it. */
  direction: 'older' | 'newer';
  /** A row id; null: the first page. */
  place: number | null;
  /** APKs to skip from the beginning, where no row id is given. */
  skip: number;
  limit: number;
}

export interface SearchPageAnswer {
  /** In the wanted order. */
  ids: number[];
  hasOlder: boolean;
  hasNewer: boolean;
}

export const facetNames = [
  'verdict',
  'family',
  'risk',
  'severity',
  ...markFields,
  ...hostFields,
  'rule',
  'detected',
  'analyzed',
  'trusted',
  'corrupted',
  'damage',
  'tag',
  'signer',
  'target_sdk',
  'min_sdk',
  'size',
  'date',
] as const;
export type FacetName = (typeof facetNames)[number];

/** @property key what the facet's values are told apart by: a flag, a name, a row id, the lower end of a range */
export interface FacetValue {
  key: string | number;
  count: number;
}
export interface FacetsAnswer {
  count: number;
  /** APKs whose hosts were read to estimate how many have each; null: all. */
  sampled: number | null;
  facets: Record<FacetName, FacetValue[]>;
}

export interface CatalogueTotals {
  apks: number;
  bytes: number;
  detected: number;
  staticAnalyzed: number;
  dynamicAnalyzed: number;
  yaraAnalyzed: number;
  trusted: number;
  corrupted: number;
  damages: Record<Damage, number>;
  /** By day, oldest first. */
  imports: number[];
  /** The signers of most APKs. */
  signers: { signerId: number; count: number }[];
}

export interface SearchQuestions {
  page: { question: SearchPageQuestion; answer: SearchPageAnswer };
  count: { question: { expression: SearchExpression }; answer: number };
  /** All APKs that are found, the newest first. */
  ids: { question: { expression: SearchExpression }; answer: Uint32Array };
  /** Those of a few APKs that are found, in any order. */
  among: { question: { expression: SearchExpression; ids: readonly number[] }; answer: number[] };
  facets: {
    question: { expression: SearchExpression; values: number; viewerId: number | null };
    answer: FacetsAnswer;
  };
  /** The most common words with this prefix. */
  words: { question: { text: string; limit: number }; answer: { text: string; count: number }[] };
  /** Names in code that go on from the beginning, up to the end of the next part, in alphabetical order; folded. */
  names: { question: { beginning: string; limit: number }; answer: string[] };
  /** The most common marks that contain it. */
  marks: { question: { field: MarkField; text: string; limit: number }; answer: { text: string; count: number }[] };
  /** @property firstDay microseconds since 1970 UTC, the beginning of a day */
  totals: { question: { firstDay: number; days: number; signers: number }; answer: CatalogueTotals };
  /** Reads ahead what the first question needs. */
  warm: { question: Record<string, never>; answer: null };
}
export type QuestionName = keyof SearchQuestions;

export interface SearchMessage {
  id: number;
  name: QuestionName;
  question: unknown;
}
/** Code of the error that a page's row id is not known any more. */
export const unknownPlace = 'unknown-place';
