// What a split APK adds to its app, by its name and the names in its archive. Knows no report.
import type { Split } from '../../contract/engine/split.ts';
import type { ZipArchive } from '../formats/zip/archive.ts';
import type { Manifest } from './manifest/manifest.ts';

const maxName = 1000;
const maxNames = 100;
const densities: ReadonlySet<string> = new Set(['ldpi', 'mdpi', 'tvdpi', 'hdpi', 'xhdpi', 'xxhdpi', 'xxxhdpi']);
const dexFile = /^classes\d*\.dex$/;

/** Of the names that build tools give: https://developer.android.com/guide/app-bundle/app-bundle-format */
function qualifierOf(split: string): string {
  return /(?:^|\.)config\.([^.]+)$/.exec(split)?.[1] ?? '';
}

/** null: the app's base. */
export function splitOf(archive: ZipArchive, manifest: Manifest | null): Split | null {
  if (manifest === null || manifest.splitName === null) return null;
  const { splitName, isFeatureSplit, configForSplit } = manifest;
  const abis = new Set<string>();
  let [dexes, assets, files] = [0, 0, 0];
  for (const { name } of archive.entries) {
    if (name.endsWith('/')) continue;
    files += 1;
    if (dexFile.test(name)) dexes += 1;
    else if (name.startsWith('assets/')) assets += 1;
    const abi = /^lib\/([^/]{1,100})\//.exec(name)?.[1];
    if (abi !== undefined && abis.size < maxNames) abis.add(abi);
  }
  const qualifier = qualifierOf(splitName);
  const isLanguage = /^[a-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*$/.test(qualifier) && !/^(?:x86|arm)/.test(qualifier);
  return {
    name: splitName.slice(0, maxName),
    is_feature: isFeatureSplit,
    config_for: configForSplit === null || configForSplit === '' ? null : configForSplit.slice(0, maxName),
    abis: [...abis],
    languages: isLanguage ? [qualifier] : [],
    densities: densities.has(qualifier) ? [qualifier] : [],
    ...{ dexes, assets, files },
  };
}
