import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { damages } from '../../../server/contract/catalogue/damage.ts';
import { verdicts } from '../../../server/contract/catalogue/verdict.ts';
import { severities } from '../../../server/contract/findings/finding.ts';
import { planSearch } from '../../../server/query/plan.ts';
import type { ApkRecord } from '../../../server/store/repositories/apk-repository.ts';
import type { OrderColumn, Ordering, SearchExpression } from '../../../server/store/search/search-expression.ts';
import type { SearchPageQuestion } from '../../../server/store/search/search-questions.ts';
import type { Writes } from '../../../server/store/store.ts';
import { dice } from '../../bench/large-catalogue.ts';
import { openScratch, scratchFolder } from '../store/scratch-store.ts';

const store = await openScratch(scratchFolder());
after(() => store.close());

const { below } = dice(20_261_121);
const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
const words = [
  'Bank',
  'game',
  'Whatsapp',
  'whatsap',
  'über',
  'Straße',
  '微信',
  'a',
  'C#',
  '50%',
  'x_y',
  'ЯНДЕКС',
  'ﬁx',
];
const terms = [
  'android.permission.SEND_SMS',
  'android.permission.INTERNET',
  'com.Evil.Main',
  'http://ÜBER.example/a?b',
];
const marks = ['code-evil', 'code-evil-twin', 'zip-odd'];
const techniques = ['T1636', 'T1636.004', 'T16', 'T1637'];
const domains = ['evil.example', 'c2.evil.example', 'notevil.example', 'x.y'];
const addresses = ['10.0.0.1', '10.0.0.12', '10.0.1.1', 'fe80::1'];
const names = [
  'class:com.evil.Main',
  'class:Main',
  'class:com.evil.',
  'api:a.b.Sms.send',
  'api:Sms.send',
  'api:Sms.sendAll',
];
const tags = ['banker', 'Bank', 'sms'];
const families = ['Joker', 'joker', 'Jokester', 'Über Bot'];
const fields = ['permission', 'activity', 'domain', 'ip'] as const;
const partFields = ['permission', 'activity'] as const;

interface Made {
  apk: ApkRecord;
  terms: [string, string][];
  names: string[];
  isJudged: boolean;
}
const made = new Map<number, Made>();
const hash = (name: string, text: string) => createHash(name).update(text).digest('hex');
const signers = [
  await store.transaction(({ signers }) => signers.ensure({ sha256: hash('sha256', 's1'), sha1: hash('sha1', 's1') })),
  await store.transaction(({ signers }) => signers.ensure({ sha256: hash('sha256', 's2'), sha1: hash('sha1', 's2') })),
];
let number = 0;

async function change(inside: Writes, id: number): Promise<void> {
  const { apks, marks: noted, search, verdicts: said } = inside;
  const some = <T>(list: readonly T[]) => list.filter(() => below(3) === 0);
  const chosen: [string, string][] = [
    ...some(terms).map((text): [string, string] => [pick(partFields), text]),
    ...some(domains).map((text): [string, string] => ['domain', text]),
    ...some(addresses).map((text): [string, string] => ['ip', text]),
  ];
  const findings = some(marks);
  const shown = some(techniques);
  const named = some(names);
  const sdk = { minSdk: below(4) === 0 ? null : 14 + below(6), targetSdk: below(4) === 0 ? null : 20 + below(6) };
  await search.replaceTerms(fields, [
    { apkId: id, terms: chosen.map(([field, text]) => ({ field, text })), sdk, names: named.join(' ') },
  ]);
  // Those of another field stay.
  await noted.replace(id, { finding: findings });
  await noted.replace(id, { technique: shown });
  const marked = [
    ...findings.map((text): [string, string] => ['finding', text]),
    ...shown.map((text): [string, string] => ['technique', text]),
  ];
  for (const tag of tags) await (below(3) === 0 ? apks.addTag(id, tag) : apks.removeTag(id, tag));
  const apk = await apks.update(id, {
    app: [pick(words), pick(words)].slice(below(2)).join(pick([' ', '-', ''])),
    packageName: `com.${pick(words)}.${pick(words)}`,
    company: pick(['', ...words]),
    version: `${below(3)}.${below(3)}`,
    rating: below(7) - 4,
    verdict: pick(verdicts),
    damage: pick([null, ...damages]),
    family: pick(['', ...families]),
    isDetected: below(4) === 0,
    isStaticAnalyzed: below(2) === 0,
    signerId: pick([null, ...signers])?.id ?? null,
  });
  const risk = below(4) === 0 ? null : below(101);
  await apks.setRisk(id, risk, pick([null, ...severities]));
  const isJudged = made.get(id)?.isJudged === true || below(4) === 0;
  if (isJudged) {
    const word = { verdict: apk!.verdict, family: apk!.family, note: '', username: 'ada' };
    await said.insert({ apkId: id, accountId: null, ...word });
    await apks.update(id, {});
  }
  made.set(id, { apk: (await apks.findById(id))!, terms: [...chosen, ...marked], names: named, isJudged });
}

async function add(inside: Writes): Promise<void> {
  number += 1;
  const name = `apk ${number}`;
  const { id } = await inside.apks.insert({
    sha256: hash('sha256', name),
    sha1: hash('sha1', name),
    md5: hash('md5', name),
    size: below(10),
  });
  await change(inside, id);
}

const folded = (text: string) => text.toLowerCase();
const wordsOf = (text: string) => folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];

function edits(a: string, b: string): number {
  const [x, y] = [[...a], [...b]];
  let row = Array.from({ length: y.length + 1 }, (_, index) => index);
  for (let i = 1; i <= x.length; i++) {
    const next = [i];
    for (let j = 1; j <= y.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + Number(x[i - 1] !== y[j - 1])));
    row = next;
  }
  return row[y.length]!;
}

const textsOf = (apk: ApkRecord) =>
  ({ app: apk.app, package_name: apk.packageName, company: apk.company, version: apk.version }) as const;
const numbersOf = (apk: ApkRecord): Record<string, number | null> => ({
  size: apk.size,
  rating: apk.rating,
  min_sdk: apk.minSdk,
  target_sdk: apk.targetSdk,
  created_at: apk.createdAt,
  verdict: verdicts.indexOf(apk.verdict),
  risk: apk.risk,
  severity: apk.severity === null ? null : severities.indexOf(apk.severity),
});

/** What a search means, said as plainly as possible. */
function holds(expression: SearchExpression, one: Made): boolean {
  const { apk, terms: said } = one;
  const flags: Record<string, boolean> = {
    is_detected: apk.isDetected,
    is_trusted: apk.isTrusted,
    is_static_analyzed: apk.isStaticAnalyzed,
  };
  switch (expression.kind) {
    case 'all':
      return true;
    case 'and':
      return expression.parts.every((part) => holds(part, one));
    case 'or':
      return expression.parts.some((part) => holds(part, one));
    case 'not':
      return !holds(expression.part, one);
    case 'flag':
      return flags[expression.column] === expression.value;
    case 'range': {
      const value = numbersOf(apk)[expression.column];
      return value != null && value >= (expression.from ?? -Infinity) && value <= (expression.to ?? Infinity);
    }
    case 'filled':
      return textsOf(apk)[expression.column] !== '';
    case 'text':
      return expression.columns.some((column) => folded(textsOf(apk)[column]).includes(folded(expression.text)));
    case 'prefix':
      return expression.columns.some((column) =>
        wordsOf(textsOf(apk)[column]).some((word) => word.startsWith(folded(expression.text))),
      );
    case 'similar':
      return expression.columns.some((column) =>
        wordsOf(textsOf(apk)[column]).some((word) => edits(word, folded(expression.text)) <= expression.distance),
      );
    case 'hash':
      return expression.columns.some((column) => apk[column].startsWith(expression.hash));
    case 'certificate':
      return signers.some(
        ({ id, sha1, sha256 }) =>
          id === apk.signerId && [sha1, sha256].some((digest) => digest.startsWith(expression.hash)),
      );
    case 'tag':
    case 'family': {
      const name = folded(expression.name);
      const isNamed = (own: string) =>
        own !== '' && (expression.isPrefix ? folded(own).startsWith(name) : folded(own) === name);
      return (expression.kind === 'tag' ? apk.tags : [apk.family]).some(isNamed);
    }
    case 'judged':
      return one.isJudged;
    case 'name':
      return one.names.some((own) => {
        const wanted = expression.names.map(folded);
        return expression.isPrefix ? wanted.some((name) => folded(own).startsWith(name)) : wanted.includes(folded(own));
      });
    case 'mark':
    case 'term':
      return said.some(([field, text]) => {
        const { text: wanted, fit } = expression;
        const fits = {
          part: folded(text).includes(folded(wanted)),
          whole: text === wanted,
          start: text.startsWith(wanted),
          below: text === wanted || text.startsWith(`${wanted}.`),
          domain: text === wanted || text.endsWith(`.${wanted}`),
        };
        return field === expression.field && fits[fit];
      });
    default:
      return false;
  }
}

function term(): string {
  const text = pick(words);
  const part = [...text].slice(below(2), 1 + below(4)).join('') || text;
  const wordlike = text.replace(/[^\p{L}\p{N}]/gu, '') || 'b';
  return pick([
    () => `"${text}"`,
    () => `"${part}"`,
    () => `${wordlike.slice(0, 1 + below(4))}*`,
    () => `${wordlike}~${1 + below(2)}`,
    () => `app:"${part}"`,
    () => `company:"${text}"`,
    () => `version:${below(3)}`,
    () => `${pick(['company', 'app', ...fields])}:*`,
    () => `size:>${below(10)}`,
    () => `size:[${below(5)} TO ${5 + below(5)}]`,
    () => `rating:<${below(5) - 3}`,
    () => `target_sdk:>=${20 + below(6)}`,
    () => `min_sdk:${14 + below(6)}`,
    () => `detected:${pick(['true', 'false'])}`,
    () => `analyzed:${pick(['true', 'false'])}`,
    () => `tag:${pick(tags)}`,
    () => 'tag:ban*',
    () => `verdict:${pick([...verdicts, '*'])}`,
    () => `family:${pick(['joker', 'jok*', '"Über Bot"', '*'])}`,
    () => `cert:${hash('sha1', pick(['s1', 's2', 's3']))}`,
    () => hash('md5', `apk ${below(number + 2)}`),
    () => {
      const name = pick(['md5', 'sha1', 'sha256'] as const);
      return `${pick([name, 'hash'])}:${hash(name, `apk ${below(number + 2)}`).slice(0, 1 + below(40))}*`;
    },
    () => `signer:${hash(pick(['sha1', 'sha256']), pick(['s1', 's2', 's3'])).slice(0, 1 + below(30))}*`,
    () => `finding:${pick(['code-evil', 'CODE-evil*', 'zip*', '*', 'code'])}`,
    () => `technique:${pick(['T1636', 't1636.004', 'T16', 'T16*'])}`,
    () => `domain:${pick(['evil.example', 'c2.evil.example', 'EXAMPLE', 'y', 'evil*', '*', '*.evil.example'])}`,
    () => `ip:${pick(['10.0.0.1', '10.0.0.1*', '10.*', 'fe80::1', '*'])}`,
    () => `class:${pick(['Main', 'com.evil.Main', 'Lcom/evil/Main;', 'com.evil.*', 'Mai*', 'Main$1', 'evil'])}`,
    () => `api:${pick(['a.b.Sms.send', 'Sms.send', 'Sms.send*', '"La/b/Sms;->send(I)V"'])}`,
    () => `risk:${pick(['>=60', 'high', '<=low', '[10 TO 50]', '*'])}`,
    () => `severity:${pick(['high', '>=medium', '<low', '*'])}`,
    () => `judged:${pick(['true', 'false'])}`,
    () => `${pick(fields)}:"${pick(['sms', 'internet', 'evil', 'ÜBER', 'an', 'com.', 'nothing'])}"`,
    () => 'date:>2020',
  ])();
}

function search(depth: number): string {
  if (depth === 0 || below(3) === 0) return term();
  const parts = Array.from({ length: 2 + below(2) }, () => search(depth - 1));
  return pick([
    () => `-(${parts[0]})`,
    () => `(${parts.join(' ')})`,
    () => `(${parts.join(' OR ')})`,
    () => `NOT ${term()}`,
  ])();
}

const columnOf = ({ apk }: Made, column: OrderColumn): number | string | null => {
  const values: Partial<Record<OrderColumn, number | string | null>> = {
    app: apk.app.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
    package_name: apk.packageName,
    company: apk.company.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
    size: apk.size,
    rating: apk.rating,
    created_at: apk.createdAt,
    updated_at: apk.updatedAt,
    target_sdk: apk.targetSdk,
    min_sdk: apk.minSdk,
    is_detected: Number(apk.isDetected),
    risk: apk.risk,
    severity: apk.severity === null ? null : severities.indexOf(apk.severity),
    findings_count: apk.findingsCount,
    family: apk.family === '' ? null : folded(apk.family),
  };
  return values[column] ?? null;
};
const orderColumns = [
  'app',
  'package_name',
  'company',
  'size',
  'rating',
  'updated_at',
  'target_sdk',
  'is_detected',
  'risk',
  'severity',
  'findings_count',
  'family',
] as const;

/** As SQLite compares texts: by their UTF-8 bytes. */
const compareTexts = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

function inOrder(ordering: Ordering, found: Made[]): number[] {
  return found
    .toSorted((a, b) => {
      for (const { column, isDescending } of ordering) {
        const [x, y] = [columnOf(a, column), columnOf(b, column)];
        if (x === y) continue;
        if (x === null || y === null) return x === null ? 1 : -1;
        const order = typeof x === 'string' ? compareTexts(x, y as string) : x - (y as number);
        return isDescending ? -order : order;
      }
      return b.apk.id - a.apk.id;
    })
    .map(({ apk }) => apk.id);
}

async function compare(text: string): Promise<void> {
  const expression = planSearch(text, null) ?? { kind: 'all' as const };
  const ordering: Ordering =
    below(2) === 0
      ? []
      : Array.from({ length: 1 + below(2) }, () => ({ column: pick(orderColumns), isDescending: below(2) === 0 }));
  const wanted = inOrder(
    ordering,
    [...made.values()].filter((one) => holds(expression, one)),
  );
  const label = `${text} by ${JSON.stringify(ordering)}`;
  const page = (question: Partial<SearchPageQuestion>) =>
    store.search.ask('page', { expression, ordering, direction: 'older', place: null, skip: 0, limit: 7, ...question });

  const collected: number[] = [];
  for (let place: number | null = null; ; ) {
    const { ids, hasOlder, hasNewer } = await page({ place });
    assert.equal(hasNewer, place !== null, label);
    collected.push(...ids);
    if (!hasOlder) break;
    place = ids.at(-1)!;
  }
  assert.deepEqual(collected, wanted, label);
  assert.equal(await store.search.ask('count', { expression }), wanted.length, label);
  if (wanted.length === 0) return;
  const skip = below(wanted.length);
  const skipped = await page({ skip });
  assert.deepEqual(skipped.ids, wanted.slice(skip, skip + 7), `${label} from ${skip}`);
  assert.deepEqual([skipped.hasNewer, skipped.hasOlder], [skip > 0, wanted.length > skip + 7], label);
  const place = pick(wanted);
  const at = wanted.indexOf(place);
  const before = await page({ place, direction: 'newer' });
  assert.deepEqual(before.ids, wanted.slice(Math.max(0, at - 7), at), `${label} before ${place}`);
  assert.deepEqual([before.hasNewer, before.hasOlder], [at > 7, true], label);
  const { count, facets } = await store.search.ask('facets', { expression, values: 20, viewerId: null });
  assert.equal(count, wanted.length, label);
  const sum = (name: 'size' | 'date' | 'detected') => facets[name].reduce((total, value) => total + value.count, 0);
  assert.deepEqual([sum('size'), sum('date'), sum('detected')], [count, count, count], label);
  for (const mark of marks) {
    const marked = wanted.filter((id) =>
      made.get(id)!.terms.some(([field, text]) => field === 'finding' && text === mark),
    );
    assert.equal(facets.finding.find(({ key }) => key === mark)?.count ?? 0, marked.length, `${label}, ${mark}`);
  }
  for (const damage of damages) {
    const found = facets.damage.find(({ key }) => key === damage)?.count ?? 0;
    assert.equal(found, wanted.filter((id) => made.get(id)!.apk.damage === damage).length, label);
  }
  const banked = wanted.filter((id) => made.get(id)!.apk.tags.includes('Bank')).length;
  assert.equal(facets.tag.find(({ key }) => key === 'Bank')?.count ?? 0, banked, label);
}

test('generated searches find what they mean, in any order, on every page, while the catalogue changes', async () => {
  for (let round = 0; round < 10; round++) {
    for (let i = 0; i < 12; i++) await store.transaction(add);
    for (let i = 0; i < 4; i++) await store.transaction((inside) => change(inside, pick([...made.keys()])));
    if (round % 3 === 2) {
      const gone = pick([...made.keys()]);
      await store.transaction(({ apks }) => apks.remove(gone));
      made.delete(gone);
    }
    for (let i = 0; i < 24; i++) await compare(search(below(4)));
  }
});

test('the same holds where lists are too long to be looked at whole', async () => {
  await store.transaction(async (inside) => {
    for (let i = 0; i < 700; i++) await add(inside);
  });
  for (let i = 0; i < 60; i++) await compare(search(below(3)));
});

test('in a chosen order a page from the position of an APK that never existed is refused', async () => {
  const question = { expression: { kind: 'all' }, direction: 'older', place: 1_000_000, skip: 0, limit: 1 } as const;
  await assert.rejects(store.search.ask('page', { ...question, ordering: [{ column: 'size', isDescending: true }] }), {
    name: 'UnknownPlaceError',
  });
});

test('pages go on from where an APK stood that is gone, in any order', async () => {
  const question = { expression: { kind: 'all' }, direction: 'older', skip: 0, limit: 7 } as const;
  for (const column of orderColumns) {
    const ordering: Ordering = [{ column, isDescending: below(2) === 0 }];
    const all = inOrder(ordering, [...made.values()]);
    const at = 7 + below(all.length - 20);
    const before = await store.search.ask('page', { ...question, ordering, place: all[at - 7]! });
    assert.deepEqual(before.ids, all.slice(at - 6, at + 1), column);
    await store.transaction(({ apks }) => apks.remove(all[at]!));
    made.delete(all[at]!);
    const { ids } = await store.search.ask('page', { ...question, ordering, place: all[at]! });
    assert.deepEqual(ids, all.slice(at + 1, at + 8), column);
  }
});

test('a question that nobody waits for any more is dropped', async () => {
  const abort = new AbortController();
  const asked = store.search.ask('count', { expression: { kind: 'all' } }, abort.signal);
  abort.abort(new Error('gone'));
  await assert.rejects(asked, { message: 'gone' });
});
