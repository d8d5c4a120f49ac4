// Code of other runtimes that an app bundles: Hermes, React Native, Flutter, .NET, Unity and their like. Imports zod only.
import { z } from 'zod';

/** Bundles of one app that are told. */
export const maxBundles = 300;
/** Strings that one request lists at most. */
const maxStrings = 2000;

export const bundleKinds = [
  'hermes',
  'react-native',
  'react-native-ram',
  'dart-snapshot',
  'dart-kernel',
  'flutter-engine',
  'flutter-assets',
  'cordova',
  'capacitor',
  'dotnet-store',
  'dotnet-assembly',
  'il2cpp',
  'python',
] as const;
export type BundleKind = (typeof bundleKinds)[number];

export const bundleSchema = z.object({
  /** Name of the entry. */
  path: z.string(),
  kind: z.enum(bundleKinds),
  /** Bytes, unpacked. */
  size: z.number(),
  /** Of the format or the runtime, as the bytes say; empty where they do not. */
  version: z.string(),
  functions: z.number().nullable(),
  /** JavaScript modules, assemblies or files that it holds. */
  modules: z.number().nullable(),
  /** Null where they are not counted beforehand. */
  strings: z.number().nullable(),
  /** More that its bytes say, by name. */
  details: z.array(z.object({ name: z.string(), value: z.string() })).max(20),
  /** What departs from its format, and where. */
  faults: z.array(z.string()).max(20),
});
export type BundleRecord = z.infer<typeof bundleSchema>;

export const bundlesQuerySchema = z.object({});

export const bundleListSchema = z.object({
  results: z.array(bundleSchema).max(maxBundles),
  /** More than are told, or entries that were not looked at. */
  is_cut: z.boolean(),
});
export type BundleList = z.infer<typeof bundleListSchema>;

export const bundleStringsQuerySchema = z.object({
  path: z.string().min(1).max(65_535).describe('Name of the entry: `assets/index.android.bundle`'),
  search: z.string().max(500).default('').describe('Part of a string; case-insensitive'),
  offset: z.coerce.number().int().nonnegative().max(10_000_000).default(0),
  limit: z.coerce.number().int().positive().max(maxStrings).default(500),
});

export const bundleStringsSchema = z.object({
  /** Strings that hold what was searched for. */
  count: z.number(),
  /** Not all strings were read, or some were shortened. */
  is_cut: z.boolean(),
  results: z.array(
    z.object({
      /** Where it stands in the entry, unpacked; null where that is compressed once more. */
      offset: z.number().nullable(),
      text: z.string(),
    }),
  ),
});
export type BundleStrings = z.infer<typeof bundleStringsSchema>;
