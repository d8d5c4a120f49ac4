// Evidence on APKs that earlier runs of `triage` have found, by SHA-256, in the user's folder for caches. Knows no APK.
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { engineVersion } from '../../contract/engine/engine-version.ts';
import { cacheFolder } from '../data-folder.ts';
import type { ApkEvidence } from './triaged-apk.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
const root = join(cacheFolder(), 'triage');
const folder = join(root, `engine-${engineVersion}`);
/** Milliseconds after which what nobody asked for is forgotten: 90 days. */
const keptFor = 90 * 86_400_000;

const placeOf = (sha256: string) => join(folder, sha256.slice(0, 2), sha256);

/** Bytes of a sketch stand as base64 in JSON. */
const asJson = (evidence: ApkEvidence): string =>
  JSON.stringify(evidence, (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value));

function fromJson(text: string): ApkEvidence {
  const evidence = JSON.parse(text) as ApkEvidence;
  const bytes = (base64: unknown) => Buffer.from(base64 as string, 'base64');
  const { sketch } = evidence;
  if (sketch === null) return evidence;
  const core = sketch.core === null ? null : { ...sketch.core, hashes: bytes(sketch.core.hashes) };
  return { ...evidence, sketch: { ...sketch, hashes: bytes(sketch.hashes), core } };
}

/** What an earlier run of the same engine found; null where it did not, or where that cannot be read. */
export async function keptEvidence(sha256: string): Promise<ApkEvidence | null> {
  const place = placeOf(sha256);
  try {
    const evidence = fromJson((await decompress(await readFile(place))).toString());
    const now = new Date();
    await utimes(place, now, now);
    return evidence;
  } catch {
    // Whatever is wrong with a cache, the file itself is there to be analysed.
    return null;
  }
}

/** Keeps evidence for the next run, where the folder can be written. */
export async function keepEvidence(sha256: string, evidence: ApkEvidence): Promise<void> {
  const place = placeOf(sha256);
  const unfinished = `${place}-${process.pid}`;
  try {
    await mkdir(join(folder, sha256.slice(0, 2)), { recursive: true, mode: 0o700 });
    await writeFile(unfinished, await compress(asJson(evidence)), { mode: 0o600 });
    await rename(unfinished, place);
  } catch {
    // A home that cannot be written, or is full: the next run analyses the file again.
    await rm(unfinished, { force: true }).catch(() => undefined);
  }
}

/** Forgets what other versions of the engine found, and of one in 256 files what nobody asked for lately: each run has some of it. */
export async function forgetOldEvidence(): Promise<void> {
  const some = join(
    folder,
    Math.floor(Math.random() * 256)
      .toString(16)
      .padStart(2, '0'),
  );
  for (const name of await namesIn(root)) {
    if (join(root, name) !== folder) await rm(join(root, name), { recursive: true, force: true });
  }
  for (const name of await namesIn(some)) {
    const file = join(some, name);
    const found = await stat(file).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > keptFor) await rm(file, { force: true });
  }
}

const namesIn = (path: string): Promise<string[]> => readdir(path).catch(() => []);
