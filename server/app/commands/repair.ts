// `repair`: makes a damaged catalogue anew of what can be read of it, and says what became of everything.
import type { TableSummary } from '../../store/repair/rebuild.ts';
import { type RepairSummary, repairDataFolder } from '../../store/repair/repair.ts';
import { openStore } from '../../store/store.ts';
import { dataFolder } from '../data-folder.ts';
import { quietLog } from '../log.ts';
import { noteCommand } from '../noted-command.ts';

/**
 * Repairs the folder and prints what was saved, found again and lost by table, as one JSON object with `json`.
 * @throws DataFolderError where a server runs on the folder, it is none, or its key is missing
 */
export async function repair(options: { dataDir?: string; json?: boolean }): Promise<void> {
  const folder = dataFolder(options.dataDir);
  const summary = await repairDataFolder(folder, new Date());
  if (summary.isRepaired) {
    const store = await openStore(folder, { log: quietLog });
    await noteCommand(store, 'repair', summary.setAside ?? folder).finally(() => store.close());
  }
  process.stdout.write(options.json === true ? `${JSON.stringify(inWireNames(summary))}\n` : described(summary));
}

function inWireNames({ folder, isRepaired, setAside, tables, foundFiles, alteredFiles }: RepairSummary): object {
  return {
    folder,
    repaired: isRepaired,
    set_aside: setAside,
    tables: Object.fromEntries(tables.map(({ table, ...counts }) => [table, counts])),
    found_files: foundFiles,
    altered_files: alteredFiles,
  };
}

function described({ folder, isRepaired, setAside, tables, foundFiles, alteredFiles }: RepairSummary): string {
  if (!isRepaired)
    return `The catalogue of ${folder} is whole, and every stored APK has its record: nothing was changed.\n`;
  const width = Math.max(...tables.map(({ table }) => table.length));
  const lines = tables.map((summary) => `  ${summary.table.padEnd(width)}  ${fate(summary)}`);
  const files = [
    ...(foundFiles > 0 ? [`${foundFiles} stored APKs of which nothing else was left have records again.`] : []),
    ...(alteredFiles.length > 0
      ? [
          `${alteredFiles.length} stored files are not what they are named after and were left alone: ${alteredFiles.join(', ')}`,
        ]
      : []),
  ];
  return [
    `The catalogue of ${folder} was made anew.`,
    ...lines,
    ...files,
    'Searches are complete again, and APKs without a report analysed, some time after the next start.',
    `The damaged files are in ${setAside}; delete them when nothing is missing.`,
    '',
  ].join('\n');
}

function fate({ kept, found, restored, lost }: TableSummary): string {
  const words = [`${kept} saved`];
  if (found > 0) words.push(`${found} of them found on loose pages`);
  if (restored > 0) words.push(`${restored} made anew`);
  words.push(lost === null ? 'an unknown number lost' : lost === 0 ? 'none lost' : `${lost} lost`);
  return words.join(', ');
}
