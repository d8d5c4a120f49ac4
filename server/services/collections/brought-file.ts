// A file that somebody brings: an APK, or an archive of APKs. Each app in it is handed to a carrier. Knows nothing of how the
// catalogue keeps them.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { archiveKind, signatureBytes } from '../../contract/catalogue/archive-signatures.ts';
import { basesFirst, isSplitName, maxBeside } from '../../contract/catalogue/split-names.ts';
import { Bundle } from './bundle.ts';

export type Delivery = { outcome: 'added' | 'held'; sha256: string } | { outcome: 'refused'; reason: string };

/** The workstation accepts no files at all: its disk is full, its server has ended. */
export class CarrierError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'CarrierError';
  }
}

/** Brings bytes into a catalogue. */
export interface Carrier {
  readonly maxBytes: number;
  /** What is tried on locked archives. */
  passwords(): Promise<readonly string[]>;
  /** Whether a file need not be sent: the catalogue has it, under this name. */
  holds(sha256: string, name: string): Promise<boolean>;
  /** @throws CarrierError */
  deliver(bytes: AsyncIterable<Uint8Array>, name: string, company?: Company): Promise<Delivery>;
}

/** What an app came with. */
export interface Company {
  /** SHA-256 of APKs beside it: a split APK becomes a part of the one that it fits, whose SHA-256 is the answer. */
  partOf: readonly string[];
  /** The archive that it came in. */
  container?: { sha256: string; name: string } | undefined;
}

/** What became of an app, and what it is called: the file's path, or `archive.7z/name` of one in an archive. */
export interface Brought {
  name: string;
  delivery: Delivery;
  /** How much of the file is done, from 0 to 1. */
  share: number;
}

/** Errors of the file system, of which a later try may know nothing. */
export const isOfSystem = (error: unknown): boolean => typeof (error as NodeJS.ErrnoException).syscall === 'string';

const read = (path: string) => createReadStream(path, { highWaterMark: 1 << 20 });

/** SHA-256 of a file, lower-case hex. @throws the system's error */
export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(read(path), hash);
  return hash.digest('hex');
}

/**
 * Hands what a file is, or holds, to a carrier.
 * @param given the file's SHA-256 where it is known, and apps beside it that it may be a part of
 * @throws CarrierError; the system's error where the file itself cannot be read
 */
export async function* broughtFrom(
  path: string,
  carrier: Carrier,
  { sha256, partOf = [] }: { sha256?: string | undefined; partOf?: readonly string[] } = {},
): AsyncGenerator<Brought> {
  let bundle: Bundle | null;
  try {
    bundle = await openAsBundle(path, await carrier.passwords());
  } catch (error) {
    yield { name: path, delivery: asRefusal(error), share: 1 };
    return;
  }
  if (bundle !== null) {
    yield* broughtFromBundle(bundle, carrier, sha256);
    return;
  }
  const name = basename(path);
  // What becomes a part is not held under its own hash.
  const known = partOf.length > 0 ? null : (sha256 ?? (await hashOf(path)));
  const delivery: Delivery =
    known !== null && (await carrier.holds(known, name))
      ? { outcome: 'held', sha256: known }
      : await carrier.deliver(read(path), name, { partOf }).catch(asRefusal);
  yield { name: path, delivery, share: 1 };
}

function asRefusal(error: unknown): Delivery {
  if (error instanceof CarrierError || isOfSystem(error)) throw error;
  return { outcome: 'refused', reason: (error as Error).message };
}

/**
 * An archive that is no APK itself; null for everything else.
 * @throws the system's error; Error where it is an archive that cannot be read
 */
async function openAsBundle(path: string, passwords: readonly string[]): Promise<Bundle | null> {
  if (/\.apk$/i.test(path)) return null;
  const kind = archiveKind(await firstBytes(path));
  if (kind === null) return null;
  let bundle: Bundle;
  try {
    bundle = await Bundle.open(path, { passwords });
  } catch (error) {
    // Android reads ZIP files that a strict reader refuses; whether this is an APK is decided at its delivery.
    if (kind === 'zip') return null;
    throw error;
  }
  if (kind !== 'zip' || !bundle.entries.some(({ name }) => name === 'AndroidManifest.xml')) return bundle;
  bundle.close();
  return null;
}

async function* broughtFromBundle(bundle: Bundle, carrier: Carrier, known?: string): AsyncGenerator<Brought> {
  try {
    const isInParts = bundle.entries.some(({ name }) => isSplitName(name));
    const container = isInParts
      ? { sha256: known ?? (await hashOf(bundle.path)), name: basename(bundle.path) }
      : undefined;
    yield* broughtFromEntries(bundle, basename(bundle.path), carrier, container);
  } finally {
    bundle.close();
  }
}

/** What the archive has that is open, and what the archives in it have. */
async function* broughtFromEntries(
  bundle: Bundle,
  place: string,
  carrier: Carrier,
  container?: Company['container'],
): AsyncGenerator<Brought> {
  const entries = bundle.entries.map((entry, index) => ({ ...entry, index }));
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  const bases: string[] = [];
  // A part is known for one by the base that is there.
  for (const { name, index, size } of basesFirst(entries, ({ name }) => name)) {
    const isPart = isSplitName(name);
    const company = { partOf: isPart ? bases.slice(-maxBeside) : [], container };
    const delivery = await deliverEntry(bundle, index, name, carrier, company).catch(asRefusal);
    const shareAfter = (within: number) => (total === 0 ? 0 : (done + within * size) / total);
    if (delivery === 'entered') {
      for await (const brought of broughtFromEntries(bundle, `${place}/${name}`, carrier)) {
        yield { ...brought, share: shareAfter(brought.share) };
      }
      await bundle.leave();
    } else if (delivery !== null) {
      if (!isPart && delivery.outcome !== 'refused') bases.push(delivery.sha256);
      yield { name: `${place}/${name}`, delivery, share: shareAfter(1) };
    }
    done += size;
  }
}

/** @returns null for what is no app, and is not called one; `entered`: it is an archive, which is open now */
async function deliverEntry(
  bundle: Bundle,
  index: number,
  name: string,
  carrier: Carrier,
  company: Company,
): Promise<Delivery | 'entered' | null> {
  const bytes = bundle.read(index, carrier.maxBytes);
  const first = await bytes.next();
  if (first.done !== true) return carrier.deliver(chain(first.value, bytes), name, company);
  if (first.value) return 'entered';
  return /\.apk$/i.test(name) ? { outcome: 'refused', reason: 'not an Android application' } : null;
}

async function* chain(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

async function firstBytes(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(signatureBytes), 0, signatureBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
