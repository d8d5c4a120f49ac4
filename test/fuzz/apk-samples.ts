// Whole APKs as samples: stored instead of packed, so that damage reaches what is in them, and where their numbers are.
import { Findings } from '../../server/engine/findings.ts';
import { FormatError } from '../../server/engine/formats/byte-reader.ts';
import { openZip } from '../../server/engine/formats/zip/archive.ts';
import { memorySource } from '../../server/vault/byte-source.ts';
import { buildZip } from '../fixtures/zip-builder.ts';
import { appEntries } from './app-entries.ts';
import type { Field } from './field-mutation.ts';
import { chunkFields, dexFields, elfFields, zipFields } from './fields.ts';

/** The APK with every entry stored; what is large and tells nothing to a parser is left out. */
export function storedApk(apk: string | Uint8Array, maxEntry = 16_384): Buffer {
  const entries = [...appEntries(apk)].filter(([, content]) => content.length <= maxEntry);
  return buildZip({ entries: entries.map(([name, content]) => ({ name, content })) });
}

const readers: readonly (readonly [ending: RegExp, fields: (bytes: Uint8Array) => Field[]])[] = [
  [/\.(?:xml|arsc)$/, chunkFields],
  [/\.dex$/, dexFields],
  [/\.so$/, elfFields],
];

/** The numbers of the archive and of the stored entries in it. */
export function apkFields(apk: Uint8Array): Field[] {
  try {
    const archive = openZip(memorySource(apk), new Findings());
    const inner = archive.entries.slice(0, 50).flatMap((entry) => {
      const fieldsOf = readers.find(([ending]) => ending.test(entry.name))?.[1];
      if (fieldsOf === undefined || entry.method !== 0) return [];
      const start = archive.dataOffsetOf(entry);
      const fields = fieldsOf(apk.subarray(start, start + entry.size));
      return fields.map(({ offset, width }) => ({ offset: offset + start, width }));
    });
    return [...zipFields(apk), ...inner];
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return zipFields(apk);
  }
}
