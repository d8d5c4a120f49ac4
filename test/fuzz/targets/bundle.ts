// Fuzz target: a ZIP file of APKs as it is opened for an import, encrypted ones too.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';
import { BundleReader } from '../../../server/engine/bundle/bundle-reader.ts';
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
const samples = [await locked({ encryptionStrength: 3 }), await locked({ zipCrypto: true, zip64: true })];
const bundle = new BundleReader();

export const target: FuzzTarget = {
  subject: ['engine/bundle/bundle-reader'],
  samples: () => samples,
  fields: zipFields,
  generate: builtZip,
  // Whatever the library throws is told as the reason.
  refusals: [Error],
  async run(bytes) {
    writeFileSync(path, bytes);
    const entries = await bundle.open(path);
    for (const index of entries.slice(0, 5).keys()) {
      let size = 0;
      const count = (piece: Uint8Array) => {
        size += piece.length;
      };
      await bundle.read(index, maxBytes, count).catch(() => undefined);
      hold(size <= maxBytes, 'no more bytes come than were asked for', `${size}`);
    }
    return entries;
  },
  async close() {
    bundle.close();
    rmSync(folder, { recursive: true, force: true });
  },
};
