// Works out expressions and selects of SQLite over rows in memory. Knows no statement that changes anything.
import type { Taint } from '../../machine/heap.ts';
import type { Cell } from '../cursor.ts';
import { aggregates, dateText, distinct, nullSafe, scalars } from './functions.ts';
import type { Expression, Ordering, ResultColumn, Select, SelectCore, Source } from './syntax.ts';
import { columnKey, none } from './tables.ts';
import { SqlFault } from './tokens.ts';
import {
  arithmetic,
  compareValues,
  isLike,
  isTrue,
  keyOf,
  maxLength,
  numberOf,
  type SqlValue,
  textOf,
} from './values.ts';

export interface Answer {
  readonly columns: readonly string[];
  readonly rows: Cell[][];
}

/** A row of one source, by the name that the statement has for it. */
export interface Bound {
  readonly alias: string;
  readonly columns: readonly string[];
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
  readonly rowsOf: (name: string) => { columns: readonly string[]; rows: readonly ((alias: string) => Bound)[] };
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

  #spend(steps: number): void {
    this.#steps += steps;
    this.#with.charge(steps * bytesPerStep);
    if (this.#steps > maxSteps) throw new SqlFault('too much to work out');
  }

  /** Values that are worked on, or come of that. */
  #handle(values: readonly SqlValue[]): void {
    for (const value of values) {
      if (typeof value !== 'string' && !(value instanceof Uint8Array)) continue;
      if (value.length > maxLength) throw new SqlFault('string or blob too big');
      this.#spend(value.length / textPerStep);
    }
  }

  /** @throws SqlFault where there is no such function or column, or too much to do */
  cell(expression: Expression, scope: Scope = nothingAround): Cell {
    this.#spend(1);
    const { args, taint } = this.#with;
    switch (expression.kind) {
      case 'literal':
        return { value: expression.value, taint };
      case 'parameter':
        return args[expression.index] ?? none;
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
        return this.select(expression.select, scope).rows[0]?.[0] ?? none;
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
    if (operator === 'not') return { value: Number(!isTrue(value)), taint };
    if (operator === '-') return { value: arithmetic('-', 0, value), taint };
    if (operator === '~') return { value: arithmetic('-', -1, value), taint };
    return { value, taint };
  }

  #binary({ operator, left, right }: Extract<Expression, { kind: 'binary' }>, scope: Scope): Cell {
    const a = this.cell(left, scope);
    if (operator === 'and' && a.value !== null && !isTrue(a.value)) return { value: 0, taint: a.taint };
    if (operator === 'or' && isTrue(a.value)) return { value: 1, taint: a.taint };
    const b = this.cell(right, scope);
    this.#handle([a.value, b.value]);
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
        return Number(this.#isLike(textOf(a).toLowerCase(), textOf(b).toLowerCase(), '%', '_'));
      case 'glob':
        return Number(this.#isLike(textOf(a), textOf(b), '*', '?'));
      case 'match':
        return Number(textOf(a).toLowerCase().includes(textOf(b).replaceAll('*', '').toLowerCase()));
      case '||':
        return textOf(a) + textOf(b);
      default:
        return arithmetic(operator, a, b);
    }
  }

  #isLike(text: string, pattern: string, many: string, one: string): boolean {
    // Each of the pattern's parts may be looked for in all of the text.
    this.#spend((text.length >> 4) * pattern.split(many).length);
    return isLike(text, pattern, many, one);
  }

  #member({ operand, list, isNot }: Extract<Expression, { kind: 'in' }>, scope: Scope): Cell {
    const { value, taint } = this.cell(operand, scope);
    if (value === null) return none;
    const members =
      'cores' in list
        ? this.select(list, scope).rows.map((row) => row[0] ?? none)
        : list.map((each) => this.cell(each, scope));
    const isThere = members.some((member) => member.value !== null && compareValues(value, member.value) === 0);
    return { value: Number(isThere !== isNot), taint };
  }

  #case({ operand, branches, otherwise }: Extract<Expression, { kind: 'case' }>, scope: Scope): Cell {
    const wanted = operand === null ? null : this.cell(operand, scope).value;
    for (const [when, then] of branches) {
      const { value } = this.cell(when, scope);
      const isIt = operand === null ? isTrue(value) : value !== null && compareValues(wanted, value) === 0;
      if (isIt) return this.cell(then, scope);
    }
    return otherwise === null ? none : this.cell(otherwise, scope);
  }

  #cast({ value, taint }: Cell, type: string): Cell {
    if (value === null) return { value, taint };
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
    if (values.includes(null) && !nullSafe.has(name)) return none;
    this.#handle(values);
    const value = scalar(values);
    this.#handle([value]);
    return { value, taint };
  }

  #aggregate({ name, args, isDistinct }: Extract<Expression, { kind: 'call' }>, scope: Scope): Cell {
    if (scope.group === null) throw new SqlFault(`misuse of aggregate: ${name}()`);
    if (args === null) return { value: scope.group.length, taint: 0 };
    const cells = scope.group.map((row) => this.cell(args[0]!, row)).filter(({ value }) => value !== null);
    const values = cells.map(({ value }) => value);
    const separator = args[1] === undefined ? undefined : this.cell(args[1], scope).value;
    this.#handle(values);
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
      all = combined(operator, all, this.#core(select.cores[at + 1]!, outer, []).rows);
    }
    if (!isAlone && select.orderBy.length > 0) {
      const scopes = all.map((row): Scope => ({ bounds: [boundOf('', columns, row)], outer, group: null }));
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
    const results = core.columns.flatMap((column) => this.#spread(column, core.sources));
    let scopes = this.#joined(core.sources, { ...around, results });
    if (where !== null) scopes = scopes.filter((scope) => isTrue(this.cell(where, scope).value));
    const columns = results.map(({ name }) => name);
    const asked = [...results.map(({ expression }) => expression!), ...orderBy.map(({ by }) => by)];
    const isGrouped =
      core.groupBy.length > 0 || core.having !== null || asked.some((each) => aggregateIn(each) !== null);
    if (isGrouped) scopes = this.#grouped(core, scopes, results, { ...around, results });
    let rows = scopes.map((scope) => results.map(({ expression }) => this.cell(expression!, scope)));
    if (orderBy.length > 0) rows = this.#ordered(rows, scopes, columns, orderBy);
    return { columns, rows: core.isDistinct ? withoutRepeats(rows) : rows };
  }

  /** All rows of the sources that fit each other. */
  #joined(sources: readonly Source[], around: Scope): Scope[] {
    let scopes: Scope[] = [around];
    for (const source of sources) {
      const { columns, rows } = this.#rowsOf(source, around.outer);
      scopes = scopes.flatMap((scope) => {
        const fitting = rows.flatMap((bound) => {
          this.#spend(stepsOfJoin);
          const joined: Scope = { ...scope, bounds: [...scope.bounds, bound] };
          return this.#fits(source, scope, bound, joined) ? [joined] : [];
        });
        if (fitting.length > 0 || !source.isLeft) return fitting;
        const missing = boundOf(
          source.alias,
          columns,
          columns.map(() => none),
        );
        return [{ ...scope, bounds: [...scope.bounds, missing] }];
      });
    }
    return scopes;
  }

  #fits({ on, using }: Source, before: Scope, bound: Bound, joined: Scope): boolean {
    const isSame = using.every((column) => {
      const left = before.bounds.map((each) => each.cell(columnKey(column))).find((cell) => cell !== undefined) ?? none;
      const right = bound.cell(columnKey(column)) ?? none;
      return left.value !== null && compareValues(left.value, right.value) === 0;
    });
    return isSame && (on === null || isTrue(this.cell(on, joined).value));
  }

  #rowsOf({ from, alias }: Source, outer: Scope | null): { columns: readonly string[]; rows: readonly Bound[] } {
    const named = typeof from === 'string' ? this.#named.get(columnKey(from)) : undefined;
    if (typeof from === 'string' && named === undefined) {
      const { columns, rows } = this.#with.rowsOf(from);
      return { columns, rows: rows.map((bound) => bound(alias)) };
    }
    const { columns, rows } = named === undefined ? this.select(from as Select, outer) : named();
    return { columns, rows: rows.map((row) => boundOf(alias, columns, row)) };
  }

  /** A result's column, or all those that a star stands for. */
  #spread(column: ResultColumn, sources: readonly Source[]): ResultColumn[] {
    if (column.expression !== null) return [column];
    const wanted = column.table;
    return sources
      .filter(({ alias }) => wanted === null || columnKey(alias) === columnKey(wanted))
      .flatMap((source) =>
        this.#rowsOf(source, null).columns.map((name) => ({
          name,
          table: null,
          expression: { kind: 'column', table: source.alias === '' ? null : source.alias, name, isQuoted: false },
        })),
      );
  }

  #grouped(core: SelectCore, scopes: Scope[], results: readonly ResultColumn[], around: Scope): Scope[] {
    const by = core.groupBy.map((each) => resultOf(each, results)?.expression ?? each);
    const groups = new Map<string, Scope[]>();
    if (by.length === 0) groups.set('', scopes);
    for (const scope of by.length === 0 ? [] : scopes) {
      const key = by.map((each) => keyOf(this.cell(each, scope).value)).join('\0');
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
      .filter((scope) => having === null || isTrue(this.cell(having, scope).value));
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
      return compareValues(this.cell(by, row).value, this.cell(by, best).value) * sign > 0 ? row : best;
    }, undefined);
  }

  #ordered(rows: Cell[][], scopes: readonly Scope[], columns: readonly string[], orderBy: readonly Ordering[]) {
    const results = columns.map((name): ResultColumn => ({ name, table: null, expression: null }));
    const keyed = rows.map((row, at) => ({
      row,
      keys: orderBy.map(({ by }) => {
        const result = resultOf(by, results);
        return result === null ? this.cell(by, scopes[at]!).value : row[results.indexOf(result)]!.value;
      }),
    }));
    keyed.sort((left, right) => {
      for (const [at, { isDescending }] of orderBy.entries()) {
        const order = compareValues(left.keys[at]!, right.keys[at]!);
        if (order !== 0) return isDescending ? -order : order;
      }
      return 0;
    });
    return keyed.map(({ row }) => row);
  }
}

export function boundOf(alias: string, columns: readonly string[], cells: readonly Cell[]): Bound {
  const places = new Map(columns.map((name, at) => [columnKey(name), at]));
  return {
    alias,
    columns,
    cell: (column) => {
      const at = places.get(column);
      return at === undefined ? undefined : cells[at];
    },
  };
}

/** The result's column that a number, or a name that no table stands before, means; null for other expressions. */
function resultOf(expression: Expression, results: readonly ResultColumn[]): ResultColumn | null {
  if (expression.kind === 'literal' && typeof expression.value === 'number')
    return results[expression.value - 1] ?? null;
  if (expression.kind !== 'column' || expression.table !== null) return null;
  const key = columnKey(expression.name);
  return results.find(({ name }) => columnKey(name) === key) ?? null;
}

const rowKey = (row: readonly Cell[]): string => row.map(({ value }) => keyOf(value)).join('\0');

function withoutRepeats(rows: readonly Cell[][]): Cell[][] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const key = rowKey(row);
    return !seen.has(key) && seen.add(key) !== null;
  });
}

function combined(operator: string, left: Cell[][], right: Cell[][]): Cell[][] {
  if (operator === 'union all') return [...left, ...right];
  if (operator === 'union') return withoutRepeats([...left, ...right]);
  const keys = new Set(right.map(rowKey));
  return withoutRepeats(left.filter((row) => keys.has(rowKey(row)) === (operator === 'intersect')));
}
