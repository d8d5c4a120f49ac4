// Fuzz target: an archive of APKs as it is opened for an import, encrypted ones and archives in archives too.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';
import { ArchiveStack } from '../../../server/engine/bundle/archive-stack.ts';
import { buildRar } from '../../fixtures/rar-builder.ts';
import { builtZip } from '../built-inputs.ts';
import { zipFields } from '../fields.ts';
import { type FuzzTarget, hold } from '../target.ts';

const folder = mkdtempSync(join(tmpdir(), 'fuzz-bundle-'));
const path = join(folder, 'bundle.zip');
const maxBytes = 100_000;
const content = Buffer.from('an APK '.repeat(50));

async function locked(options: {
  encryptionStrength?: 1 | 2 | 3;
  zipCrypto?: boolean;
  zip64?: boolean;
}): Promise<Buffer> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { password: 'infected', ...options });
  for (const name of ['a.apk', 'folder/b.apk']) await writer.add(name, new Uint8ArrayReader(content));
  return Buffer.from(await writer.close());
}
/** Of 7-Zip's: two files `a.apk` and `b.apk` of the letters "PK", locked with `infected`, its names too. */
const sevenZip = Buffer.from(
  'N3q8ryccAARDPrGbkAAAAAAAAAA9AAAAAAAAALsTvAzZku/i3665FS0xAmrktXvrJ+CCjCrsPh/OLuq2mqRiE/FcINVYDCZ16LS2gbOyku7CIfeTSicXIstK1E7GV6gZfJvX/zE9tdWoq430Dn93ZAjr2kHS99ncMlgvC3U1NBTOGlnQq5sFGnA/SPX9CAadwzHxUHKSVa0qWuEoV1U1jYE1UKyjUQ0KMgJakIqgHsoXBhABCYCAAAcLAQACJAbxBwESUw9b1zyWJHuwl+fz8F22zLXfIwMBAQVdABAAAAEADHeAjgoBrMbhjQAA',
  'base64',
);
const rar = buildRar({ 'a.apk': content, 'b.zip': await locked({ encryptionStrength: 3 }) });
const samples = [
  await locked({ encryptionStrength: 3 }),
  await locked({ zipCrypto: true, zip64: true }),
  rar,
  sevenZip,
  gzipSync(rar),
];
const bundle = new ArchiveStack(10_000_000);

export const target: FuzzTarget = {
  subject: ['engine/bundle/archive-stack', 'engine/bundle/zip-archive', 'engine/bundle/seven-zip-lock'],
  samples: () => samples,
  fields: zipFields,
  generate: builtZip,
  // Whatever the library throws is told as the reason.
  refusals: [Error],
  async run(bytes) {
    writeFileSync(path, bytes);
    const entries = await bundle.open(path, ['infected']);
    for (const index of entries.slice(0, 5).keys()) {
      let size = 0;
      const count = (piece: Uint8Array) => {
        size += piece.length;
      };
      const entered = await bundle.send(index, maxBytes, count).catch(() => null);
      if (entered !== null) bundle.leave();
      hold(size <= maxBytes, 'no more bytes come than were asked for', `${size}`);
    }
    return entries;
  },
  async close() {
    bundle.close();
    rmSync(folder, { recursive: true, force: true });
  },
};
