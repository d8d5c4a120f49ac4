// Says where an archive is not laid out as Android's installer demands of the app's manifest. Knows no report.

import { resourcesName } from '../app/app-package.ts';
import type { Manifest } from '../app/manifest/manifest.ts';
import type { Findings } from '../findings.ts';
import { FormatError } from '../formats/byte-reader.ts';
import type { ZipArchive, ZipEntry } from '../formats/zip/archive.ts';
import { deflateMethod, storeMethod } from '../formats/zip/directory.ts';

/** Android 11 maps the resource table of apps that target it from the archive itself. */
const mappedResourcesSince = 30;
const tableAlignment = 4;
/** The smallest page of a device; newer ones have pages of 16 KiB. */
const pageSize = 4096;

/** Libraries that the installer looks at. https://developer.android.com/ndk/guides/abis */
const libraryName = /^lib\/[^/]+\/lib[^/]*\.so$/;

/** Reports files that Android maps from the archive and that are compressed or not aligned. */
export function reportLayout(archive: ZipArchive, manifest: Manifest, findings: Findings): void {
  const { effectiveTargetSdkVersion: target, application } = manifest;
  const table = archive.get(resourcesName);
  if (table !== undefined && target >= mappedResourcesSince) {
    // Android takes a table of unknown method as stored.
    const isPacked = table.method === deflateMethod;
    const fault = isPacked ? 'compressed' : misalignment(archive, table, tableAlignment);
    if (fault !== null) {
      findings.add('package-resources-layout', table.name, `${fault}; target SDK ${target}`);
    }
  }
  if (application.extractNativeLibs !== false) return;
  for (const entry of archive.entries) {
    if (!libraryName.test(entry.name)) continue;
    const fault = entry.method === storeMethod ? misalignment(archive, entry, pageSize) : 'compressed';
    if (fault !== null) {
      findings.add('package-library-layout', entry.name, `${fault}; android:extractNativeLibs="false"`);
    }
  }
}

/** What is wrong with a file's place; null for nothing, and where its content was not found, which is reported elsewhere. */
function misalignment(archive: ZipArchive, entry: ZipEntry, alignment: number): string | null {
  try {
    const past = archive.dataOffsetOf(entry) % alignment;
    return past === 0 ? null : `${past} bytes past a multiple of ${alignment}`;
  } catch (error) {
    if (error instanceof FormatError) return null;
    throw error;
  }
}
