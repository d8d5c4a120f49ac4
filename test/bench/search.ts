// `npm run bench -- search`: searches and imports at a million APKs, straight on the store, as Markdown tables.
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { planSearch } from '../../server/query/plan.ts';
import type { SearchExpression } from '../../server/store/search/search-expression.ts';
import type { SearchPageQuestion } from '../../server/store/search/search-questions.ts';
import { openStore, type Store } from '../../server/store/store.ts';
import { dice, largeCatalogue, madeApp } from './large-catalogue.ts';
import { median } from './measured-process.ts';

const catalogueSize = 1_000_000;
const { below, popular } = dice(7);
const print = (line = '') => process.stdout.write(`${line}\n`);
const row = (...cells: (string | number)[]) => print(`| ${cells.join(' | ')} |`);
const head = (...cells: string[]) => {
  row(...cells);
  row(...cells.map(() => '---'));
};
const figure = (value: number) => value.toFixed(value < 10 ? 1 : 0);

const app = () => madeApp(below(catalogueSize / 8));
const common = ['game', 'free', 'photo', 'chat', 'music', 'bank', 'video', 'camera', 'wallet', 'com', 'org', 'inc'];
const vendor = () => app().packageName.split('.')[1]!;
const term = (field: string) => app().terms.find(([name]) => name === field)?.[1] ?? 'nothing';
const letters = 'abcdefghijklmnopqrstuvwxyz';
const letter = () => letters[below(26)]!;
const number = below;
const day = () => `20${24 + below(2)}-${String(1 + below(12)).padStart(2, '0')}`;
const flag = () => ['detected', 'trusted', 'corrupted', 'analyzed', 'dynamic_analyzed'][below(5)]!;
const tag = () => ['banker', 'spyware', 'rat', `campaign-${popular(3000)}`, 'packed'][below(5)]!;
const hash = (name: string) =>
  createHash(name)
    .update(`apk ${1 + below(catalogueSize)}`)
    .digest('hex');
const part = (text: string) => text.slice(0, 3 + below(3));
const rare = () =>
  [
    () => `${['url', 'activity', 'service', 'receiver'][below(4)]}:${part(vendor())}`,
    () => `${['app', 'package', 'company'][below(3)]}:${part(vendor())}`,
    () => `version:${1 + popular(12)}.${popular(30)}`,
    () => `tag:campaign-${popular(3000)}`,
    () => 'corrupted:true',
  ][below(5)]!();

/** Made anew for every question, so that hardly one is answered out of what the last one left. */
const classes: [string, () => string][] = [
  ['word with very many hits', () => common[below(common.length)]!],
  ['word with few hits', vendor],
  ['word with none', () => `${vendor()}q${letter()}x`],
  ['part of a word', () => part(vendor())],
  ['one or two letters', () => letter() + (below(3) === 0 ? '' : letter())],
  ['phrase', () => `"${app().app.toLowerCase()}"`],
  ['prefix', () => `${vendor().slice(0, 1 + below(5))}*`],
  ['fuzzy, 1 edit', () => `${vendor().replace(/.(?=.$)/, letter())}~1`],
  ['fuzzy, 2 edits', () => `${vendor().replace(/.(?=.$)/, letter())}~2`],
  ['field of text', () => `${['app', 'package', 'company'][below(3)]}:${part(vendor())}`],
  ['version', () => `version:${1 + popular(12)}.${popular(30)}`],
  ['range of sizes', () => `size:[${number(50_000_000)} TO ${60_000_000 + number(60_000_000)}]`],
  ['range of days', () => `date:[${day()} TO 2026]`],
  ['mark', () => `${flag()}:${below(2) === 0}`],
  ['hash', () => hash(['md5', 'sha1', 'sha256'][below(3)]!)],
  ['beginning of a hash', () => `sha256:${hash('sha256').slice(0, 3 + below(9))}*`],
  ['tag', () => `tag:${tag()}`],
  ['signer', () => `cert:${createHash('sha1').update(`signer ${app().signer}`).digest('hex')}`],
  ['permission', () => `permission:${term('permission').split('.').at(-1)!}`],
  ['URL', () => `url:${part(vendor())}`],
  ['activity', () => `activity:${below(2) === 0 ? vendor() : 'main'}`],
  ['finding', () => `finding:finding-${popular(250)}`],
  ['class', () => `class:com.ka.app${below(catalogueSize)}*`],
  ['called method', () => `api:android.Api${popular(4000)}.call`],
  ['risk and finding', () => `risk:high finding:finding-${popular(250)}`],
  ['negation', () => `-${below(2) === 0 ? common[below(common.length)] : `${flag()}:true`}`],
  ['two words', () => `${common[below(common.length)]} ${below(2) === 0 ? vendor() : common[below(common.length)]}`],
  ['one of two words', () => `${vendor()} OR ${common[below(common.length)]}`],
  ['word without another', () => `${common[below(common.length)]} -${common[below(common.length)]}`],
  ['word and mark', () => `${common[below(common.length)]} ${flag()}:true`],
  [
    'four conditions',
    () => `${common[below(common.length)]} detected:true size:>${number(40_000_000)} tag:${['rat', 'sms'][below(2)]}`,
  ],
  ['two rare conditions', () => `${rare()} ${rare()}`],
];

/** Each asked once, of what nearly every report says many times over. */
const broadest = [
  'permission:android',
  'filter:intent',
  'service:com',
  'url:http',
  'activity:com',
  'activity:activity',
];

interface Times {
  first: number[];
  far: number[];
  count: number[];
  middle: number[];
  ordered: number[];
}

/** CPU milliseconds of all threads: on a machine of its own a question takes as long, or less where threads share it. */
async function timed<T>(times: number[], work: () => Promise<T>): Promise<T> {
  const start = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(start);
  times.push((user + system) / 1000);
  return result;
}

function spread(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.ceil(sorted.length * part) - 1]!;
  return `${figure(median(sorted))} / ${figure(at(0.95))} / ${figure(sorted.at(-1)!)}`;
}

async function measureClass(store: Store, make: () => string, questions: number): Promise<Times> {
  const times: Times = { first: [], far: [], count: [], middle: [], ordered: [] };
  for (let i = 0; i < questions; i++) {
    const expression: SearchExpression = planSearch(make(), null) ?? { kind: 'all' };
    const page = async (question: Partial<SearchPageQuestion>) => {
      const standard = { expression, ordering: [], direction: 'older', place: null, skip: 0, limit: 50 } as const;
      const { ids } = await store.search.ask('page', { ...standard, ...question });
      return [...(await store.apks.findByIds(ids)).values()];
    };
    // A far page that nobody came to by the pages before it: nothing of the search is known yet.
    if (i % 2 === 0) await timed(times.far, () => page({ place: 1 + below(catalogueSize / 2) }));
    else await timed(times.first, () => page({}));
    const count = await timed(times.count, () => store.search.ask('count', { expression }));
    await timed(times.middle, () => page({ place: 1 + below(catalogueSize / 2) }));
    await timed(times.middle, () => page({ skip: Math.floor(count / 2) }));
    await timed(times.ordered, () => page({ ordering: [{ column: 'size', isDescending: true }], skip: below(count) }));
  }
  return times;
}

async function measureBroadest(store: Store): Promise<void> {
  const figures: string[] = [];
  for (const search of broadest) {
    const times: number[] = [];
    const expression = planSearch(search, null)!;
    const count = await timed(times, () => store.search.ask('count', { expression }));
    figures.push(`\`${search}\` (${count.toLocaleString('en')} APKs) ${figure(times[0]!)} ms`);
  }
  print(`\nFirst counts of the broadest conditions on reports: ${figures.join(', ')}.`);
}

async function measureImport(store: Store): Promise<void> {
  const batch = 500;
  const rounds = 20;
  const fields = ['url', 'permission', 'activity', 'service', 'receiver', 'provider', 'filter'];
  const times: number[] = [];
  let elapsed = 0;
  for (let round = 0; round < rounds; round++) {
    const arriving = Array.from({ length: batch }, (_, at) => {
      const digest = (kind: string) => createHash(kind).update(`new ${round} ${at}`).digest('hex');
      // Most are versions of apps that are there already, as in the catalogue itself.
      const made = madeApp(popular(catalogueSize / 8) * 31 + below(31));
      return { made, hashes: { sha256: digest('sha256'), sha1: digest('sha1'), md5: digest('md5') } };
    });
    const start = performance.now();
    await timed(times, () =>
      store.transaction(async (inside) => {
        const apks = await inside.apks.insertAll(
          arriving.map(({ made: { app, packageName, company, signer }, hashes }) => ({
            ...{ ...hashes, size: below(50_000_000), app, packageName, company },
            ...{ version: `${below(9)}.${below(9)}`, signerId: signer, isStaticAnalyzed: true },
          })),
        );
        await inside.search.replaceTerms(
          fields,
          arriving.map(({ made: { terms, minSdk } }, at) => ({
            apkId: apks[at]!.id,
            terms: terms.map(([field, text]) => ({ field, text })),
            sdk: { minSdk, targetSdk: 30 },
          })),
        );
      }),
    );
    elapsed += performance.now() - start;
  }
  const spent = times.reduce((sum, time) => sum + time, 0);
  const rate = (milliseconds: number) => ((batch * rounds * 1000) / milliseconds).toFixed(0);
  print(`\nImport in batches of ${batch} with all indexes and some 20 terms of reports each: ${rate(spent)} APKs per`);
  print(`CPU second (${rate(elapsed)}/s by the clock); a batch takes ${spread(times)} CPU ms.`);
}

/** @param questions of each class; half of them begin with a far page: enough for a 95th percentile that is no maximum */
export async function searches(questions = 100): Promise<void> {
  print('\n### Searches at 1,000,000 APKs: CPU milliseconds, median / 95th percentile / most\n');
  const folder = mkdtempSync(join(tmpdir(), 'apk-workstation-bench-search-'));
  try {
    cpSync(await largeCatalogue(catalogueSize), folder, { recursive: true });
    const store = await openStore(folder, { log: { info: () => undefined, warn: () => undefined } });
    try {
      const warming: number[] = [];
      await timed(warming, () => store.search.ask('warm', {}));
      const ordering = [{ column: 'size', isDescending: true }] as const;
      const all = { kind: 'all' } as const;
      const any = { expression: all, direction: 'older', place: null, skip: 0, limit: 50 } as const;
      await timed(warming, () => store.search.ask('page', { ...any, ordering }));
      await timed(warming, () =>
        store.search.ask('page', { ...any, ordering: [{ column: 'app', isDescending: false }] }),
      );
      await timed(warming, () => store.search.ask('facets', { expression: all, values: 20, viewerId: null }));
      head('search', 'first page', 'far page, cold', 'count', 'middle and far pages after it', 'any page by size');
      const total: Times = { first: [], far: [], count: [], middle: [], ordered: [] };
      for (const [name, make] of classes) {
        const times = await measureClass(store, make, questions);
        row(name, ...[times.first, times.far, times.count, times.middle, times.ordered].map(spread));
        for (const key of Object.keys(total) as (keyof Times)[]) total[key].push(...times[key]);
      }
      row('**all**', ...[total.first, total.far, total.count, total.middle, total.ordered].map(spread));
      const [start, bySize, byName, facets] = warming.map((time) => time.toFixed(0));
      print(
        `\nReading columns, words and fields at the start ${start} ms; the first order by size ${bySize} ms, by name ${byName} ms;`,
      );
      print(`facets of all APKs ${facets} ms.`);
      await measureBroadest(store);
      await measureImport(store);
    } finally {
      await store.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
