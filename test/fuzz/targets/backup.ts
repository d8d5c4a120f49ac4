// Fuzz target: a backup that somebody has changed: its files are those of its list, or it is refused.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BackupError, isMemberName, readBackup } from '../../../server/store/backup/backup-file.ts';
import { buildZip } from '../../fixtures/zip-builder.ts';
import { apkFields } from '../apk-samples.ts';
import { type FuzzTarget, hold } from '../target.ts';

const folder = mkdtempSync(join(tmpdir(), 'fuzz-backup-'));
const path = join(folder, 'backup');
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const files = { 'catalogue.db': Buffer.from('database'), 'keys/master.key': Buffer.alloc(32, 1) };
const list = Object.entries(files).map(([name, content]) => [name, { size: content.length, sha256: sha256(content) }]);
const manifest = {
  format: 'apk-workstation-backup',
  version: 1,
  created_at: '2026-01-01T00:00:00.000000+00:00',
  apks: 0,
  apks_without_file: 0,
  files: Object.fromEntries(list),
};
const entries = Object.entries(files).map(([name, content]) => ({ name, content }));

export const target: FuzzTarget = {
  subject: ['store/backup/backup-file'],
  samples: () => [
    buildZip({ entries: [...entries, { name: 'manifest.json', content: JSON.stringify(manifest) }] }),
    buildZip({
      entries: [...entries, { name: 'manifest.json', content: JSON.stringify(manifest), method: 8 }],
      isZip64: true,
    }),
  ],
  fields: apkFields,
  words: ['../', '..\\', '/etc/passwd', '__proto__', 'apks/', 'keys/', '"size":'],
  refusals: [BackupError],
  async run(bytes) {
    writeFileSync(path, bytes);
    const read: [string, string][] = [];
    const { files: listed } = await readBackup(path, {
      progress: () => undefined,
      async onFile(name, stream) {
        hold(isMemberName(name), 'a file has a name that may be one', name);
        const pieces: Buffer[] = [];
        for await (const piece of stream) pieces.push(piece as Buffer);
        read.push([name, sha256(Buffer.concat(pieces))]);
      },
    });
    for (const [name, hash] of read) hold(listed[name]?.sha256 === hash, 'a file is the one of the list', name);
    return read;
  },
  async close() {
    rmSync(folder, { recursive: true, force: true });
  },
};
