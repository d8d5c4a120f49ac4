// Works out expressions and selects of SQLite over rows in memory. Knows no statement that changes anything.
import { isLike } from '../../../java/text/wildcards.ts';
import type { Taint } from '../../../machine/heap.ts';
import type { Cell } from '../cursor.ts';
import { aggregates, dateText, distinct, nullSafe, scalars } from './functions.ts';
import type { Expression, Ordering, ResultColumn, Select, SelectCore, Source } from './syntax.ts';
import { columnKey, nullCell } from './tables.ts';
import { SqlFault } from './tokens.ts';
import { arithmetic, compareValues, isTrue, keyOf, maxLength, numberOf, type SqlValue, textOf } from './values.ts';

export interface Answer {
  readonly columns: readonly string[];
  readonly rows: Cell[][];
}

/** A row of one source, by the name that the statement has for it. */
export interface Bound {
  readonly alias: string;
  /** Undefined where the source has no such column. */
  readonly cell: (column: string) => Cell | undefined;
}

/** Rows of all sources that belong together, and around them those of the select that this one is in. */
export interface Scope {
  readonly bounds: readonly Bound[];
  readonly outer: Scope | null;
  /** What aggregates are counted over; null outside of groups. */
  readonly group: readonly Scope[] | null;
  /** What the select asks for, whose names conditions may use where no source has such a column. */
  readonly results?: readonly ResultColumn[];
}

/** What all statements are worked out with. */
export interface Host {
  readonly union: (a: Taint, b: Taint) => Taint;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Counts work as bytes that are allocated; ends a program that did too much. */
  readonly charge: (bytes: number) => void;
}

/** What one statement is worked out with. */
export interface Surroundings extends Host {
  readonly args: readonly Cell[];
  /** Of the statement's text: what is written in it carries it. */
  readonly taint: Taint;
  /** All rows of what a statement names. @param named selects of the statement's own */
  readonly rowsOf: (name: string, alias: string) => { columns: readonly string[]; rows: readonly Bound[] };
  readonly called: (name: string) => SqlValue | undefined;
}

/** Expressions that one statement may work out; a join of joins would never end. */
const maxSteps = 400_000;
/** What it takes to put two rows together, beside expressions. */
const stepsOfJoin = 4;
/** What a step counts for, in bytes that are allocated. */
const bytesPerStep = 64;
/** Characters of a text, or bytes, that cost a step to be worked on. */
const textPerStep = 256;
/** Names among which one is looked for that cost a step. */
const namesPerStep = 16;
/** Selects within selects, views among them, that name each other. */
const maxNesting = 30;

const isAggregate = (expression: Expression): boolean =>
  expression.kind === 'call' &&
  Object.hasOwn(aggregates, expression.name) &&
  (expression.args === null || expression.args.length === 1 || expression.name === 'group_concat');

function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'unary':
    case 'cast':
      return [expression.operand];
    case 'binary':
      return [expression.left, expression.right];
    case 'in':
      return [expression.operand, ...('cores' in expression.list ? [] : expression.list)];
    case 'case':
      return [expression.operand, ...expression.branches.flat(), expression.otherwise].filter((each) => each !== null);
    case 'call':
      return expression.args ?? [];
    default:
      return [];
  }
}

/** The first call in an expression that is worked out over groups. */
function aggregateIn(expression: Expression): Extract<Expression, { kind: 'call' }> | null {
  if (isAggregate(expression)) return expression as Extract<Expression, { kind: 'call' }>;
  for (const part of partsOf(expression)) {
    const found = aggregateIn(part);
    if (found !== null) return found;
  }
  return null;
}

const nothingAround: Scope = { bounds: [], outer: null, group: null };

export class Evaluation {
  readonly #with: Surroundings;
  readonly #named = new Map<string, () => Answer>();
  #steps = 0;
  #nesting = 0;

  constructor(surroundings: Surroundings) {
    this.#with = surroundings;
  }

  readonly #spend = (steps: number): void => {
    this.#steps += steps;
    this.#with.charge(steps * bytesPerStep);
    if (this.#steps > maxSteps) throw new SqlFault('too much to work out');
  };

  /** A value that is worked on, or comes of that. */
  #handle(value: SqlValue): void {
    if (typeof value !== 'string' && !(value instanceof Uint8Array)) return;
    if (value.length > maxLength) throw new SqlFault('string or blob too big');
    this.#spend(value.length / textPerStep);
  }

  #handleAll(values: readonly SqlValue[]): void {
    for (const value of values) this.#handle(value);
  }

  #compare(left: SqlValue, right: SqlValue): number {
    this.#handle(left);
    this.#handle(right);
    return compareValues(left, right);
  }

  /** @throws SqlFault */
  isTrue(expression: Expression, scope: Scope): boolean {
    const { value } = this.cell(expression, scope);
    this.#handle(value);
    return isTrue(value);
  }

  /** @throws SqlFault where there is no such function or column, or too much to do */
  cell(expression: Expression, scope: Scope = nothingAround): Cell {
    this.#spend(1);
    const { args, taint } = this.#with;
    switch (expression.kind) {
      case 'literal':
        return { value: expression.value, taint };
      case 'parameter':
        return args[expression.index] ?? nullCell;
      case 'column':
        return this.#column(expression, scope);
      case 'unary':
        return this.#unary(expression.operator, this.cell(expression.operand, scope));
      case 'binary':
        return this.#binary(expression, scope);
      case 'in':
        return this.#member(expression, scope);
      case 'case':
        return this.#case(expression, scope);
      case 'call':
        return this.#call(expression, scope);
      case 'cast':
        return this.#cast(this.cell(expression.operand, scope), expression.type);
      case 'exists':
        return { value: Number(this.select(expression.select, scope).rows.length > 0), taint: 0 };
      case 'select':
        return this.select(expression.select, scope).rows[0]?.[0] ?? nullCell;
    }
  }

  #column({ table, name, isQuoted }: Extract<Expression, { kind: 'column' }>, scope: Scope): Cell {
    const key = columnKey(name);
    for (let each: Scope | null = scope; each !== null; each = each.outer) {
      for (const bound of each.bounds) {
        if (table !== null && columnKey(bound.alias) !== columnKey(table)) continue;
        const cell = bound.cell(key);
        if (cell !== undefined) return cell;
      }
      this.#spend((each.results?.length ?? 0) / namesPerStep);
      const result = table === null ? each.results?.find((column) => columnKey(column.name) === key) : undefined;
      if (result !== undefined) return this.cell(result.expression!, { ...each, results: [] });
    }
    if (isQuoted) return { value: name, taint: this.#with.taint };
    if (key === 'true' || key === 'false') return { value: Number(key === 'true'), taint: 0 };
    if (/^current_(?:date|time|timestamp)$/.test(key)) {
      const kind = key === 'current_date' ? 'date' : key === 'current_time' ? 'time' : 'datetime';
      return { value: dateText(kind, [], this.#with.now()), taint: 0 };
    }
    throw new SqlFault(`no such column: ${name}`);
  }

  #unary(operator: string, { value, taint }: Cell): Cell {
    if (value === null) return { value, taint };
    this.#handle(value);
    if (operator === 'not') return { value: Number(!isTrue(value)), taint };
    if (operator === '-') return { value: arithmetic('-', 0, value), taint };
    if (operator === '~') return { value: arithmetic('-', -1, value), taint };
    return { value, taint };
  }

  #binary({ operator, left, right }: Extract<Expression, { kind: 'binary' }>, scope: Scope): Cell {
    const a = this.cell(left, scope);
    this.#handle(a.value);
    if (operator === 'and' && a.value !== null && !isTrue(a.value)) return { value: 0, taint: a.taint };
    if (operator === 'or' && isTrue(a.value)) return { value: 1, taint: a.taint };
    const b = this.cell(right, scope);
    this.#handle(b.value);
    return { value: this.#operation(operator, a.value, b.value), taint: this.#with.union(a.taint, b.taint) };
  }

  #operation(operator: string, a: SqlValue, b: SqlValue): SqlValue {
    if (operator === 'is') return Number((a === null) === (b === null) && (a === null || compareValues(a, b) === 0));
    if (operator === 'and') return b !== null && !isTrue(b) ? 0 : a === null || b === null ? null : 1;
    if (operator === 'or') return isTrue(b) ? 1 : a === null || b === null ? null : 0;
    if (a === null || b === null) return null;
    switch (operator) {
      case '=':
      case '==':
        return Number(compareValues(a, b) === 0);
      case '<>':
      case '!=':
        return Number(compareValues(a, b) !== 0);
      case '<':
        return Number(compareValues(a, b) < 0);
      case '<=':
        return Number(compareValues(a, b) <= 0);
      case '>':
        return Number(compareValues(a, b) > 0);
      case '>=':
        return Number(compareValues(a, b) >= 0);
      case 'like':
        return Number(isLike(textOf(a).toLowerCase(), textOf(b).toLowerCase(), '%', '_', this.#spend));
      case 'glob':
        return Number(isLike(textOf(a), textOf(b), '*', '?', this.#spend));
      case 'match':
        return Number(textOf(a).toLowerCase().includes(textOf(b).replaceAll('*', '').toLowerCase()));
      case '||':
        return textOf(a) + textOf(b);
      default:
        return arithmetic(operator, a, b);
    }
  }

  #member({ operand, list, isNot }: Extract<Expression, { kind: 'in' }>, scope: Scope): Cell {
    const { value, taint } = this.cell(operand, scope);
    if (value === null) return nullCell;
    const members =
      'cores' in list
        ? this.select(list, scope).rows.map((row) => row[0] ?? nullCell)
        : list.map((each) => this.cell(each, scope));
    const isThere = members.some((member) => member.value !== null && this.#compare(value, member.value) === 0);
    return { value: Number(isThere !== isNot), taint };
  }

  #case({ operand, branches, otherwise }: Extract<Expression, { kind: 'case' }>, scope: Scope): Cell {
    const wanted = operand === null ? null : this.cell(operand, scope).value;
    for (const [when, then] of branches) {
      if (operand === null ? this.isTrue(when, scope) : this.#isSame(wanted, this.cell(when, scope).value))
        return this.cell(then, scope);
    }
    return otherwise === null ? nullCell : this.cell(otherwise, scope);
  }

  #isSame(left: SqlValue, right: SqlValue): boolean {
    return left !== null && right !== null && this.#compare(left, right) === 0;
  }

  #cast({ value, taint }: Cell, type: string): Cell {
    if (value === null) return { value, taint };
    this.#handle(value);
    if (/int/i.test(type)) {
      const number = numberOf(value);
      return { value: typeof number === 'bigint' ? number : Math.trunc(number), taint };
    }
    if (/real|floa|doub|num|dec/i.test(type)) return { value: Number(numberOf(value)), taint };
    if (/blob/i.test(type)) return { value: value instanceof Uint8Array ? value : Buffer.from(textOf(value)), taint };
    return { value: textOf(value), taint };
  }

  #taintOf(cells: readonly Cell[]): Taint {
    return cells.reduce((all, { taint }) => this.#with.union(all, taint), 0);
  }

  #call(call: Extract<Expression, { kind: 'call' }>, scope: Scope): Cell {
    const { name, args } = call;
    if (isAggregate(call)) return this.#aggregate(call, scope);
    const cells = (args ?? []).map((arg) => this.cell(arg, scope));
    const values = cells.map(({ value }) => value);
    const taint = this.#taintOf(cells);
    const own = this.#with.called(name);
    if (own !== undefined) return { value: own, taint };
    if (/^(?:date|time|datetime|julianday|strftime)$/.test(name))
      return { value: dateText(name, values, this.#with.now()), taint };
    const scalar = Object.hasOwn(scalars, name) ? scalars[name] : undefined;
    if (scalar === undefined || values.length === 0) throw new SqlFault(`no such function: ${name}`);
    if (values.includes(null) && !nullSafe.has(name)) return nullCell;
    this.#handleAll(values);
    const value = scalar(values);
    this.#handle(value);
    return { value, taint };
  }

  #aggregate({ name, args, isDistinct }: Extract<Expression, { kind: 'call' }>, scope: Scope): Cell {
    if (scope.group === null) throw new SqlFault(`misuse of aggregate: ${name}()`);
    if (args === null) return { value: scope.group.length, taint: 0 };
    const cells = scope.group.map((row) => this.cell(args[0]!, row)).filter(({ value }) => value !== null);
    const values = cells.map(({ value }) => value);
    const separator = args[1] === undefined ? undefined : this.cell(args[1], scope).value;
    this.#handleAll(values);
    const value = aggregates[name]!(isDistinct ? distinct(values) : values, separator);
    // How many there are tells nothing of them.
    return { value, taint: name === 'count' ? 0 : this.#taintOf(cells) };
  }

  /** @throws SqlFault */
  select(select: Select, outer: Scope | null = null): Answer {
    if (this.#nesting >= maxNesting) throw new SqlFault('selects are nested too deeply');
    this.#spend(1);
    this.#nesting++;
    for (const [name, inner, columns] of select.named) {
      this.#named.set(columnKey(name), () => {
        const answer = this.select(inner, outer);
        return columns.length === 0 ? answer : { ...answer, columns };
      });
    }
    const isAlone = select.cores.length === 1;
    const { columns, rows } = this.#core(select.cores[0]!, outer, isAlone ? select.orderBy : []);
    let all = rows;
    for (const [at, operator] of select.operators.entries()) {
      all = this.#combined(operator, all, this.#core(select.cores[at + 1]!, outer, []).rows);
    }
    if (!isAlone && select.orderBy.length > 0) {
      const scopes = boundsOf('', columns, all).map((bound): Scope => ({ bounds: [bound], outer, group: null }));
      all = this.#ordered(all, scopes, columns, select.orderBy);
    }
    this.#nesting--;
    return { columns, rows: this.#cutOut(all, select, outer) };
  }

  #cutOut(rows: Cell[][], { limit, offset }: Select, outer: Scope | null): Cell[][] {
    const around: Scope = { bounds: [], outer, group: null };
    const number = (expression: Expression | null): number | null =>
      expression === null ? null : Number(numberOf(this.cell(expression, around).value));
    const from = Math.max(0, number(offset) ?? 0);
    const count = number(limit) ?? -1;
    return from === 0 && count < 0 ? rows : rows.slice(from, count < 0 ? undefined : from + count);
  }

  #core(core: SelectCore, outer: Scope | null, orderBy: readonly Ordering[]): Answer {
    const around: Scope = { bounds: [], outer, group: null };
    if (core.values !== null) {
      const rows = core.values.map((row) => row.map((each) => this.cell(each, around)));
      return { columns: (rows[0] ?? []).map((_cell, at) => `column${at + 1}`), rows };
    }
    const { where } = core;
    const sources = core.sources.map((source): Given => ({ source, ...this.#rowsOf(source, outer) }));
    const results = core.columns.flatMap((column) => spread(column, sources));
    let scopes = this.#joined(sources, { ...around, results });
    if (where !== null) scopes = scopes.filter((scope) => this.isTrue(where, scope));
    const columns = results.map(({ name }) => name);
    const asked = [...results.map(({ expression }) => expression!), ...orderBy.map(({ by }) => by)];
    const isGrouped =
      core.groupBy.length > 0 || core.having !== null || asked.some((each) => aggregateIn(each) !== null);
    if (isGrouped) scopes = this.#grouped(core, scopes, results, { ...around, results });
    let rows = scopes.map((scope) => results.map(({ expression }) => this.cell(expression!, scope)));
    if (orderBy.length > 0) rows = this.#ordered(rows, scopes, columns, orderBy);
    return { columns, rows: core.isDistinct ? this.#withoutRepeats(rows) : rows };
  }

  /** All rows of the sources that fit each other. */
  #joined(sources: readonly Given[], around: Scope): Scope[] {
    let scopes: Scope[] = [around];
    for (const { source, columns, rows } of sources) {
      const [missing] = boundsOf(source.alias, columns, [[]]);
      scopes = scopes.flatMap((scope) => {
        const fitting = rows.flatMap((bound) => {
          this.#spend(stepsOfJoin);
          const joined: Scope = { ...scope, bounds: [...scope.bounds, bound] };
          return this.#fits(source, scope, bound, joined) ? [joined] : [];
        });
        if (fitting.length > 0 || !source.isLeft) return fitting;
        return [{ ...scope, bounds: [...scope.bounds, missing!] }];
      });
    }
    return scopes;
  }

  #fits({ on, using }: Source, before: Scope, bound: Bound, joined: Scope): boolean {
    const isSame = using.every((column) => {
      const left =
        before.bounds.map((each) => each.cell(columnKey(column))).find((cell) => cell !== undefined) ?? nullCell;
      const right = bound.cell(columnKey(column)) ?? nullCell;
      return this.#isSame(left.value, right.value);
    });
    return isSame && (on === null || this.isTrue(on, joined));
  }

  #rowsOf({ from, alias }: Source, outer: Scope | null): { columns: readonly string[]; rows: readonly Bound[] } {
    const named = typeof from === 'string' ? this.#named.get(columnKey(from)) : undefined;
    if (typeof from === 'string' && named === undefined) return this.#with.rowsOf(from, alias);
    const { columns, rows } = named === undefined ? this.select(from as Select, outer) : named();
    return { columns, rows: boundsOf(alias, columns, rows) };
  }

  #grouped(core: SelectCore, scopes: Scope[], results: readonly ResultColumn[], around: Scope): Scope[] {
    const by = core.groupBy.map((each) => resultOf(each, results)?.expression ?? each);
    const groups = new Map<string, Scope[]>();
    if (by.length === 0) groups.set('', scopes);
    for (const scope of by.length === 0 ? [] : scopes) {
      const key = this.#rowKey(by.map((each) => this.cell(each, scope)));
      const known = groups.get(key);
      if (known === undefined) groups.set(key, [scope]);
      else known.push(scope);
    }
    const { having } = core;
    return [...groups.values()]
      .map((group): Scope => {
        const chosen = this.#representative(group, results) ?? around;
        return { ...chosen, group };
      })
      .filter((scope) => having === null || this.isTrue(having, scope));
  }

  /** The row of a group that columns outside of aggregates are of: the one with the extreme, where one is asked for. */
  #representative(group: readonly Scope[], results: readonly ResultColumn[]): Scope | undefined {
    const calls = results.map(({ expression }) => aggregateIn(expression!));
    const extreme = calls.find((call) => call?.name === 'max' || call?.name === 'min');
    const [by] = extreme?.args ?? [];
    if (by === undefined) return group[0];
    const sign = extreme!.name === 'max' ? 1 : -1;
    return group.reduce<Scope | undefined>((best, row) => {
      if (best === undefined) return row;
      return this.#compare(this.cell(by, row).value, this.cell(by, best).value) * sign > 0 ? row : best;
    }, undefined);
  }

  #ordered(rows: Cell[][], scopes: readonly Scope[], columns: readonly string[], orderBy: readonly Ordering[]) {
    const results = columns.map((name): ResultColumn => ({ name, table: null, expression: null }));
    const places = orderBy.map(({ by }) => {
      const result = resultOf(by, results);
      return result === null ? -1 : results.indexOf(result);
    });
    const keyed = rows.map((row, at) => ({
      row,
      keys: orderBy.map(({ by }, term) => (row[places[term]!] ?? this.cell(by, scopes[at]!)).value),
    }));
    keyed.sort((left, right) => {
      for (const [at, { isDescending }] of orderBy.entries()) {
        const order = this.#compare(left.keys[at]!, right.keys[at]!);
        if (order !== 0) return isDescending ? -order : order;
      }
      return 0;
    });
    return keyed.map(({ row }) => row);
  }

  #rowKey(row: readonly Cell[]): string {
    this.#spend(1);
    return row
      .map(({ value }) => {
        this.#handle(value);
        return keyOf(value);
      })
      .join('\0');
  }

  #withoutRepeats(rows: readonly Cell[][]): Cell[][] {
    const seen = new Set<string>();
    return rows.filter((row) => {
      const key = this.#rowKey(row);
      return !seen.has(key) && seen.add(key) !== null;
    });
  }

  #combined(operator: string, left: Cell[][], right: Cell[][]): Cell[][] {
    if (operator === 'union all') {
      this.#spend(right.length);
      return [...left, ...right];
    }
    if (operator === 'union') return this.#withoutRepeats([...left, ...right]);
    const keys = new Set(right.map((row) => this.#rowKey(row)));
    return this.#withoutRepeats(left.filter((row) => keys.has(this.#rowKey(row)) === (operator === 'intersect')));
  }
}

/** A source with its rows. */
interface Given {
  readonly source: Source;
  readonly columns: readonly string[];
  readonly rows: readonly Bound[];
}

/** Rows with the same columns, by the name that a statement has for them. */
export function boundsOf(alias: string, columns: readonly string[], rows: readonly (readonly Cell[])[]): Bound[] {
  const places = new Map(columns.map((name, at) => [columnKey(name), at]));
  return rows.map((cells) => ({
    alias,
    cell: (column) => {
      const at = places.get(column);
      return at === undefined ? undefined : (cells[at] ?? nullCell);
    },
  }));
}

/** A result's column, or all those that a star stands for. */
function spread(column: ResultColumn, sources: readonly Given[]): ResultColumn[] {
  if (column.expression !== null) return [column];
  const wanted = column.table;
  return sources
    .filter(({ source }) => wanted === null || columnKey(source.alias) === columnKey(wanted))
    .flatMap(({ source, columns }) =>
      columns.map((name) => ({
        name,
        table: null,
        expression: { kind: 'column', table: source.alias === '' ? null : source.alias, name, isQuoted: false },
      })),
    );
}

/** The result's column that a number, or a name that no table stands before, means; null for other expressions. */
function resultOf(expression: Expression, results: readonly ResultColumn[]): ResultColumn | null {
  if (expression.kind === 'literal' && typeof expression.value === 'number')
    return results[expression.value - 1] ?? null;
  if (expression.kind !== 'column' || expression.table !== null) return null;
  const key = columnKey(expression.name);
  return results.find(({ name }) => columnKey(name) === key) ?? null;
}
