// `rules`: packages of rulesets of a data folder, also while a server runs.
import { basename, resolve } from 'node:path';
import type { FileReference } from '../../contract/engine/analysis-results.ts';
import type { PackageChange } from '../../contract/rules/rule-package.ts';
import { createJobQueue } from '../../jobs/job-queue.ts';
import { createWorkerPool } from '../../jobs/worker-pool.ts';
import { Isolation } from '../../services/analyses/isolation.ts';
import { Failure } from '../../services/failure.ts';
import type { PackagePreview, PackageWish } from '../../services/rules/rule-package-import.ts';
import type { RulePackageRecord, RulePackages } from '../../services/rules/rule-packages.ts';
import { createServices } from '../../services/services.ts';
import type { AccountRecord } from '../../store/repositories/people/account-repository.ts';
import { openStore, type Store } from '../../store/store.ts';
import { callersFolder, dataFolder } from '../data-folder.ts';
import { quietLog } from '../log.ts';
import { measuredWall } from '../measured-wall.ts';
import { noteCommand } from '../noted-command.ts';
import { ProgressLine } from '../progress-line.ts';
import { terminalText } from '../terminal-text.ts';

interface Place {
  dataDir?: string;
}

export interface RulesImport extends Place {
  name?: string;
  version?: string;
  licence?: string;
  source?: string;
  disabled?: boolean;
  public?: boolean;
}

/** A package, with what its last import changed by the paths of files. */
export interface PackageLine {
  name: string;
  version: string;
  licence: string;
  source: string;
  rulesets: number;
  enabled: number;
  rules: number;
  matches: number;
  duplicates: number;
  last_change: PackageChange;
}

const lineOf = (record: RulePackageRecord): PackageLine => ({
  name: record.name,
  version: record.version,
  licence: record.licence,
  source: record.source,
  rulesets: record.rulesetsCount,
  enabled: record.enabledCount,
  rules: record.rulesCount,
  matches: record.matchesCount,
  duplicates: record.duplicatesCount,
  last_change: JSON.parse(record.change) as PackageChange,
});

interface Room {
  store: Store;
  rulePackages: RulePackages;
}

/** @param readable the archive or folder that workers read */
async function withPackages<T>(
  { dataDir }: Place,
  readable: readonly string[],
  work: (room: Room) => Promise<T>,
): Promise<T> {
  const store = await openStore(dataFolder(dataDir), { log: quietLog, exclusive: false });
  const wall = await measuredWall(false);
  const pool = createWorkerPool({ readableFolders: readable, concurrency: 1, isBackground: false, wall });
  try {
    const parts = { store, queue: createJobQueue(store), pool, isolation: new Isolation(store, wall, quietLog) };
    const { rulePackages, familyUpkeep } = await createServices({ ...parts, workers: 1, log: quietLog });
    // The server alone keeps families up to date.
    await familyUpkeep.close();
    return await work({ store, rulePackages });
  } catch (error) {
    if (error instanceof Failure && error.id === 'not-found') throw new Error('There is no package of that name.');
    throw error;
  } finally {
    await pool.close();
    await store.close();
  }
}

type Course = { onProgress(stage: string, done: number): void };
type Taken = Room & { owner: AccountRecord; file: FileReference; wish: PackageWish; course: Course };

/** @throws Error where there is no account yet */
function withArchive<T>(path: string, options: RulesImport, work: (taken: Taken) => Promise<T>): Promise<T> {
  const place = resolve(callersFolder(), path);
  const { name = '', version = '', licence = '', source = '' } = options;
  const fileName = basename(place);
  const isPublic = options.public === true;
  const wish = { name, version, licence, source, fileName, isEnabled: options.disabled !== true, isPublic };
  return withPackages(options, [place], async (room) => {
    const [owner] = await room.store.accounts.owners();
    if (owner === undefined) throw new Error('There is no account yet: start the workstation, or run `token create`.');
    const progress = new ProgressLine(100);
    const onProgress = (stage: string, done: number) => progress.show(Math.round(done * 100), stage);
    try {
      return await work({ ...room, owner, file: { kind: 'plain', path: place }, wish, course: { onProgress } });
    } finally {
      progress.clear();
    }
  });
}

/**
 * Imports a folder, a ZIP, a tar archive or a file of rules as a package of the owner's, or updates the one of its name.
 * @throws Error where there is nothing to import, or no account yet
 */
export const importRules = (path: string, options: RulesImport): Promise<PackageLine> =>
  withArchive(path, options, async ({ store, rulePackages, owner, file, wish, course }) => {
    const imported = await rulePackages.import(owner, file, wish, course);
    await noteCommand(store, 'rules import', `${imported.name} ${imported.version}`.trim());
    return lineOf(await rulePackages.get(imported.name));
  });

/** What an import would do, and nothing of it is done. @throws Error as `importRules` */
export const previewRules = (path: string, options: RulesImport): Promise<PackagePreview> =>
  withArchive(path, options, ({ rulePackages, owner, file, wish, course }) =>
    rulePackages.preview(owner, file, wish, course),
  );

/** As people read it: files by what becomes of them, changed ones with their lines. */
export function shownPreview({ name, version, isNew, change, differences }: PackagePreview): string {
  const { added, changed, removed, refused, left_out: leftOut } = change;
  const lines = [
    `${isNew ? 'new package' : 'package'} ${name} ${version}`.trim(),
    ...added.map((path) => `added    ${path}`),
    ...removed.map((path) => `removed  ${path}`),
    ...refused.map(({ path, reason }) => `refused  ${path}: ${reason}`),
    ...(leftOut > 0 ? [`${leftOut} files are left out: too many, too large or damaged`] : []),
  ];
  const told = new Map(differences.map(({ path, lines: compared }) => [path, compared]));
  for (const path of changed) {
    lines.push(`changed  ${path}`);
    for (const { first_start: start, rows } of told.get(path)?.hunks ?? []) {
      lines.push(`  @@ line ${start}`);
      for (const { state, first, second } of rows) {
        if (state === 'same') lines.push(`    ${first}`);
        else
          for (const [sign, text] of [
            ['-', first],
            ['+', second],
          ] as const)
            if (text !== null) lines.push(`  ${sign} ${text}`);
      }
    }
  }
  return `${lines.map(terminalText).join('\n')}\n`;
}

export const shownPackages = (place: Place): Promise<PackageLine[]> =>
  withPackages(place, [], async ({ rulePackages }) => (await rulePackages.all()).map(lineOf));

/** @throws Error where there is none of that name */
export const switchPackage = (name: string, isEnabled: boolean, place: Place): Promise<void> =>
  withPackages(place, [], async ({ store, rulePackages }) => {
    await rulePackages.enable(name, isEnabled);
    await noteCommand(store, isEnabled ? 'rules enable' : 'rules disable', name);
  });

/** @throws Error where there is none of that name */
export const removePackage = (name: string, place: Place): Promise<void> =>
  withPackages(place, [], async ({ store, rulePackages }) => {
    await rulePackages.remove(name);
    await noteCommand(store, 'rules remove', name);
  });
