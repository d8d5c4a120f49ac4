// What can stand next in a search: fields, their values, words, operators. Knows nothing of HTTP.
import type { Completion, Completions } from '../../contract/catalogue/completion.ts';
import { damages } from '../../contract/catalogue/damage.ts';
import { verdicts } from '../../contract/catalogue/verdict.ts';
import type { MarkField } from '../../contract/engine/report-terms.ts';
import { severities } from '../../contract/findings/finding.ts';
import { findingText } from '../../contract/findings/finding-catalogue.ts';
import { riskLevels } from '../../contract/findings/risk.ts';
import { hashFields, offeredField, type SearchFieldKind, searchFields } from '../../query/plan.ts';
import type { KnownValue } from '../../store/repositories/completion-repository.ts';
import type { HashColumn } from '../../store/search/search-expression.ts';
import type { Store } from '../../store/store.ts';
import type { AccountRecord } from '../people/accounts.ts';
import { techniqueName } from '../techniques.ts';
import { meantFields } from './meant-fields.ts';
import { searchWord } from './search-word.ts';

/** All fields, where nothing is typed. */
const most = 80;
const mostValues = 40;
const mostHashes = 10;
/** Fewer begin too many hashes. */
const leastDigits = 3;
const operators = ['AND', 'OR', 'NOT'];
/** What the values of a field are, for people. */
const labels: Record<SearchFieldKind, string> = {
  text: 'part of it',
  hash: 'whole hash, or its beginning with *',
  likeness: 'SHA-256 of an APK that others are like',
  content: '"text" or {hex ?? hex} in any file of an APK: reads them',
  number: 'number, >5, [1 TO 9]',
  date: 'date, >2024-01, [2024 TO 2025]',
  tag: 'tag',
  verdict: 'malicious, suspicious, clean, unknown',
  family: 'family of malware',
  case: 'name of a case that it belongs to',
  judged: 'true, false: whether anybody said a verdict',
  risk: '0 to 100 or low, elevated, high, critical; >=60',
  severity: 'info, low, medium, high, critical of the gravest finding; >=medium',
  mark: 'code, name or id',
  domain: 'domain and those below it, in code or contacted',
  ip: 'address in code or contacted, 10.0.*',
  name: 'name in code, com.example.Main, com.example.*, SmsManager.sendTextMessage',
  signer: "SHA-256 or SHA-1 of the signer's certificate, ab12*, or part of its subject",
  damage: 'unsigned, signature, damaged',
  certificate: "hash of the signer's certificate",
  flag: 'true, false',
  term: 'part of it',
  ruleset: 'name of a ruleset that matches',
  rule: 'name of a rule that matches',
};

type FieldWithOrder = 'size' | 'rating' | 'min_sdk' | 'target_sdk' | 'date';
const newestSdk = 36;
const levels = Array.from({ length: newestSdk }, (_, level) => String(newestSdk - level));

/** Values as somebody may write them. */
function examplesOf(field: FieldWithOrder, now: Date): readonly string[] {
  const day = now.toISOString().slice(0, 10);
  switch (field) {
    case 'size':
      return ['<1000000', '>1000000', '>10000000', '>100000000', '[1000000 TO 5000000]'];
    case 'rating':
      return ['<0', '>0', '<=-3'];
    case 'date':
      return [
        `>=${day}`,
        `>=${day.slice(0, 7)}`,
        day,
        day.slice(0, 7),
        day.slice(0, 4),
        `[${day.slice(0, 4)} TO ${day}]`,
      ];
    default:
      return [...levels, `>=${newestSdk}`, '>=30', '<23'];
  }
}

interface Place {
  field: string | null;
  typed: string;
  from: number;
  to: number;
}

/** What stands at the cursor: a field's value or a word, and where it begins and ends. */
function placeIn(search: string, position: number): Place {
  const before = search.slice(0, position);
  const isInPhrase = before.split('"').length % 2 === 0;
  const start = isInPhrase ? before.lastIndexOf('"') : before.search(/[^\s\0()":]*$/);
  const typed = isInPhrase ? before.slice(start + 1) : before.slice(start);
  const field = /([\p{L}\p{N}_.]+)[\s\0]*:[\s\0]*$/u.exec(before.slice(0, start))?.[1] ?? null;
  // A minus before a word negates it.
  const negation = !isInPhrase && field === null ? /^-*/.exec(typed)![0].length : 0;
  const after = isInPhrase ? /^[^"]*"?/ : /^[^\s\0()":]*/;
  return {
    field,
    typed: typed.slice(negation),
    from: start + negation,
    to: position + after.exec(search.slice(position))![0].length,
  };
}

const oneOf = (words: readonly string[], typed: string): Completion[] =>
  words.filter((text) => text.startsWith(typed.toLowerCase())).map((text) => value(text));

const value = (text: string, count: number | null = null, label = ''): Completion => ({
  text: searchWord(text),
  kind: 'value',
  label,
  count,
});

const meant = (word: string): Completion[] =>
  meantFields(word).map(({ field, value: text, label }) => ({
    text: `${field}:${/[;<>]/.test(text) ? `"${text}"` : text}`,
    kind: 'meant',
    label,
    count: null,
  }));

export class SearchCompletions {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** @param position of the cursor, in UTF-16 units */
  async at(search: string, position: number, account: AccountRecord): Promise<Completions> {
    const place = Math.min(position, search.length);
    const word = /[^\s\0()"]*$/.exec(search.slice(0, place))![0].replace(/^-+/, '');
    const { field, typed, from, to } = placeIn(search, place);
    // An address with colons, or a URL: what looks like its field is none.
    const name = /^[^:]*(?=:)/.exec(word)?.[0];
    if (name !== undefined && offeredField(name) === null)
      return { from: place - word.length, to, completions: meant(word) };
    const completions = field === null ? await this.#words(typed) : await this.#values(field, typed, account);
    return { from, to, completions: completions.slice(0, most) };
  }

  async #words(typed: string): Promise<Completion[]> {
    const text = typed.toLowerCase();
    const fields = Object.entries(searchFields)
      .filter(([name]) => name.startsWith(text))
      .map(([name, kind]) => ({ text: `${name}:`, kind: 'field' as const, label: labels[kind], count: null }));
    const written = typed === '' ? [] : operators.filter((name) => name.startsWith(typed.toUpperCase()));
    const words = text === '' ? [] : await this.#store.search.ask('words', { text, limit: mostValues });
    return [
      ...meant(typed),
      ...fields.slice(0, text === '' ? most : 8),
      ...written.map((name) => ({ text: name, kind: 'operator' as const, label: '', count: null })),
      ...words.map((word) => ({ text: searchWord(word.text), kind: 'word' as const, label: '', count: word.count })),
    ];
  }

  async #marks(field: MarkField, text: string): Promise<Completion[]> {
    const known = await this.#store.search.ask('marks', { field, text, limit: mostValues });
    const labelOf: Record<MarkField, (text: string) => string> = {
      finding: (code) => findingText(code).title,
      technique: techniqueName,
      tracker: () => '',
      library: () => '',
      api: () => '',
      known: () => '',
      list: () => '',
    };
    return known.map((mark) => value(mark.text, mark.count, labelOf[field](mark.text)));
  }

  /** Methods that many apps call, as they are written, before the names of the index, which knows no case. */
  async #names(field: 'class' | 'api', typed: string): Promise<Completion[]> {
    const known = field === 'api' && typed !== '' ? await this.#marks(field, typed) : [];
    const beginning = `${field}:${typed}`;
    const names = await this.#store.search.ask('names', { beginning, limit: mostValues });
    const written = new Set(known.map(({ text }) => text.toLowerCase()));
    const others = names
      .map((name) => name.slice(field.length + 1))
      .filter((name) => name !== '*' && !written.has(name))
      .map((text) => ({
        text: text.endsWith('.') ? `${text}*` : text,
        kind: 'value' as const,
        label: '',
        count: null,
      }));
    return [...known, ...others];
  }

  async #hashes(columns: readonly HashColumn[], typed: string): Promise<Completion[]> {
    if (typed.length < leastDigits || !/^[0-9a-f]+$/i.test(typed)) return [];
    const hash = typed.toLowerCase();
    const { ids } = await this.#store.search.ask('page', {
      ...{ expression: { kind: 'hash', columns, hash }, ordering: [], direction: 'older', place: null },
      ...{ skip: 0, limit: mostHashes },
    });
    const apks = await this.#store.apks.findByIds(ids);
    return [...apks.values()].flatMap((apk) =>
      columns.flatMap((column) => (apk[column].startsWith(hash) ? [value(apk[column], null, apk.app)] : [])),
    );
  }

  async #values(name: string, typed: string, account: AccountRecord): Promise<Completion[]> {
    const field = offeredField(name);
    if (field === null) return [];
    const { completions } = this.#store;
    const shown = async (values: Promise<KnownValue[]>) => (await values).map(({ text, count }) => value(text, count));
    switch (searchFields[field]) {
      case 'flag':
      case 'judged':
        return oneOf(['true', 'false'], typed);
      case 'risk':
        return oneOf(Object.keys(riskLevels), typed);
      case 'severity':
        return oneOf(severities, typed);
      case 'mark':
        return this.#marks(field as MarkField, typed);
      case 'domain':
      case 'ip':
        return shown(completions.terms(field, typed, mostValues));
      case 'signer':
        return [
          ...(await completions.signers(typed, mostValues)).map(({ sha256, company }) => value(sha256, null, company)),
          ...(await shown(completions.terms(field, typed, mostValues))),
        ];
      case 'name':
        return this.#names(field as 'class' | 'api', typed);
      case 'hash':
        return this.#hashes(field === 'hash' ? hashFields : [field as HashColumn], typed);
      case 'likeness':
        return this.#hashes(['sha256'], typed);
      case 'content':
        return [];
      case 'number':
      case 'date':
        return examplesOf(field as FieldWithOrder, new Date()).flatMap((text) =>
          text.startsWith(typed) ? [{ text, kind: 'value' as const, label: '', count: null }] : [],
        );
      case 'tag':
        return shown(completions.tags(typed, mostValues));
      case 'verdict':
        return oneOf(verdicts, typed);
      case 'damage':
        return oneOf(damages, typed);
      case 'family':
        return shown(completions.families(typed, mostValues));
      case 'case':
        return shown(completions.cases(typed, mostValues));
      case 'text':
        if (field === 'version') return shown(completions.versions(typed, mostValues));
        return shown(
          completions.texts(field === 'package' ? 'package_name' : (field as 'app' | 'company'), typed, mostValues),
        );
      case 'term':
        return shown(completions.terms(field, typed, mostValues));
      case 'ruleset':
        return shown(completions.rulesets(typed, account.id, mostValues));
      case 'rule':
        return shown(completions.rules(typed, account.id, mostValues));
      case 'certificate':
        return (await completions.signers(typed, mostValues)).map(({ sha256, company }) =>
          value(sha256, null, company),
        );
    }
  }
}
