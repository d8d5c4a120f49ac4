// `indicators`: what others can look for of APKs in the catalogue, on standard output, also while a server runs.
import type { IndicatorFormat } from '../../contract/catalogue/indicator-export.ts';
import { writtenIndicators } from '../../services/exports/written-indicators.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import { openStore } from '../../store/store.ts';
import { dataFolder } from '../data-folder.ts';
import { quietLog } from '../log.ts';
import { noteCommand } from '../noted-command.ts';
import { foundApks } from './export.ts';

export interface IndicatorsOptions {
  search?: string;
  format: IndicatorFormat;
  defanged?: boolean;
  dataDir?: string;
}

/**
 * Writes the indicators of APKs, by their hashes or by a search.
 * @throws Error that says which APK is not there, or why these cannot be written so; SearchFailure; Failure `too-many-apks`
 */
export async function exportIndicators(hashes: readonly string[], options: IndicatorsOptions): Promise<void> {
  const { search, format, defanged = false } = options;
  if (defanged && format !== 'csv' && format !== 'json')
    throw new Error('programs that read STIX and MISP need hosts as they are: defanged is for csv and json');
  if ((search !== undefined) === hashes.length > 0) throw new Error('name APKs by their SHA-256, or give --search');
  const store = await openStore(dataFolder(options.dataDir), { log: quietLog, exclusive: false });
  try {
    await noteCommand(store, 'indicators', (search ?? hashes.join(' ')).slice(0, 300));
    const apkIds: number[] = [];
    for (const hash of hashes) apkIds.push((await found(store.apks.findBySha256(hash.toLowerCase()), hash)).id);
    if (search !== undefined)
      for await (const apks of foundApks(store, search)) apkIds.push(...apks.map(({ id }) => id));
    const title = search === undefined ? `APKs ${hashes.join(', ')}` : `APKs found by ${search}`;
    for await (const text of writtenIndicators(store, { title, apkIds }, format, defanged)) process.stdout.write(text);
  } finally {
    await store.close();
  }
}

async function found(asked: Promise<ApkRecord | null>, hash: string): Promise<ApkRecord> {
  const apk = await asked;
  if (apk === null) throw new Error(`the catalogue holds no APK ${hash.slice(0, 100)}`);
  return apk;
}
