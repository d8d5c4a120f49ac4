// A file that somebody brings: an APK, or a ZIP file of APKs. Each app in it is handed to a carrier. Knows nothing of how the
// catalogue keeps them.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
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

/** What became of an app, and what it is called: the file's path, or `archive.zip/name` of one in an archive. */
export interface Brought {
  name: string;
  delivery: Delivery;
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
  const bundle = await openAsBundle(path);
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
  yield { name: path, delivery };
}

function asRefusal(error: unknown): Delivery {
  if (error instanceof CarrierError || isOfSystem(error)) throw error;
  return { outcome: 'refused', reason: (error as Error).message };
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

async function* broughtFromBundle(bundle: Bundle, carrier: Carrier, known?: string): AsyncGenerator<Brought> {
  try {
    const entries = bundle.entries.map(({ name }, index) => ({ name, index }));
    const isInParts = entries.some(({ name }) => isSplitName(name));
    const container = isInParts
      ? { sha256: known ?? (await hashOf(bundle.path)), name: basename(bundle.path) }
      : undefined;
    const bases: string[] = [];
    // A part is known for one by the base that is there.
    for (const { name, index } of basesFirst(entries, ({ name }) => name)) {
      const isPart = isSplitName(name);
      const company = { partOf: isPart ? bases.slice(-maxBeside) : [], container };
      const delivery = await deliverEntry(bundle, index, name, carrier, company).catch(asRefusal);
      if (delivery === null) continue;
      if (!isPart && delivery.outcome !== 'refused') bases.push(delivery.sha256);
      yield { name: `${basename(bundle.path)}/${name}`, delivery };
    }
  } finally {
    bundle.close();
  }
}

/** @returns null for what is no app, and is not called one */
async function deliverEntry(
  bundle: Bundle,
  index: number,
  name: string,
  carrier: Carrier,
  company: Company,
): Promise<Delivery | null> {
  const bytes = bundle.read(index, carrier.maxBytes);
  const { value, done } = await bytes.next();
  const first = done === true ? undefined : value;
  if (startsLikeZip(first)) return carrier.deliver(chain(first!, bytes), name, company);
  await bytes.return(undefined);
  return /\.apk$/i.test(name) ? { outcome: 'refused', reason: 'not an Android application' } : null;
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
