// How a search is answered: tree of syntax to a selection of APKs. Knows the fields; runs only look-ups in the index.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ApkSelection, SearchIndexRepository, TextStream } from '../store/search-index-repository.ts';
import { similarWords } from './similar-words.ts';
import { parseSearch, SearchError, type SearchTree, type SearchValue } from './syntax.ts';
import { type Bounds, boundsOf, readDate, readNumber, readSwitch } from './values.ts';

type Condition = RawBuilder<SqlBool>;
type TextColumn = 'app' | 'package_name' | 'company' | 'version';

interface Plan {
  /** Holds for exactly the rows that are meant. */
  condition: Condition;
  ids: number[] | null;
  stream: TextStream | null;
  /** What is left to check of rows from `ids` or `stream`; null: nothing. */
  rest: Condition | null;
  opposite?: Plan;
}

const textColumns: Record<string, TextColumn> = {
  app: 'app',
  appname: 'app',
  package: 'package_name',
  package_name: 'package_name',
  company: 'company',
  developer: 'company',
  version: 'version',
  displayed_version: 'version',
};
const hashFields = ['md5', 'sha1', 'sha256'] as const;
const hashColumns = { 32: 'md5', 40: 'sha1', 64: 'sha256' } as const;
const flagColumns: Record<string, string> = {
  detected: 'is_detected',
  trusted: 'is_trusted',
  corrupted: 'is_corrupted',
  installed: 'is_installed',
  on_devices: 'is_installed',
  analyzed: 'is_static_analyzed',
  static_analyzed: 'is_static_analyzed',
  dynamic_analyzed: 'is_dynamic_analyzed',
};
const dateFields = new Set(['date', 'created_on', 'created_at']);
/** Fields of reports by their names in searches. */
const termFields: Record<string, string> = {
  url: 'url',
  urls: 'url',
  permission: 'permission',
  activity: 'activity',
  service: 'service',
  receiver: 'receiver',
  provider: 'provider',
  filter: 'filter',
  'network.hosts': 'network.hosts',
  'network.http': 'network.http',
  'network.dns': 'network.dns',
  'network.domains': 'network.domains',
};

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const always = sql<SqlBool>`1 = 1`;
const never = sql<SqlBool>`1 = 0`;
const nothing: Plan = { condition: never, ids: [], stream: null, rest: null };
const everything: Plan = { condition: always, ids: null, stream: null, rest: null };
const all = (conditions: Condition[]): Condition => sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
const any = (conditions: Condition[]): Condition => sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
const not = (condition: Condition): Condition => sql<SqlBool>`not ${condition}`;
const likePattern = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
const streamCondition = ({ index, match }: TextStream): Condition =>
  sql<SqlBool>`exists (select 1 from ${sql.table(index)} where rowid = apks.id and ${sql.ref(index)} match ${match})`;

class Planner {
  readonly #index: SearchIndexRepository;
  readonly #viewerId: number | null;

  constructor(index: SearchIndexRepository, viewerId: number | null) {
    this.#index = index;
    this.#viewerId = viewerId;
  }

  async plan(tree: SearchTree): Promise<Plan> {
    switch (tree.kind) {
      case 'and':
        return this.#every(await this.#plans(tree.parts));
      case 'or':
        return this.#some(await this.#plans(tree.parts));
      case 'not': {
        const opposite = await this.plan(tree.part);
        return { condition: not(opposite.condition), ids: null, stream: null, rest: null, opposite };
      }
      case 'match':
        return tree.field === null ? this.#bare(tree.value) : this.#field(tree.field, tree.at, tree.value);
    }
  }

  async #plans(parts: SearchTree[]): Promise<Plan[]> {
    const plans: Plan[] = [];
    for (const part of parts) plans.push(await this.plan(part));
    return plans;
  }

  async #every(plans: Plan[]): Promise<Plan> {
    const condition = all(plans.map((plan) => plan.condition));
    const listed = plans.filter((plan) => plan.ids !== null);
    if (listed.length > 0) {
      const [first, ...others] = listed.map(({ ids }) => new Set(ids!)) as [Set<number>, ...Set<number>[]];
      const ids = [...first].filter((id) => others.every((other) => other.has(id)));
      const left = plans.flatMap((plan) => (plan.ids === null ? [plan.condition] : (plan.rest ?? [])));
      return { condition, ids, stream: null, rest: left.length > 0 ? all(left) : null };
    }
    const isText = (plan: Plan | undefined): plan is Plan => plan?.stream?.index === 'apk_text' && plan.rest === null;
    const texts = plans.filter(isText);
    if (texts.length > 0) {
      const without = plans.filter((plan) => isText(plan.opposite));
      const wanted = texts.map(({ stream }) => `(${stream!.match})`).join(' AND ');
      const match = without.reduce((left, plan) => `(${left}) NOT (${plan.opposite!.stream!.match})`, wanted);
      const left = plans.filter((plan) => !texts.includes(plan) && !without.includes(plan));
      const stream: TextStream = { index: 'apk_text', match };
      const ids = plans.length > 1 ? await this.#idsOf(stream) : null;
      return { condition, ids, stream, rest: left.length > 0 ? all(left.map((plan) => plan.condition)) : null };
    }
    const streaming = plans.find((plan) => plan.stream !== null);
    const left = plans.flatMap((plan) => (plan === streaming ? (plan.rest ?? []) : [plan.condition]));
    return { condition, ids: null, stream: streaming?.stream ?? null, rest: left.length > 0 ? all(left) : null };
  }

  #some(plans: Plan[]): Plan {
    const condition = any(plans.map((plan) => plan.condition));
    if (plans.every((plan) => plan.ids !== null)) {
      const ids = [...new Set(plans.flatMap((plan) => plan.ids!))];
      return { condition, ids, stream: null, rest: plans.some((plan) => plan.rest !== null) ? condition : null };
    }
    const index = plans[0]!.stream?.index;
    if (index !== undefined && plans.every((plan) => plan.stream?.index === index && plan.rest === null)) {
      const match = plans.map(({ stream }) => `(${stream!.match})`).join(' OR ');
      return { condition, ids: null, stream: { index, match }, rest: null };
    }
    return { condition, ids: null, stream: null, rest: null };
  }

  #idsOf({ index, match }: TextStream): Promise<number[] | null> {
    const table = sql.ref(index);
    return this.#index.fewIds(sql`select rowid as id from ${table} where ${table} match ${match} order by rowid desc`);
  }

  async #streamed(stream: TextStream, condition = streamCondition(stream)): Promise<Plan> {
    return { condition, ids: await this.#idsOf(stream), stream, rest: null };
  }

  async #listed(source: RawBuilder<unknown>, condition: Condition): Promise<Plan> {
    return { condition, ids: await this.#index.fewIds(source), stream: null, rest: null };
  }

  async #bare(value: SearchValue): Promise<Plan> {
    if (value.kind !== 'text') throw new SearchError('A comparison needs a field before it.', value.position);
    if (value.text === '*' && !value.isPhrase) return everything;
    const text = await this.#text(['app', 'package_name', 'company'], value);
    const column = hashColumns[value.text.length as keyof typeof hashColumns];
    if (column === undefined || !/^[0-9a-f]+$/i.test(value.text)) return text;
    return this.#some([await this.#hash([column], value.text), text]);
  }

  async #field(name: string, at: number, value: SearchValue): Promise<Plan> {
    const field = name.toLowerCase();
    const plain = field.startsWith('is_') ? field.slice(3) : field;
    const flag = flagColumns[plain];
    if (flag !== undefined) {
      const isTrue = Number(readSwitch(value));
      const condition = sql<SqlBool>`${sql.ref(`apks.${flag}`)} = ${isTrue}`;
      return this.#listed(sql`select id from apks where ${condition}`, condition);
    }
    if (plain === 'apk') return readSwitch(value) ? everything : nothing;
    if (field === 'size' || field === 'rating') return this.#range(field, boundsOf(value, readNumber));
    if (dateFields.has(field)) return this.#dates(boundsOf(value, readDate));
    if (value.kind !== 'text') throw new SearchError(`The field "${name}" has no order to compare by.`, value.position);
    const column = textColumns[field];
    if (column !== undefined) return this.#text([column], value);
    if (value.distance > 0) throw new SearchError(`The field "${name}" is not searched fuzzily.`, value.position);
    const { text } = value;
    if (field === 'hash') return this.#hash(hashFields, text);
    const hash = hashFields.find((known) => known === field);
    if (hash !== undefined) return this.#hash([hash], text);
    if (field === 'cert' || field === 'certificate') return this.#certificate(text);
    if (field === 'tag' || field === 'tags') return this.#tag(text, value.isPrefix);
    if (field === 'ruleset' || field === 'rule') return this.#ruleset(field, text);
    const term = termFields[field];
    if (term !== undefined) return this.#term(term, text);
    throw new SearchError(`There is no field "${name}".`, at);
  }

  async #text(columns: TextColumn[], value: Extract<SearchValue, { kind: 'text' }>): Promise<Plan> {
    const { text } = value;
    const inColumns = (match: string) => `{${columns.join(' ')}} : (${match})`;
    if (value.isPrefix && /^[\p{L}\p{N}]+$/u.test(text))
      return this.#streamed({ index: 'apk_words', match: inColumns(`${quoted(text)} *`) });
    if (value.distance > 0) {
      const words = await similarWords(text, value.distance, this.#index);
      if (words === null) throw new SearchError('A fuzzy word is made of letters and digits alone.', value.position);
      if (words.length === 0) return nothing;
      return this.#streamed({ index: 'apk_words', match: inColumns(words.map(quoted).join(' OR ')) });
    }
    const length = [...text].length;
    // LIKE folds ASCII alone, as fast as a row is read; the index folds all letters.
    const like = any(
      columns.map((column) => sql<SqlBool>`${sql.ref(`apks.${column}`)} like ${likePattern(text)} escape '\\'`),
    );
    if (length < 3) return { condition: like, ids: null, stream: null, rest: null };
    const stream: TextStream = { index: 'apk_text', match: inColumns(quoted(text)) };
    const isAscii = /^[\x20-\x7e]+$/.test(text);
    return this.#streamed(stream, isAscii ? like : streamCondition(stream));
  }

  async #hash(columns: readonly ('md5' | 'sha1' | 'sha256')[], text: string): Promise<Plan> {
    if (!/^([0-9a-f]{2})+$/i.test(text)) return nothing;
    const bytes = Buffer.from(text, 'hex');
    const condition = any(columns.map((column) => sql<SqlBool>`${sql.ref(`apks.${column}`)} = ${bytes}`));
    return this.#listed(sql`select id from apks where ${condition}`, condition);
  }

  async #range(column: 'size' | 'rating', { from, to }: Bounds): Promise<Plan> {
    const bounds: Condition[] = [];
    if (from !== null) bounds.push(sql<SqlBool>`${sql.ref(`apks.${column}`)} >= ${from}`);
    if (to !== null) bounds.push(sql<SqlBool>`${sql.ref(`apks.${column}`)} <= ${to}`);
    if (bounds.length === 0) return everything;
    return this.#listed(sql`select id from apks where ${all(bounds)}`, all(bounds));
  }

  /** Times of creation rise with the ids, so that dates are a range of ids. */
  async #dates({ from, to }: Bounds): Promise<Plan> {
    const bounds: Condition[] = [];
    if (from !== null)
      bounds.push(
        sql<SqlBool>`apks.id >= (select id from apks where created_at >= ${from} order by created_at limit 1)`,
      );
    if (to !== null)
      bounds.push(
        sql<SqlBool>`apks.id <= (select id from apks where created_at <= ${to} order by created_at desc limit 1)`,
      );
    return bounds.length === 0 ? everything : { ...everything, condition: sql<SqlBool>`coalesce(${all(bounds)}, 0)` };
  }

  async #certificate(text: string): Promise<Plan> {
    const digits = text.replaceAll(':', '');
    if (!/^([0-9a-f]{40}|[0-9a-f]{64})$/i.test(digits)) return nothing;
    const column = sql.ref(digits.length === 40 ? 'sha1' : 'sha256');
    const signers = sql`(select id from signers where ${column} = ${Buffer.from(digits, 'hex')})`;
    return this.#listed(
      sql`select id from apks where signer_id in ${signers}`,
      sql<SqlBool>`coalesce(apks.signer_id in ${signers}, 0)`,
    );
  }

  async #tag(text: string, isPrefix: boolean): Promise<Plan> {
    const name = text.toLowerCase();
    const wanted = isPrefix
      ? sql<SqlBool>`name >= ${name} and name < ${`${name}\u{10ffff}`}`
      : sql<SqlBool>`name = ${name}`;
    return this.#listed(
      sql`select apk_id as id from apk_tags where ${wanted}`,
      sql<SqlBool>`exists (select 1 from apk_tags where apk_id = apks.id and ${wanted})`,
    );
  }

  async #ruleset(field: 'ruleset' | 'rule', text: string): Promise<Plan> {
    const visible = sql<SqlBool>`(r.is_public = 1 or r.author_id is ${this.#viewerId})`;
    const named =
      field === 'ruleset'
        ? sql<SqlBool>`r.folded_name = ${text.toLowerCase()}`
        : sql<SqlBool>`exists (select 1 from match_rules n where n.match_id = m.id and n.name = ${text})`;
    const matches = sql`from matches m join rulesets r on r.id = m.ruleset_id where ${visible} and ${named}`;
    return this.#listed(
      sql`select distinct m.apk_id as id ${matches}`,
      sql<SqlBool>`exists (select 1 ${matches} and m.apk_id = apks.id)`,
    );
  }

  async #term(field: string, text: string): Promise<Plan> {
    const terms = await this.#index.termIds(field, text);
    if (terms === null) {
      return {
        ...everything,
        condition: sql<SqlBool>`exists (select 1 from apk_terms t join search_terms s on s.id = t.term_id
          where t.apk_id = apks.id and s.field = ${field} and s.text like ${likePattern(text)} escape '\\')`,
      };
    }
    if (terms.length === 0) return nothing;
    const list = sql`(select value from json_each(${JSON.stringify(terms)}))`;
    return this.#listed(
      sql`select distinct apk_id as id from apk_terms where term_id in ${list}`,
      sql<SqlBool>`exists (select 1 from apk_terms where apk_id = apks.id and term_id in ${list})`,
    );
  }
}

function selectionOf({ condition, ids, stream, rest, opposite }: Plan): ApkSelection {
  if (ids !== null) return { ids, stream: null, condition: rest };
  if (stream !== null) return { ids: null, stream, condition: rest };
  const selection = { ids: null, stream: null, condition };
  return opposite === undefined ? selection : { ...selection, oppositeOf: selectionOf(opposite) };
}

/**
 * Works out which APKs a search wants.
 * @param viewerId account whose private rulesets may be named; null: nobody's
 * @returns undefined where the search is empty: all of them
 * @throws SearchError with the position of what is wrong
 */
export async function planSearch(
  text: string,
  index: SearchIndexRepository,
  viewerId: number | null,
): Promise<ApkSelection | undefined> {
  const tree = parseSearch(text);
  return tree === null ? undefined : selectionOf(await new Planner(index, viewerId).plan(tree));
}
