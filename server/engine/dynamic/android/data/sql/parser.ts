// Reads statements of SQLite, as far as apps write them. Knows no tables. https://www.sqlite.org/lang.html
import { ExpressionParser } from './expression-parser.ts';
import type { Assignment, ColumnDefinition, ConflictRule, Expression, Select, Statement } from './syntax.ts';

export class SqlParser extends ExpressionParser {
  /** All statements of a text that are divided by semicolons. @throws SqlFault */
  statements(): Statement[] {
    const all: Statement[] = [];
    while (this.next < this.tokens.length) {
      if (this.take(';')) continue;
      all.push(this.#statement());
      if (this.next < this.tokens.length) this.expect(';');
    }
    return all;
  }

  /** A condition without a statement around it; null for an empty text. @throws SqlFault */
  condition(): Expression | null {
    if (this.tokens.length === 0) return null;
    const expression = this.expression();
    if (this.next < this.tokens.length) throw this.fault();
    return expression;
  }

  #statement(): Statement {
    switch (this.peek()) {
      case 'select':
      case 'values':
        return { kind: 'select', select: this.select() };
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
    const isTrigger = this.peek() === 'trigger';
    const words =
      'begin commit end rollback savepoint release reindex analyze vacuum attach detach explain index trigger';
    if (!words.split(' ').includes(this.peek())) throw this.fault();
    for (; this.next < this.tokens.length; this.next++) {
      if (this.peek() === ';' && (!isTrigger || this.peek(-1) === 'end')) break;
    }
    return { kind: 'nothing' };
  }

  #withNamed(): Statement {
    this.expect('with');
    this.take('recursive');
    const named = this.list((): Select['named'][number] => {
      const name = this.name();
      const columns = this.peek() === '(' ? this.names() : [];
      this.expect('as');
      this.expect('(');
      const select = this.select();
      this.expect(')');
      return [name, select, columns];
    });
    return { kind: 'select', select: { ...this.select(), named } };
  }

  #insert(): Statement {
    let rule: ConflictRule = this.peek() === 'replace' ? 'replace' : 'abort';
    this.next++;
    if (this.take('or')) {
      const word = this.name().toLowerCase();
      rule = word === 'replace' || word === 'ignore' ? word : 'abort';
    }
    this.expect('into');
    const table = this.tableName();
    this.alias();
    const columns = this.peek() === '(' ? this.names() : [];
    const rows = this.take('default', 'values') ? null : this.select();
    let update: Assignment[] | null = null;
    let updateWhere: Expression | null = null;
    while (this.take('on', 'conflict')) {
      if (this.peek() === '(') this.skipBrackets();
      if (this.take('where')) this.expression();
      this.expect('do');
      if (this.take('nothing')) rule = 'ignore';
      else {
        this.expect('update');
        this.expect('set');
        update = this.#assignments();
        updateWhere = this.where();
      }
    }
    return { kind: 'insert', table, columns, rows, rule, update, updateWhere };
  }

  #assignments(): Assignment[] {
    return this.list((): Assignment => {
      const column = this.name();
      this.expect('=');
      return [column, this.expression()];
    });
  }

  #update(): Statement {
    this.expect('update');
    if (this.take('or')) this.next++;
    const table = this.tableName();
    this.alias();
    this.expect('set');
    return { kind: 'update', table, assignments: this.#assignments(), where: this.where() };
  }

  #delete(): Statement {
    this.expect('delete');
    this.expect('from');
    const table = this.tableName();
    this.alias();
    return { kind: 'delete', table, where: this.where() };
  }

  #create(): Statement {
    this.expect('create');
    const isUnique = this.take('unique');
    const isTemporary = this.take('temp') || this.take('temporary');
    if (this.peek() === 'trigger' || (this.peek() === 'index' && !isUnique)) return this.#nothing();
    if (this.take('index')) {
      this.take('if', 'not', 'exists');
      this.tableName();
      this.expect('on');
      return { kind: 'create-key', table: this.tableName(), columns: this.names() };
    }
    const isVirtual = this.take('virtual');
    const isView = this.take('view');
    if (!isView) this.expect('table');
    const isIfMissing = this.take('if', 'not', 'exists');
    const table = this.tableName();
    if (isView) {
      this.expect('as');
      return { kind: 'create-view', view: table, select: this.select() };
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
    if (this.take('as')) return { ...empty, select: this.select(), sql: this.sql };
    if (isVirtual) {
      this.expect('using');
      this.name();
    }
    const definition = this.#tableDefinition();
    while (this.next < this.tokens.length && this.peek() !== ';') this.next++;
    return { ...empty, ...definition, select: null, sql: this.sql };
  }

  #tableDefinition() {
    const columns: ColumnDefinition[] = [];
    const keys: string[][] = [];
    let primaryKey: string[] = [];
    this.expect('(');
    do {
      if (this.take('constraint')) this.name();
      if (this.take('primary', 'key')) {
        primaryKey = this.names();
        keys.push(primaryKey);
      } else if (this.take('unique')) keys.push(this.names());
      else if (/^(?:check|foreign)$/.test(this.peek()) && !this.#isColumnName()) this.constraint();
      else {
        const column = this.#columnDefinition();
        columns.push(column.definition);
        if (column.isPrimary) primaryKey = [column.definition.name];
        if (column.isPrimary || column.isUnique) keys.push([column.definition.name]);
      }
      this.constraint();
    } while (this.take(','));
    this.expect(')');
    return { columns, keys, primaryKey };
  }

  /** A word of the grammar that is a column's name after all. */
  #isColumnName(): boolean {
    return this.tokens[this.next + 1]?.kind === 'word' && this.peek(1) !== 'key';
  }

  #columnDefinition() {
    const name = this.name();
    const type: string[] = [];
    const isType = () =>
      this.tokens[this.next]?.kind === 'word' &&
      !/^(?:primary|not|null|unique|default|check|collate|references|constraint|generated|as)$/.test(this.peek());
    while (isType()) type.push(this.name());
    if (type.length > 0 && this.peek() === '(') this.skipBrackets();
    let fallback: Expression | null = null;
    let isPrimary = false;
    let isUnique = false;
    let isNotNull = false;
    for (;;) {
      if (this.take('primary', 'key')) isPrimary = true;
      else if (this.take('unique')) isUnique = true;
      else if (this.take('not', 'null')) isNotNull = true;
      else if (this.take('default')) fallback = this.operand();
      else if (this.peek() === '(') this.skipBrackets();
      else if (this.next >= this.tokens.length || this.peek() === ',' || this.peek() === ')') break;
      else this.next++;
    }
    return { definition: { name, type: type.join(' '), fallback, isNotNull }, isPrimary, isUnique };
  }

  #drop(): Statement {
    this.expect('drop');
    const kind = this.name().toLowerCase();
    this.take('if', 'exists');
    const name = this.tableName();
    return kind === 'table' || kind === 'view' ? { kind: 'drop', name } : { kind: 'nothing' };
  }

  #alter(): Statement {
    this.expect('alter');
    this.expect('table');
    const table = this.tableName();
    if (this.take('rename', 'to')) return { kind: 'rename', table, to: this.name() };
    this.expect('add');
    this.take('column');
    return { kind: 'add-column', table, column: this.#columnDefinition().definition };
  }

  #pragma(): Statement {
    this.expect('pragma');
    const name = this.tableName().toLowerCase();
    let argument: string | null = null;
    if (this.take('=') || this.take('(')) {
      this.take('-');
      argument = this.tokens[this.next++]?.text ?? null;
      this.take(')');
    }
    return { kind: 'pragma', name, argument };
  }
}
