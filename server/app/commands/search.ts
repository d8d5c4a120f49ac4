// `search`: APKs of a data folder that a search finds, with the places of contents that it names, also while a server runs.
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type { ContentPlace } from '../../contract/engine/content-search.ts';
import { jsonLine } from '../../contract/json-line.ts';
import { createJobQueue } from '../../jobs/job-queue.ts';
import { createWorkerPool } from '../../jobs/worker-pool.ts';
import type { ContentRun } from '../../services/analyses/content-searches/content-run.ts';
import type { ContentHit } from '../../services/analyses/content-searches/content-searches.ts';
import { Isolation } from '../../services/analyses/isolation.ts';
import { createServices, type Services } from '../../services/services.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { AccountRecord } from '../../store/repositories/people/account-repository.ts';
import { openStore } from '../../store/store.ts';
import { dataFolder } from '../data-folder.ts';
import { quietLog } from '../log.ts';
import { measuredWall } from '../measured-wall.ts';
import { noteCommand } from '../noted-command.ts';
import { ProgressLine } from '../progress-line.ts';
import { terminalText } from '../terminal-text.ts';
import { foundApks } from './export.ts';

/** Milliseconds between two looks at what was found. */
const interval = 100;
const pageSize = 200;

type Write = (text: string) => Promise<void>;

/**
 * Writes what a search finds, as it is found: words on a terminal, else one JSON object per APK and line.
 * @returns the process's exit status: 1 where an APK could not be read
 * @throws SearchFailure; Error where there is no account yet
 */
export async function searchCatalogue(
  search: string,
  { dataDir, json }: { dataDir?: string; json?: boolean },
): Promise<number> {
  const store = await openStore(dataFolder(dataDir), { log: quietLog, exclusive: false });
  const workers = availableParallelism();
  const wall = await measuredWall(false);
  const folders = { readableFolders: [store.files.folder], concurrency: workers };
  const pool = createWorkerPool({ ...folders, isBackground: false, wall });
  const isTerminal = process.stdout.isTTY && json !== true;
  const write: Write = async (text) => {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  };
  try {
    const [owner] = await store.accounts.owners();
    if (owner === undefined) throw new Error('There is no account yet: start the workstation, or run `token create`.');
    const parts = { store, queue: createJobQueue(store), pool, isolation: new Isolation(store, wall, quietLog) };
    const services = await createServices({ ...parts, workers, log: quietLog });
    // The server alone keeps families up to date.
    await services.familyUpkeep.close();
    await noteCommand(store, 'search', search.slice(0, 300));
    services.catalogue.checkSearch(search);
    const isByContent = services.contentSearches.namesContent(search);
    if (isByContent) return await writeHits(services, owner, search, isTerminal ? shownHit : hitLine, write);
    const shown = isTerminal ? (apk: ApkRecord) => `${shownApk(apk)}\n` : (apk: ApkRecord) => jsonLine(told(apk));
    for await (const apks of foundApks(store, search)) for (const apk of apks) await write(shown(apk));
    return 0;
  } finally {
    await pool.close();
    await store.close();
  }
}

async function writeHits(
  { contentSearches }: Services,
  owner: AccountRecord,
  search: string,
  shown: (run: ContentRun, hit: ContentHit) => string,
  write: Write,
): Promise<number> {
  const run = await contentSearches.begin(owner, search);
  const progress = new ProgressLine(1);
  for (let written = 0, isLast = false; !isLast; ) {
    await Promise.race([run.ended, setTimeout(interval)]);
    isLast = run.status !== 'running';
    const { readCount, candidatesCount, found } = run;
    progress.clear();
    while (written < found.length) {
      const { items } = await contentSearches.hits(run, { olderThan: written, limit: pageSize });
      for (const hit of items) await write(shown(run, hit));
      written = Math.min(found.length, written + pageSize);
    }
    progress.show(
      readCount / Math.max(1, candidatesCount),
      `${readCount} of ${candidatesCount} APKs, ${found.length} found`,
    );
  }
  progress.clear();
  if (run.error !== null) throw new Error(run.error);
  return run.failedCount > 0 ? 1 : 0;
}

const told = ({ sha256, app, packageName }: ApkRecord) => ({ sha256, app, package_name: packageName });

const hitLine = (run: ContentRun, { apk, found }: ContentHit): string => {
  const contents = found?.map((one, index) => ({ content: run.shownContents[index], ...one })) ?? null;
  return jsonLine({ ...told(apk), contents });
};

const shownApk = ({ sha256, app, packageName }: ApkRecord): string =>
  `${sha256}  ${terminalText(packageName)}  ${terminalText(app)}`;

function shownHit(run: ContentRun, { apk, found }: ContentHit): string {
  const lines = found?.flatMap(({ count, places }, index) => {
    const more =
      count > places.length ? [`  ${count - places.length} more of ${terminalText(run.shownContents[index]!)}`] : [];
    return [...places.map(shownPlace), ...more];
  });
  return `${[shownApk(apk), ...(lines ?? [])].join('\n')}\n`;
}

const shownPlace = ({ file, offset, before, found, after }: ContentPlace): string => {
  const [left, middle, right] = [before, found, after].map((hex) =>
    Buffer.from(hex, 'hex')
      .toString('latin1')
      .replace(/[^ -~]/g, '.'),
  );
  return `  ${file === '' ? 'the APK itself' : terminalText(file)} 0x${offset.toString(16)}  ${left}[${middle}]${right}`;
};
