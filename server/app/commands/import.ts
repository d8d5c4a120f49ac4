// `import`: files, folders and ZIP files of APKs into the catalogue. Knows nothing of how the catalogue keeps them.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { jsonLine } from '../../contract/json-line.ts';
import { Bundle } from '../bundle.ts';
import { type Courier, CourierError, type Delivery, openCourier } from '../courier.ts';
import { callersFolder, dataFolder } from '../data-folder.ts';
import { ProgressLine } from '../progress-line.ts';
import { terminalText } from '../terminal-text.ts';

interface FoundFile {
  path: string;
  size: number;
}

/** Counts and reasons of one import; `import --json` prints it. Names and reasons are fit for a terminal. */
export class ImportSummary {
  added = 0;
  held = 0;
  readonly refused: { name: string; reason: string }[] = [];

  note(name: string, delivery: Delivery): void {
    if (delivery.outcome === 'refused') {
      this.refused.push({ name: terminalText(name), reason: terminalText(delivery.reason) });
    } else this[delivery.outcome] += 1;
  }

  asText(): string {
    const lines = this.refused.map(({ name, reason }) => `refused ${name}: ${reason}\n`);
    return `${lines.join('')}${this.added} added, ${this.held} held already, ${lines.length} refused\n`;
  }
}

/**
 * Imports everything that the paths name. Files that are held under their name are skipped, so that an interrupted import goes on where
 * it stopped; bad files do not stop it.
 * @returns the process's exit status: 1 where a path could not be read at all
 * @throws CourierError where the workstation takes nothing more
 */
export async function importPaths(
  paths: string[],
  options: { dataDir?: string; recursive?: boolean; json?: boolean },
): Promise<number> {
  const summary = new ImportSummary();
  const files: FoundFile[] = [];
  let exitStatus = 0;
  for (const path of paths) {
    try {
      await findFiles(resolve(callersFolder(), path), options.recursive === true, files, true);
    } catch (error) {
      exitStatus = 1;
      summary.note(path, { outcome: 'refused', reason: (error as Error).message });
    }
  }
  const courier = await openCourier(dataFolder(options.dataDir));
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const progress = new ProgressLine(total);
  let doneBytes = 0;
  let doneFiles = 0;
  const waiting = files.values();
  const work = async () => {
    for (const file of waiting) {
      await importFile(file, courier, summary);
      doneBytes += file.size;
      doneFiles += 1;
      progress.show(doneBytes, `${doneFiles} of ${files.length} files, ${summary.added} added`);
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: courier.capacity }, work));
  progress.clear();
  process.stdout.write(options.json === true ? jsonLine(summary) : summary.asText());
  const failed = ends.find((end) => end.status === 'rejected');
  await courier.close().catch((error: unknown) => {
    // On a full disk this fails too, and says less.
    if (failed === undefined) throw error;
  });
  if (failed !== undefined) throw failed.reason;
  return exitStatus;
}

async function findFiles(path: string, isRecursive: boolean, found: FoundFile[], isNamed: boolean): Promise<void> {
  const status = await stat(path);
  if (status.isFile()) found.push({ path, size: status.size });
  if (!status.isDirectory() || !(isNamed || isRecursive)) return;
  const entries = await readdir(path, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const inside = join(path, entry.name);
    // A link to a folder could lead back up, and one to nowhere is no file.
    if (entry.isSymbolicLink() && !(await isFileBehind(inside))) continue;
    await findFiles(inside, isRecursive, found, false);
  }
}

const isFileBehind = (link: string): Promise<boolean> =>
  stat(link).then(
    (target) => target.isFile(),
    () => false,
  );

async function importFile({ path }: FoundFile, courier: Courier, summary: ImportSummary): Promise<void> {
  try {
    const bundle = await openAsBundle(path);
    if (bundle !== null) {
      await importBundle(bundle, courier, summary);
      return;
    }
    const hash = createHash('sha256');
    await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
    const sha256 = hash.digest('hex');
    const isHeld = await courier.holds(sha256, basename(path));
    const delivery: Delivery = isHeld
      ? { outcome: 'held', sha256 }
      : await courier.deliver(createReadStream(path, { highWaterMark: 1 << 20 }), basename(path));
    summary.note(path, delivery);
  } catch (error) {
    if (error instanceof CourierError) throw error;
    summary.note(path, { outcome: 'refused', reason: (error as Error).message });
  }
}

/** A ZIP file that is no APK itself; null for everything else. */
async function openAsBundle(path: string): Promise<Bundle | null> {
  if (/\.apk$/i.test(path) || !startsLikeZip(await firstBytes(path))) return null;
  let bundle: Bundle;
  try {
    bundle = await Bundle.open(path);
  } catch {
    // Android reads ZIP files that a strict reader refuses; whether this is an APK is decided at its delivery.
    return null;
  }
  if (!bundle.entries.some(({ name }) => name === 'AndroidManifest.xml')) return bundle;
  bundle.close();
  return null;
}

async function importBundle(bundle: Bundle, courier: Courier, summary: ImportSummary): Promise<void> {
  try {
    for (const [index, { name }] of bundle.entries.entries()) {
      const label = `${basename(bundle.path)}/${name}`;
      try {
        const bytes = bundle.read(index, courier.maxBytes);
        const { value, done } = await bytes.next();
        const first = done === true ? undefined : value;
        if (startsLikeZip(first)) summary.note(label, await courier.deliver(chain(first!, bytes), name));
        else {
          await bytes.return(undefined);
          if (/\.apk$/i.test(name)) summary.note(label, { outcome: 'refused', reason: 'not an Android application' });
        }
      } catch (error) {
        if (error instanceof CourierError) throw error;
        summary.note(label, { outcome: 'refused', reason: (error as Error).message });
      }
    }
  } finally {
    bundle.close();
  }
}

async function* chain(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

const startsLikeZip = (bytes: Uint8Array | undefined): boolean =>
  bytes !== undefined && bytes[0] === 0x50 && bytes[1] === 0x4b;

async function firstBytes(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
