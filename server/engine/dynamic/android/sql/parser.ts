// Reads statements of SQLite, as far as apps write them. Knows no tables. https://www.sqlite.org/lang.html
import type {
  Assignment,
  ColumnDefinition,
  ConflictRule,
  Expression,
  Ordering,
  ResultColumn,
  Select,
  SelectCore,
  Source,
  Statement,
} from './syntax.ts';
import { SqlFault, type Token, tokensOf } from './tokens.ts';

/** Expressions and selects within each other. */
const maxDepth = 100;

/** Words that end an expression or a name and so are no alias. */
const reserved = new Set(
  'all and as asc between by case check collate constraint cross default desc distinct do else end escape except exists foreign from full glob group having if in indexed inner insert intersect into is isnull join left like limit match natural not notnull null offset on or order outer primary references regexp replace right select set table then union unique update using values when where'.split(
    ' ',
  ),
);

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
const notLevel = comparisonLevel;

const literal = (value: string | number | bigint | Uint8Array | null): Expression => ({ kind: 'literal', value });
const not = (operand: Expression): Expression => ({ kind: 'unary', operator: 'not', operand });

export class SqlParser {
  readonly #sql: string;
  readonly #tokens: readonly Token[];
  #next = 0;
  #parameters = 0;
  readonly #named = new Map<string, number>();
  #depth = 0;

  constructor(sql: string) {
    this.#sql = sql;
    this.#tokens = tokensOf(sql);
  }

  /** All statements of a text that are divided by semicolons. @throws SqlFault */
  statements(): Statement[] {
    const all: Statement[] = [];
    while (this.#next < this.#tokens.length) {
      if (this.#take(';')) continue;
      all.push(this.#statement());
      if (this.#next < this.#tokens.length) this.#expect(';');
    }
    return all;
  }

  /** A condition that stands alone; null where there is none. @throws SqlFault */
  condition(): Expression | null {
    if (this.#tokens.length === 0) return null;
    const expression = this.#expression();
    if (this.#next < this.#tokens.length) throw this.#fault();
    return expression;
  }

  #fault(): SqlFault {
    return new SqlFault(`near "${this.#tokens[this.#next]?.text ?? ''}": syntax error`);
  }

  #peek(offset = 0): string {
    const token = this.#tokens[this.#next + offset];
    if (token === undefined || (token.kind !== 'word' && token.kind !== 'symbol')) return '';
    return token.text.toLowerCase();
  }

  #take(...words: string[]): boolean {
    if (!words.every((word, index) => this.#peek(index) === word)) return false;
    this.#next += words.length;
    return true;
  }

  #expect(word: string): void {
    if (!this.#take(word)) throw this.#fault();
  }

  #name(): string {
    const token = this.#tokens[this.#next];
    if (token === undefined || (token.kind !== 'word' && token.kind !== 'quoted' && token.kind !== 'text'))
      throw this.#fault();
    this.#next++;
    return token.text;
  }

  /** The name of a table, without that of its database. */
  #tableName(): string {
    const name = this.#name();
    return this.#take('.') ? this.#name() : name;
  }

  #alias(): string | null {
    if (this.#take('as')) return this.#name();
    const token = this.#tokens[this.#next];
    if (token?.kind === 'quoted' || (token?.kind === 'word' && !reserved.has(token.text.toLowerCase())))
      return this.#name();
    return null;
  }

  #list<Item>(item: () => Item): Item[] {
    const items = [item()];
    while (this.#take(',')) items.push(item());
    return items;
  }

  #names(): string[] {
    this.#expect('(');
    const names = this.#list(() => {
      const name = this.#name();
      if (this.#take('collate')) this.#name();
      if (!this.#take('asc')) this.#take('desc');
      return name;
    });
    this.#expect(')');
    return names;
  }

  /** Passes over what is in brackets, which begin here. */
  #skipBrackets(): void {
    this.#expect('(');
    for (let depth = 1; depth > 0; this.#next++) {
      if (this.#next >= this.#tokens.length) throw this.#fault();
      if (this.#peek() === '(') depth++;
      else if (this.#peek() === ')') depth--;
    }
  }

  #deeper<Result>(read: () => Result): Result {
    if (this.#depth >= maxDepth) throw new SqlFault('Expression tree is too large');
    this.#depth++;
    const result = read();
    this.#depth--;
    return result;
  }

  // Statements.

  #statement(): Statement {
    switch (this.#peek()) {
      case 'select':
      case 'values':
        return { kind: 'select', select: this.#select() };
      case 'with':
        return this.#withNamed();
      case 'insert':
      case 'replace':
        return this.#insert();
      case 'update':
        return this.#update();
      case 'delete':
        return this.#delete();
      case 'create':
        return this.#create();
      case 'drop':
        return this.#drop();
      case 'alter':
        return this.#alter();
      case 'pragma':
        return this.#pragma();
      default:
        return this.#nothing();
    }
  }

  /** Passes over a statement, and over those within a trigger. */
  #nothing(): Statement {
    const isTrigger = this.#peek() === 'trigger';
    const words =
      'begin commit end rollback savepoint release reindex analyze vacuum attach detach explain index trigger';
    if (!words.split(' ').includes(this.#peek())) throw this.#fault();
    for (; this.#next < this.#tokens.length; this.#next++) {
      if (this.#peek() === ';' && (!isTrigger || this.#peek(-1) === 'end')) break;
    }
    return { kind: 'nothing' };
  }

  #withNamed(): Statement {
    this.#expect('with');
    this.#take('recursive');
    const named = this.#list((): Select['named'][number] => {
      const name = this.#name();
      const columns = this.#peek() === '(' ? this.#names() : [];
      this.#expect('as');
      this.#expect('(');
      const select = this.#select();
      this.#expect(')');
      return [name, select, columns];
    });
    return { kind: 'select', select: { ...this.#select(), named } };
  }

  #insert(): Statement {
    let rule: ConflictRule = this.#peek() === 'replace' ? 'replace' : 'abort';
    this.#next++;
    if (this.#take('or')) {
      const word = this.#name().toLowerCase();
      rule = word === 'replace' || word === 'ignore' ? word : 'abort';
    }
    this.#expect('into');
    const table = this.#tableName();
    this.#alias();
    const columns = this.#peek() === '(' ? this.#names() : [];
    const rows = this.#take('default', 'values') ? null : this.#select();
    let update: Assignment[] | null = null;
    let updateWhere: Expression | null = null;
    while (this.#take('on', 'conflict')) {
      if (this.#peek() === '(') this.#skipBrackets();
      if (this.#take('where')) this.#expression();
      this.#expect('do');
      if (this.#take('nothing')) rule = 'ignore';
      else {
        this.#expect('update');
        this.#expect('set');
        update = this.#assignments();
        updateWhere = this.#where();
      }
    }
    return { kind: 'insert', table, columns, rows, rule, update, updateWhere };
  }

  #where(): Expression | null {
    return this.#take('where') ? this.#expression() : null;
  }

  #assignments(): Assignment[] {
    return this.#list((): Assignment => {
      const column = this.#name();
      this.#expect('=');
      return [column, this.#expression()];
    });
  }

  #update(): Statement {
    this.#expect('update');
    if (this.#take('or')) this.#next++;
    const table = this.#tableName();
    this.#alias();
    this.#expect('set');
    return { kind: 'update', table, assignments: this.#assignments(), where: this.#where() };
  }

  #delete(): Statement {
    this.#expect('delete');
    this.#expect('from');
    const table = this.#tableName();
    this.#alias();
    return { kind: 'delete', table, where: this.#where() };
  }

  #create(): Statement {
    this.#expect('create');
    const isUnique = this.#take('unique');
    const isTemporary = this.#take('temp') || this.#take('temporary');
    if (this.#peek() === 'trigger' || (this.#peek() === 'index' && !isUnique)) return this.#nothing();
    if (this.#take('index')) {
      this.#take('if', 'not', 'exists');
      this.#tableName();
      this.#expect('on');
      return { kind: 'create-key', table: this.#tableName(), columns: this.#names() };
    }
    const isVirtual = this.#take('virtual');
    const isView = this.#take('view');
    if (!isView) this.#expect('table');
    const isIfMissing = this.#take('if', 'not', 'exists');
    const table = this.#tableName();
    if (isView) {
      this.#expect('as');
      return { kind: 'create-view', view: table, select: this.#select() };
    }
    const empty = {
      kind: 'create-table',
      table,
      columns: [],
      keys: [],
      primaryKey: [],
      isIfMissing,
      isTemporary,
    } as const;
    if (this.#take('as')) return { ...empty, select: this.#select(), sql: this.#sql };
    if (isVirtual) {
      this.#expect('using');
      this.#name();
    }
    const definition = this.#tableDefinition();
    while (this.#next < this.#tokens.length && this.#peek() !== ';') this.#next++;
    return { ...empty, ...definition, select: null, sql: this.#sql };
  }

  #tableDefinition() {
    const columns: ColumnDefinition[] = [];
    const keys: string[][] = [];
    let primaryKey: string[] = [];
    this.#expect('(');
    do {
      if (this.#take('constraint')) this.#name();
      if (this.#take('primary', 'key')) {
        primaryKey = this.#names();
        keys.push(primaryKey);
      } else if (this.#take('unique')) keys.push(this.#names());
      else if (/^(?:check|foreign)$/.test(this.#peek()) && !this.#isColumnName()) this.#constraint();
      else {
        const column = this.#columnDefinition();
        columns.push(column.definition);
        if (column.isPrimary) primaryKey = [column.definition.name];
        if (column.isPrimary || column.isUnique) keys.push([column.definition.name]);
      }
      this.#constraint();
    } while (this.#take(','));
    this.#expect(')');
    return { columns, keys, primaryKey };
  }

  /** A word of the grammar that is a column's name after all. */
  #isColumnName(): boolean {
    return this.#tokens[this.#next + 1]?.kind === 'word' && this.#peek(1) !== 'key';
  }

  /** Passes over what is left of a column or a table's constraint. */
  #constraint(): void {
    while (this.#next < this.#tokens.length && this.#peek() !== ',' && this.#peek() !== ')') {
      if (this.#peek() === '(') this.#skipBrackets();
      else this.#next++;
    }
  }

  #columnDefinition() {
    const name = this.#name();
    const type: string[] = [];
    const isType = () =>
      this.#tokens[this.#next]?.kind === 'word' &&
      !/^(?:primary|not|null|unique|default|check|collate|references|constraint|generated|as)$/.test(this.#peek());
    while (isType()) type.push(this.#name());
    if (type.length > 0 && this.#peek() === '(') this.#skipBrackets();
    let fallback: Expression | null = null;
    let isPrimary = false;
    let isUnique = false;
    let isNotNull = false;
    for (;;) {
      if (this.#take('primary', 'key')) isPrimary = true;
      else if (this.#take('unique')) isUnique = true;
      else if (this.#take('not', 'null')) isNotNull = true;
      else if (this.#take('default')) fallback = this.#operand();
      else if (this.#peek() === '(') this.#skipBrackets();
      else if (this.#next >= this.#tokens.length || this.#peek() === ',' || this.#peek() === ')') break;
      else this.#next++;
    }
    return { definition: { name, type: type.join(' '), fallback, isNotNull }, isPrimary, isUnique };
  }

  #drop(): Statement {
    this.#expect('drop');
    const kind = this.#name().toLowerCase();
    this.#take('if', 'exists');
    const name = this.#tableName();
    return kind === 'table' || kind === 'view' ? { kind: 'drop', name } : { kind: 'nothing' };
  }

  #alter(): Statement {
    this.#expect('alter');
    this.#expect('table');
    const table = this.#tableName();
    if (this.#take('rename', 'to')) return { kind: 'rename', table, to: this.#name() };
    this.#expect('add');
    this.#take('column');
    return { kind: 'add-column', table, column: this.#columnDefinition().definition };
  }

  #pragma(): Statement {
    this.#expect('pragma');
    const name = this.#tableName().toLowerCase();
    let argument: string | null = null;
    if (this.#take('=') || this.#take('(')) {
      this.#take('-');
      argument = this.#tokens[this.#next++]?.text ?? null;
      this.#take(')');
    }
    return { kind: 'pragma', name, argument };
  }

  // Selects.

  #select(): Select {
    return this.#deeper(() => {
      const cores = [this.#core()];
      const operators: string[] = [];
      while (/^(?:union|intersect|except)$/.test(this.#peek())) {
        const word = this.#peek();
        this.#next++;
        operators.push(word === 'union' && this.#take('all') ? 'union all' : word);
        cores.push(this.#core());
      }
      const orderBy = this.#take('order', 'by') ? this.#list(() => this.#ordering()) : [];
      let limit: Expression | null = null;
      let offset: Expression | null = null;
      if (this.#take('limit')) {
        limit = this.#expression();
        if (this.#take('offset')) offset = this.#expression();
        else if (this.#take(',')) [offset, limit] = [limit, this.#expression()];
      }
      return { cores, operators, orderBy, limit, offset, named: [] };
    });
  }

  #ordering(): Ordering {
    const by = this.#expression();
    const isDescending = !this.#take('asc') && this.#take('desc');
    if (this.#take('nulls')) this.#next++;
    return { by, isDescending };
  }

  #core(): SelectCore {
    const empty = { isDistinct: false, columns: [], sources: [], where: null, groupBy: [], having: null };
    if (this.#take('values')) {
      const values = this.#list(() => {
        this.#expect('(');
        const row = this.#list(() => this.#expression());
        this.#expect(')');
        return row;
      });
      return { ...empty, values };
    }
    this.#expect('select');
    const isDistinct = this.#take('distinct');
    if (!isDistinct) this.#take('all');
    const columns = this.#list(() => this.#resultColumn());
    const sources = this.#take('from') ? this.#sources() : [];
    const where = this.#where();
    const groupBy = this.#take('group', 'by') ? this.#list(() => this.#expression()) : [];
    const having = this.#take('having') ? this.#expression() : null;
    return { isDistinct, columns, sources, where, groupBy, having, values: null };
  }

  #resultColumn(): ResultColumn {
    if (this.#take('*')) return { expression: null, table: null, name: '*' };
    if (this.#peek(1) === '.' && this.#peek(2) === '*') {
      const table = this.#name();
      this.#next += 2;
      return { expression: null, table, name: '*' };
    }
    const from = this.#tokens[this.#next]?.at ?? 0;
    const expression = this.#expression();
    const text = this.#sql.slice(from, this.#tokens[this.#next]?.at ?? this.#sql.length).trim();
    const name = this.#alias() ?? (expression.kind === 'column' ? expression.name : text);
    return { expression, table: null, name };
  }

  #sources(): Source[] {
    const sources = [this.#source(false)];
    for (;;) {
      if (this.#take(',')) {
        sources.push(this.#source(false));
        continue;
      }
      const isNatural = this.#take('natural');
      const isLeft = this.#take('left');
      if (isLeft) this.#take('outer');
      else if (!this.#take('inner')) this.#take('cross');
      if (!this.#take('join')) {
        if (isLeft || isNatural) throw this.#fault();
        return sources;
      }
      if (isNatural) throw new SqlFault('natural joins are not understood');
      sources.push(this.#source(isLeft));
    }
  }

  #source(isLeft: boolean): Source {
    let from: string | Select;
    if (this.#take('(')) {
      from = this.#select();
      this.#expect(')');
    } else from = this.#tableName();
    const alias = this.#alias() ?? (typeof from === 'string' ? from : '');
    if (this.#take('indexed', 'by')) this.#name();
    else this.#take('not', 'indexed');
    const on = this.#take('on') ? this.#expression() : null;
    const using = this.#take('using') ? this.#names() : [];
    return { from, alias, isLeft, on, using };
  }

  // Expressions.

  #expression(level = 0): Expression {
    return this.#deeper(() => this.#operation(level));
  }

  #operation(level: number): Expression {
    if (level === levels.length) return this.#operand();
    if (level === notLevel && this.#peek() === 'not' && this.#peek(1) !== 'exists') {
      this.#next++;
      return not(this.#expression(level));
    }
    let left = this.#operation(level + 1);
    while (levels[level]!.includes(this.#peek())) {
      if (level === comparisonLevel) {
        left = this.#comparison(left);
        continue;
      }
      const operator = this.#peek();
      this.#next++;
      left = { kind: 'binary', operator, left, right: this.#operation(level + 1) };
    }
    return left;
  }

  #comparison(left: Expression): Expression {
    const operand = () => this.#operation(comparisonLevel + 1);
    if (this.#take('isnull')) return { kind: 'binary', operator: 'is', left, right: literal(null) };
    if (this.#take('notnull') || this.#take('not', 'null'))
      return not({ kind: 'binary', operator: 'is', left, right: literal(null) });
    if (this.#take('is')) {
      const isNot = this.#take('not');
      this.#take('distinct', 'from');
      const same: Expression = { kind: 'binary', operator: 'is', left, right: operand() };
      return isNot ? not(same) : same;
    }
    const isNot = this.#take('not');
    const operator = this.#peek();
    this.#next++;
    switch (operator) {
      case 'in':
        return { kind: 'in', isNot, operand: left, list: this.#members() };
      case 'between': {
        const from = operand();
        this.#expect('and');
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
        if (this.#take('escape')) operand();
        const like: Expression = { kind: 'binary', operator, left, right };
        return isNot ? not(like) : like;
      }
      case '=':
      case '==':
      case '<>':
      case '!=':
        if (!isNot) return { kind: 'binary', operator, left, right: operand() };
    }
    this.#next--;
    throw this.#fault();
  }

  #members(): readonly Expression[] | Select {
    this.#expect('(');
    if (this.#take(')')) return [];
    const isSelect = this.#peek() === 'select' || this.#peek() === 'values';
    const members = isSelect ? this.#select() : this.#list(() => this.#expression());
    this.#expect(')');
    return members;
  }

  #operand(): Expression {
    const token = this.#tokens[this.#next];
    if (token === undefined) throw this.#fault();
    const operand = this.#deeper(() => this.#simple(token));
    if (this.#take('collate')) this.#name();
    return operand;
  }

  #simple(token: Token): Expression {
    switch (token.kind) {
      case 'number':
      case 'blob':
        this.#next++;
        return literal(token.value);
      case 'text':
        this.#next++;
        return literal(token.text);
      case 'parameter':
        this.#next++;
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
    if (this.#take('(')) {
      const isSelect = this.#peek() === 'select' || this.#peek() === 'values';
      const inner: Expression = isSelect ? { kind: 'select', select: this.#select() } : this.#expression();
      this.#expect(')');
      return inner;
    }
    const operator = this.#peek();
    if (operator !== '-' && operator !== '+' && operator !== '~') throw this.#fault();
    this.#next++;
    return { kind: 'unary', operator, operand: this.#operand() };
  }

  #word(): Expression {
    if (this.#take('null')) return literal(null);
    if (this.#take('case')) return this.#case();
    if (this.#take('cast')) {
      this.#expect('(');
      const operand = this.#expression();
      this.#expect('as');
      const type = this.#name();
      this.#constraint();
      this.#expect(')');
      return { kind: 'cast', operand, type };
    }
    const isNot = this.#take('not');
    if (this.#take('exists')) {
      this.#expect('(');
      const found: Expression = { kind: 'exists', select: this.#select() };
      this.#expect(')');
      return isNot ? not(found) : found;
    }
    if (isNot) return not(this.#operand());
    if (this.#peek(1) === '(') return this.#call();
    return this.#column();
  }

  #case(): Expression {
    const operand = this.#peek() === 'when' ? null : this.#expression();
    const branches: (readonly [Expression, Expression])[] = [];
    while (this.#take('when')) {
      const when = this.#expression();
      this.#expect('then');
      branches.push([when, this.#expression()]);
    }
    const otherwise = this.#take('else') ? this.#expression() : null;
    this.#expect('end');
    return { kind: 'case', operand, branches, otherwise };
  }

  #call(): Expression {
    const name = this.#name().toLowerCase();
    this.#expect('(');
    if (this.#take('*')) {
      this.#expect(')');
      return { kind: 'call', name, args: null, isDistinct: false };
    }
    const isDistinct = this.#take('distinct');
    const args = this.#peek() === ')' ? [] : this.#list(() => this.#expression());
    this.#expect(')');
    return { kind: 'call', name, args, isDistinct };
  }

  #column(): Expression {
    const token = this.#tokens[this.#next]!;
    if (token.kind === 'word' && reserved.has(token.text.toLowerCase())) throw this.#fault();
    const isQuoted = token.kind === 'quoted' && this.#sql[token.at] === '"';
    const names = [this.#name()];
    while (this.#take('.')) names.push(this.#name());
    return { kind: 'column', table: names.at(-2) ?? null, name: names.at(-1)!, isQuoted };
  }
}
