// Reads expressions and selects of SQLite, as far as apps write them. Knows no tables. https://www.sqlite.org/lang_expr.html
import type { Expression, Ordering, ResultColumn, Select, SelectCore, Source } from './syntax.ts';
import { maxColumns } from './tables.ts';
import { reserved, TokenReader } from './token-reader.ts';
import { SqlFault, type Token } from './tokens.ts';

/** Operators in a row, each around those before it; SQLite's own limit. */
const maxLinks = 1_000;
/** Sources of one select, and selects in a row; SQLite's own limits. */
const maxSources = 64;
const maxCores = 500;

/** Operators of two sides, the loosest first. */
const levels: readonly (readonly string[])[] = [
  ['or'],
  ['and'],
  ['=', '==', '<>', '!=', 'is', 'like', 'glob', 'match', 'regexp', 'in', 'between', 'isnull', 'notnull', 'not'],
  ['<', '<=', '>', '>='],
  ['&', '|', '<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
  ['||'],
];
const comparisonLevel = 2;

const literal = (value: string | number | bigint | Uint8Array | null): Expression => ({ kind: 'literal', value });
const not = (operand: Expression): Expression => ({ kind: 'unary', operator: 'not', operand });

export class ExpressionParser extends TokenReader {
  #parameters = 0;
  readonly #named = new Map<string, number>();

  // Selects.

  protected where(): Expression | null {
    return this.take('where') ? this.expression() : null;
  }

  protected select(): Select {
    return this.deeper(() => {
      const cores = [this.#core()];
      const operators: string[] = [];
      while (/^(?:union|intersect|except)$/.test(this.peek())) {
        const word = this.peek();
        this.next++;
        operators.push(word === 'union' && this.take('all') ? 'union all' : word);
        if (cores.length >= maxCores) throw new SqlFault('too many terms in compound SELECT');
        cores.push(this.#core());
      }
      const orderBy = this.take('order', 'by') ? this.list(() => this.#ordering(), maxColumns) : [];
      let limit: Expression | null = null;
      let offset: Expression | null = null;
      if (this.take('limit')) {
        limit = this.expression();
        if (this.take('offset')) offset = this.expression();
        else if (this.take(',')) [offset, limit] = [limit, this.expression()];
      }
      return { cores, operators, orderBy, limit, offset, named: [] };
    });
  }

  #ordering(): Ordering {
    const by = this.expression();
    const isDescending = !this.take('asc') && this.take('desc');
    if (this.take('nulls')) this.next++;
    return { by, isDescending };
  }

  #core(): SelectCore {
    const empty = { isDistinct: false, columns: [], sources: [], where: null, groupBy: [], having: null };
    if (this.take('values')) {
      const values = this.list(() => {
        this.expect('(');
        const row = this.list(() => this.expression());
        this.expect(')');
        return row;
      });
      return { ...empty, values };
    }
    this.expect('select');
    const isDistinct = this.take('distinct');
    if (!isDistinct) this.take('all');
    const columns = this.list(() => this.#resultColumn(), maxColumns);
    const sources = this.take('from') ? this.#sources() : [];
    const where = this.where();
    const groupBy = this.take('group', 'by') ? this.list(() => this.expression(), maxColumns) : [];
    const having = this.take('having') ? this.expression() : null;
    return { isDistinct, columns, sources, where, groupBy, having, values: null };
  }

  #resultColumn(): ResultColumn {
    if (this.take('*')) return { expression: null, table: null, name: '*' };
    if (this.peek(1) === '.' && this.peek(2) === '*') {
      const table = this.name();
      this.next += 2;
      return { expression: null, table, name: '*' };
    }
    const from = this.tokens[this.next]?.at ?? 0;
    const expression = this.expression();
    const text = this.sql.slice(from, this.tokens[this.next]?.at ?? this.sql.length).trim();
    const name = this.alias() ?? (expression.kind === 'column' ? expression.name : text);
    return { expression, table: null, name };
  }

  #sources(): Source[] {
    const sources = [this.#source(false)];
    for (;;) {
      if (sources.length > maxSources) throw new SqlFault(`at most ${maxSources} tables in a join`);
      if (this.take(',')) {
        sources.push(this.#source(false));
        continue;
      }
      const isNatural = this.take('natural');
      const isLeft = this.take('left');
      if (isLeft) this.take('outer');
      else if (!this.take('inner')) this.take('cross');
      if (!this.take('join')) {
        if (isLeft || isNatural) throw this.fault();
        return sources;
      }
      if (isNatural) throw new SqlFault('natural joins are not understood');
      sources.push(this.#source(isLeft));
    }
  }

  #source(isLeft: boolean): Source {
    let from: string | Select;
    if (this.take('(')) {
      from = this.select();
      this.expect(')');
    } else from = this.tableName();
    const alias = this.alias() ?? (typeof from === 'string' ? from : '');
    if (this.take('indexed', 'by')) this.name();
    else this.take('not', 'indexed');
    const on = this.take('on') ? this.expression() : null;
    const using = this.take('using') ? this.names() : [];
    return { from, alias, isLeft, on, using };
  }

  // Expressions.

  protected expression(level = 0): Expression {
    return this.deeper(() => this.#operation(level));
  }

  #operation(level: number): Expression {
    if (level === levels.length) return this.operand();
    if (level === comparisonLevel && this.peek() === 'not' && this.peek(1) !== 'exists') {
      this.next++;
      return not(this.expression(level));
    }
    let left = this.#operation(level + 1);
    for (let links = 1; levels[level]!.includes(this.peek()); links++) {
      if (links > maxLinks) throw new SqlFault('Expression tree is too large');
      if (level === comparisonLevel) {
        left = this.#comparison(left);
        continue;
      }
      const operator = this.peek();
      this.next++;
      left = { kind: 'binary', operator, left, right: this.#operation(level + 1) };
    }
    return left;
  }

  #comparison(left: Expression): Expression {
    const operand = () => this.#operation(comparisonLevel + 1);
    if (this.take('isnull')) return { kind: 'binary', operator: 'is', left, right: literal(null) };
    if (this.take('notnull') || this.take('not', 'null'))
      return not({ kind: 'binary', operator: 'is', left, right: literal(null) });
    if (this.take('is')) {
      const isNot = this.take('not');
      this.take('distinct', 'from');
      const same: Expression = { kind: 'binary', operator: 'is', left, right: operand() };
      return isNot ? not(same) : same;
    }
    const isNot = this.take('not');
    const operator = this.peek();
    this.next++;
    switch (operator) {
      case 'in':
        return { kind: 'in', isNot, operand: left, list: this.#members() };
      case 'between': {
        const from = operand();
        this.expect('and');
        const inside: Expression = {
          kind: 'binary',
          operator: 'and',
          left: { kind: 'binary', operator: '>=', left, right: from },
          right: { kind: 'binary', operator: '<=', left, right: operand() },
        };
        return isNot ? not(inside) : inside;
      }
      case 'like':
      case 'glob':
      case 'match':
      case 'regexp': {
        const right = operand();
        if (this.take('escape')) operand();
        const like: Expression = { kind: 'binary', operator, left, right };
        return isNot ? not(like) : like;
      }
      case '=':
      case '==':
      case '<>':
      case '!=':
        if (!isNot) return { kind: 'binary', operator, left, right: operand() };
    }
    this.next--;
    throw this.fault();
  }

  #members(): readonly Expression[] | Select {
    this.expect('(');
    if (this.take(')')) return [];
    const isSelect = this.peek() === 'select' || this.peek() === 'values';
    const members = isSelect ? this.select() : this.list(() => this.expression());
    this.expect(')');
    return members;
  }

  protected operand(): Expression {
    const token = this.tokens[this.next];
    if (token === undefined) throw this.fault();
    const operand = this.deeper(() => this.#simple(token));
    if (this.take('collate')) this.name();
    return operand;
  }

  #simple(token: Token): Expression {
    switch (token.kind) {
      case 'number':
      case 'blob':
        this.next++;
        return literal(token.value);
      case 'text':
        this.next++;
        return literal(token.text);
      case 'parameter':
        this.next++;
        return { kind: 'parameter', index: this.#parameter(token.text) };
      case 'symbol':
        return this.#bracketed();
      default:
        return token.kind === 'word' ? this.#word() : this.#column();
    }
  }

  #parameter(text: string): number {
    if (text === '?') return this.#parameters++;
    const index = text.startsWith('?')
      ? Math.max(0, Number(text.slice(1)) - 1)
      : (this.#named.get(text) ?? this.#parameters);
    if (!text.startsWith('?')) this.#named.set(text, index);
    this.#parameters = Math.max(this.#parameters, index + 1);
    return index;
  }

  #bracketed(): Expression {
    if (this.take('(')) {
      const isSelect = this.peek() === 'select' || this.peek() === 'values';
      const inner: Expression = isSelect ? { kind: 'select', select: this.select() } : this.expression();
      this.expect(')');
      return inner;
    }
    const operator = this.peek();
    if (operator !== '-' && operator !== '+' && operator !== '~') throw this.fault();
    this.next++;
    return { kind: 'unary', operator, operand: this.operand() };
  }

  #word(): Expression {
    if (this.take('null')) return literal(null);
    if (this.take('case')) return this.#case();
    if (this.take('cast')) {
      this.expect('(');
      const operand = this.expression();
      this.expect('as');
      const type = this.name();
      this.constraint();
      this.expect(')');
      return { kind: 'cast', operand, type };
    }
    const isNot = this.take('not');
    if (this.take('exists')) {
      this.expect('(');
      const found: Expression = { kind: 'exists', select: this.select() };
      this.expect(')');
      return isNot ? not(found) : found;
    }
    if (isNot) return not(this.operand());
    if (this.peek(1) === '(') return this.#call();
    return this.#column();
  }

  #case(): Expression {
    const operand = this.peek() === 'when' ? null : this.expression();
    const branches: (readonly [Expression, Expression])[] = [];
    while (this.take('when')) {
      const when = this.expression();
      this.expect('then');
      branches.push([when, this.expression()]);
    }
    const otherwise = this.take('else') ? this.expression() : null;
    this.expect('end');
    return { kind: 'case', operand, branches, otherwise };
  }

  #call(): Expression {
    const name = this.name().toLowerCase();
    this.expect('(');
    if (this.take('*')) {
      this.expect(')');
      return { kind: 'call', name, args: null, isDistinct: false };
    }
    const isDistinct = this.take('distinct');
    const args = this.peek() === ')' ? [] : this.list(() => this.expression());
    this.expect(')');
    return { kind: 'call', name, args, isDistinct };
  }

  #column(): Expression {
    const token = this.tokens[this.next]!;
    if (token.kind === 'word' && reserved.has(token.text.toLowerCase())) throw this.fault();
    const isQuoted = token.kind === 'quoted' && this.sql[token.at] === '"';
    const names = [this.name()];
    while (this.take('.')) names.push(this.name());
    return { kind: 'column', table: names.at(-2) ?? null, name: names.at(-1)!, isQuoted };
  }
}
