// What statements of SQLite are made of, as far as apps use them. Knows no tables. https://www.sqlite.org/lang.html
import type { Cell } from '../cursor.ts';

export type Expression =
  | { readonly kind: 'literal'; readonly value: Cell['value'] }
  /** @property index of the argument, from 0 */
  | { readonly kind: 'parameter'; readonly index: number }
  /** @property isQuoted by double quotes: a text, where there is no such column */
  | { readonly kind: 'column'; readonly table: string | null; readonly name: string; readonly isQuoted: boolean }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: Expression }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | {
      readonly kind: 'in';
      readonly isNot: boolean;
      readonly operand: Expression;
      readonly list: readonly Expression[] | Select;
    }
  | {
      readonly kind: 'case';
      readonly operand: Expression | null;
      readonly branches: readonly (readonly [when: Expression, then: Expression])[];
      readonly otherwise: Expression | null;
    }
  /** @property args null for `count(*)` */
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly args: readonly Expression[] | null;
      readonly isDistinct: boolean;
    }
  | { readonly kind: 'exists'; readonly select: Select }
  | { readonly kind: 'select'; readonly select: Select }
  | { readonly kind: 'cast'; readonly operand: Expression; readonly type: string };

export interface ResultColumn {
  /** Null for `*`, of one table or of all. */
  readonly expression: Expression | null;
  readonly table: string | null;
  /** What the column is called: its alias, its name, or the text of its expression. */
  readonly name: string;
}

export interface Source {
  readonly from: string | Select;
  readonly alias: string;
  /** Whether rows of the sources before it stay where none of this one fits. */
  readonly isLeft: boolean;
  readonly on: Expression | null;
  /** Columns that must be equal here and in the sources before. */
  readonly using: readonly string[];
}

export interface Ordering {
  readonly by: Expression;
  readonly isDescending: boolean;
}

/** `SELECT …` without what stands behind all parts of a union. */
export interface SelectCore {
  readonly isDistinct: boolean;
  readonly columns: readonly ResultColumn[];
  readonly sources: readonly Source[];
  readonly where: Expression | null;
  readonly groupBy: readonly Expression[];
  readonly having: Expression | null;
  /** Of `VALUES (…), (…)`, which has nothing else. */
  readonly values: readonly (readonly Expression[])[] | null;
}

export interface Select {
  readonly cores: readonly SelectCore[];
  /** Between the cores: `union`, `union all`, `intersect`, `except`. */
  readonly operators: readonly string[];
  readonly orderBy: readonly Ordering[];
  readonly limit: Expression | null;
  readonly offset: Expression | null;
  /** Named selects that this one may ask as tables. */
  readonly named: readonly (readonly [name: string, select: Select, columns: readonly string[]])[];
}

export type Assignment = readonly [column: string, value: Expression];

export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly fallback: Expression | null;
  readonly isNotNull: boolean;
}

/** What an insertion does with a row that is there already. */
export type ConflictRule = 'abort' | 'ignore' | 'replace';

export type Statement =
  | { readonly kind: 'select'; readonly select: Select }
  | {
      readonly kind: 'insert';
      readonly table: string;
      /** Empty: all, in their order. */
      readonly columns: readonly string[];
      /** Null: a row of default values. */
      readonly rows: Select | null;
      readonly rule: ConflictRule;
      /** `ON CONFLICT … DO UPDATE SET`. */
      readonly update: readonly Assignment[] | null;
      readonly updateWhere: Expression | null;
    }
  | {
      readonly kind: 'update';
      readonly table: string;
      readonly assignments: readonly Assignment[];
      readonly where: Expression | null;
    }
  | { readonly kind: 'delete'; readonly table: string; readonly where: Expression | null }
  | {
      readonly kind: 'create-table';
      readonly table: string;
      readonly columns: readonly ColumnDefinition[];
      /** Sets of columns of which no two rows have the same. */
      readonly keys: readonly (readonly string[])[];
      readonly primaryKey: readonly string[];
      readonly select: Select | null;
      readonly isIfMissing: boolean;
      readonly isTemporary: boolean;
      readonly sql: string;
    }
  | { readonly kind: 'create-view'; readonly view: string; readonly select: Select }
  | { readonly kind: 'create-key'; readonly table: string; readonly columns: readonly string[] }
  | { readonly kind: 'drop'; readonly name: string }
  | { readonly kind: 'rename'; readonly table: string; readonly to: string }
  | { readonly kind: 'add-column'; readonly table: string; readonly column: ColumnDefinition }
  | { readonly kind: 'pragma'; readonly name: string; readonly argument: string | null }
  /** Transactions, indexes, triggers and the like, which change nothing here. */
  | { readonly kind: 'nothing' };
