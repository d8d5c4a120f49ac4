// Files of code that came out of an APK: apps, dex files, native code, scripts that it carries or that a run of it left.
// Imports zod only.
import { z } from 'zod';
import { sha256Schema } from '../list.ts';

/** By content: `apk` is an archive with a manifest, `dex` also an archive with code and without one. */
export const childKindSchema = z.enum(['apk', 'dex', 'elf', 'script']);
export type ChildKind = z.infer<typeof childKindSchema>;
/** Archives within each other that are opened; the APK itself is not counted. */
export const maxChildDepth = 3;
export const maxChildren = 64;
/** Unpacked bytes of all children and of the archives that they are in. */
export const maxChildBytes = 256 * 1024 * 1024;
const maxListed = 100;

/** One way that such a file came. */
export const childWaySchema = z.object({
  /**
   * `entry`: it lies in the archive; `part`: the app is installed with it; `run`, `device`: the interpreted run, or one on a
   * device, left it.
   */
  origin: z.enum(['entry', 'part', 'run', 'device']),
  /** `assets/a.apk!/assets/b.dex`; of a run `/data/data/com.a/files/x.apk!/b.dex`, or `in memory`. */
  path: z.string(),
  /** What was done with it: an entry is `carried`. */
  action: z.enum(['carried', 'written', 'decrypted', 'downloaded', 'loaded', 'installed']),
  /** The app's method that did it, `Lcom/a/B;->m`; null where nobody knows. */
  by: z.string().nullable(),
});
export type ChildWay = z.infer<typeof childWaySchema>;

/** Stands between an archive and an entry of it, as in `java.net.JarURLConnection`. */
export const within = '!/';

/** How such a file is called wherever files of the APK are named: in code, matches of rules, contents of files. */
export const childName = ({ origin, path }: Pick<ChildWay, 'origin' | 'path'>): string =>
  origin === 'entry' ? path : `${origin}:${path}`;

/** A part of the app itself, and nothing that lies in one. */
export const isPart = ({ ways: [way] }: Pick<Child, 'ways'>): boolean =>
  way?.origin === 'part' && !way.path.includes(within);

/** A file's name and those of the files that it lies in, the nearest first. */
export function* namesUpwards(name: string): Generator<string> {
  yield name;
  for (let left = name, end = left.lastIndexOf(within); end >= 0; end = left.lastIndexOf(within)) {
    left = left.slice(0, end);
    yield left;
  }
}

export const childSchema = z.object({
  sha256: sha256Schema,
  kind: childKindSchema,
  /** Bytes. */
  size: z.int().nonnegative(),
  /** The APK of the address, or the child that holds this one. */
  parent: sha256Schema,
  /** 1 for what the APK itself carries. */
  depth: z.int().min(1).max(maxChildDepth),
  /** The first one first. */
  ways: z.array(childWaySchema).max(maxListed),
  /** What an app says of itself; null where it is none, or says nothing. */
  package_name: z.string().nullable(),
  label: z.string().nullable(),
  version_name: z.string().nullable(),
});
export type Child = z.infer<typeof childSchema>;

export const childListSchema = z.object({
  results: z.array(childSchema).max(maxChildren),
  count: z.int().nonnegative(),
  /** What lies deeper, past the number or the bytes that are opened, or could not be unpacked: the first ones. */
  left_out: z
    .array(z.object({ path: z.string(), reason: z.enum(['depth', 'count', 'size', 'unreadable']) }))
    .max(maxListed),
  left_out_count: z.int().nonnegative(),
});
export type ChildList = z.infer<typeof childListSchema>;
export const maxChildrenNamed = maxListed;
