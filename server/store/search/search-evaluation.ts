// Evaluates expressions over sets of APKs, three-valued where conditions are partly known. For the search thread.
import type { CatalogueColumns } from './catalogue-columns.ts';
import { bothOf, eitherOf, emptySet, type IdSet, noneOf } from './id-set.ts';
import type { SearchExpression } from './search-expression.ts';
import type { Postings } from './search-postings.ts';

/** An expression over postings, made for one question. */
export type Evaluated =
  | { kind: 'all' }
  | { kind: 'and' | 'or'; parts: readonly Evaluated[] }
  | { kind: 'not'; part: Evaluated }
  | { kind: 'postings'; postings: Postings };

/** The APKs that it certainly holds for, and those that it may hold for; the same set where all is known. */
export interface Bounds {
  certain: IdSet;
  possible: IdSet;
}

/** An expression whose conditions are replaced by the ids that each holds for. */
export function evaluated(
  expression: SearchExpression,
  postingsOf: (condition: Exclude<SearchExpression, { kind: 'all' | 'and' | 'or' | 'not' }>) => Postings,
): Evaluated {
  switch (expression.kind) {
    case 'all':
      return expression;
    case 'and':
    case 'or':
      return { kind: expression.kind, parts: expression.parts.map((part) => evaluated(part, postingsOf)) };
    case 'not':
      return { kind: 'not', part: evaluated(expression.part, postingsOf) };
    default:
      return { kind: 'postings', postings: postingsOf(expression) };
  }
}

/** The ids of every condition of an expression. */
export function postingsIn(expression: Evaluated): Postings[] {
  switch (expression.kind) {
    case 'all':
      return [];
    case 'not':
      return postingsIn(expression.part);
    case 'postings':
      return [expression.postings];
    default:
      return expression.parts.flatMap(postingsIn);
  }
}

function combined(a: Bounds, b: Bounds, combine: (a: IdSet, b: IdSet) => IdSet): Bounds {
  const certain = combine(a.certain, b.certain);
  const isKnown = a.certain === a.possible && b.certain === b.possible;
  return { certain, possible: isKnown ? certain : combine(a.possible, b.possible) };
}

function boundsOfAny(expression: Evaluated, columns: CatalogueColumns): Bounds {
  switch (expression.kind) {
    case 'all':
      return { certain: columns.alive, possible: columns.alive };
    case 'postings': {
      const { postings } = expression;
      return { certain: postings.bits, possible: postings.possible() };
    }
    case 'not': {
      const { certain, possible } = boundsOfAny(expression.part, columns);
      const set = noneOf(possible);
      return { certain: set, possible: certain === possible ? set : noneOf(certain) };
    }
    default: {
      const combine = expression.kind === 'and' ? bothOf : eitherOf;
      const [first, ...others] = expression.parts.map((part) => boundsOfAny(part, columns));
      if (first === undefined) return { certain: emptySet(columns.capacity), possible: emptySet(columns.capacity) };
      return others.reduce((bounds, other) => combined(bounds, other, combine), first);
    }
  }
}

/** The two sets, without deleted APKs. */
export function boundsOf(expression: Evaluated, columns: CatalogueColumns): Bounds {
  const alive = { certain: columns.alive, possible: columns.alive };
  return combined(boundsOfAny(expression, columns), alive, bothOf);
}

/** The undecided APKs. */
export const openOf = ({ certain, possible }: Bounds): IdSet => bothOf(possible, noneOf(certain));

/** The ids of a list that are not in another. */
function without(ids: readonly number[], others: readonly number[]): readonly number[] {
  const gone = new Set(others);
  return ids.filter((id) => !gone.has(id));
}

/** Those of some APKs that the expression holds for, in any order. */
export function among(expression: Evaluated, ids: readonly number[]): readonly number[] {
  switch (expression.kind) {
    case 'all':
      return ids;
    case 'postings':
      return expression.postings.among(ids);
    case 'not':
      return without(ids, among(expression.part, ids));
    case 'and':
      return expression.parts.reduce((left, part) => (left.length === 0 ? left : among(part, left)), ids);
    case 'or': {
      const found: number[] = [];
      let left = ids;
      for (const part of expression.parts) {
        if (left.length === 0) break;
        const held = among(part, left);
        found.push(...held);
        left = without(left, held);
      }
      return found;
    }
  }
}
