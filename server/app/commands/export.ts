// `export`: the catalogue as CSV or JSON lines on standard output, also while a server runs.
import { once } from 'node:events';
import { csvRow } from '../../contract/csv.ts';
import { jsonLine } from '../../contract/json-line.ts';
import { namedLikenesses, planSearch } from '../../query/plan.ts';
import { MethodWeights } from '../../services/catalogue/method-weights.ts';
import { SimilarApks } from '../../services/catalogue/similar-apks.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { SearchPageAnswer } from '../../store/search/search-questions.ts';
import { openStore, type Store } from '../../store/store.ts';
import { dataFolder } from '../data-folder.ts';
import { quietLog } from '../log.ts';
import { noteCommand } from '../noted-command.ts';

const pageSize = 500;

const isoTime = (microseconds: number) => new Date(microseconds / 1000).toISOString();

/** Columns of the export by their wire names. */
const columns: Record<string, (apk: ApkRecord) => string | number | boolean | string[] | null> = {
  sha256: (apk) => apk.sha256,
  md5: (apk) => apk.md5,
  sha1: (apk) => apk.sha1,
  app: (apk) => apk.app,
  package_name: (apk) => apk.packageName,
  company: (apk) => apk.company,
  version: (apk) => apk.version,
  size: (apk) => apk.size,
  tags: (apk) => apk.tags,
  rating: (apk) => apk.rating,
  is_trusted: (apk) => apk.isTrusted,
  is_installed: (apk) => apk.isInstalled,
  is_detected: (apk) => apk.isDetected,
  is_corrupted: (apk) => apk.isCorrupted,
  is_static_analyzed: (apk) => apk.isStaticAnalyzed,
  is_dynamic_analyzed: (apk) => apk.isDynamicAnalyzed,
  created_at: (apk) => isoTime(apk.createdAt),
  verdict: (apk) => apk.verdict,
  family: (apk) => apk.family,
  note: (apk) => apk.note,
  risk: (apk) => apk.risk,
  severity: (apk) => apk.severity,
};

const writers = {
  csv: (apk: ApkRecord) =>
    csvRow(
      Object.values(columns).map((read) => {
        const value = read(apk);
        return Array.isArray(value) ? value.join(',') : (value ?? '');
      }),
    ),
  jsonl: (apk: ApkRecord) =>
    jsonLine(Object.fromEntries(Object.entries(columns).map(([name, read]) => [name, read(apk)]))),
};

/** What a search finds, newest first, in pages. @param text as people type it; empty: everything */
export async function* foundApks(store: Store, text: string): AsyncGenerator<ApkRecord[]> {
  // Whoever holds the folder sees what its owner sees, the owner's private rulesets included.
  const [owner] = await store.accounts.owners();
  const alike = await new SimilarApks(store, new MethodWeights(store)).likeEach(namedLikenesses(text));
  const expression = planSearch(text, owner?.id ?? null, { alike }) ?? { kind: 'all' };
  for (let place: number | null = null; ; ) {
    const { ids, hasOlder }: SearchPageAnswer = await store.search.ask('page', {
      ...{ expression, ordering: [], direction: 'older', place, skip: 0, limit: pageSize },
    });
    const apks = await store.apks.findByIds(ids);
    yield ids.flatMap((id) => apks.get(id) ?? []);
    place = ids.at(-1) ?? null;
    if (!hasOlder || place === null) return;
  }
}

/** Writes every APK that the search finds, newest first, page by page. */
export async function exportCatalogue(options: {
  search: string;
  format: keyof typeof writers;
  dataDir?: string;
}): Promise<void> {
  const store = await openStore(dataFolder(options.dataDir), { log: quietLog, exclusive: false });
  try {
    await noteCommand(store, 'export', options.search === '' ? 'the whole catalogue' : options.search.slice(0, 300));
    if (options.format === 'csv') process.stdout.write(csvRow(Object.keys(columns)));
    for await (const apks of foundApks(store, options.search)) {
      for (const apk of apks) {
        if (!process.stdout.write(writers[options.format](apk))) await once(process.stdout, 'drain');
      }
    }
  } finally {
    await store.close();
  }
}
