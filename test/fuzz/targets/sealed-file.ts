// Fuzz target: a stored file and sealed bytes that somebody has changed: nothing is read but what was sealed.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBytes, sealBytes } from '../../../server/vault/sealed-bytes.ts';
import { openSealedFile, readSalt } from '../../../server/vault/sealed-file.ts';
import { SealedFileError } from '../../../server/vault/sealed-format.ts';
import { createSealedWriter } from '../../../server/vault/sealed-writer.ts';
import { type FuzzTarget, hold } from '../target.ts';

const folder = mkdtempSync(join(tmpdir(), 'fuzz-sealed-'));
const path = join(folder, 'file');
const masterKey = Buffer.alloc(32, 5);
/** More than a chunk. */
const content = Buffer.alloc(70_000, 'content ');

const writer = await createSealedWriter(join(folder, 'sealed'), masterKey, { isDurable: false });
await writer.write(content);
await writer.finish();
const sealed = readFileSync(writer.path);

export const target: FuzzTarget = {
  subject: ['vault/sealed-'],
  samples: () => [sealed, sealBytes(content.subarray(0, 100), masterKey)],
  hotspots: () => [0, 40, 80, 65_600],
  fields: () => Array.from({ length: 20 }, (_, index) => ({ offset: index * 4, width: 4 })),
  refusals: [SealedFileError],
  run(bytes) {
    try {
      const opened = openBytes(bytes, masterKey);
      hold(content.subarray(0, 100).equals(opened), 'sealed bytes are those that were sealed');
    } catch (error) {
      if (!(error instanceof SealedFileError)) throw error;
    }
    writeFileSync(path, bytes);
    const salt = readSalt(path);
    const source = openSealedFile(path, writer.key);
    try {
      const read = Buffer.from(source.read(0, source.size));
      hold(content.equals(read), 'a sealed file is the one that was sealed');
      return [salt, source.read(65_530, 20)];
    } finally {
      source.close();
    }
  },
  async close() {
    rmSync(folder, { recursive: true, force: true });
  },
};
