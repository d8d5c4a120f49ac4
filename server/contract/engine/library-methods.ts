// What a library consists of, as a worker read it. Imports zod only.
import { z } from 'zod';
import { hashBytes } from './code-sketch.ts';

const maxPackages = 20_000;
const maxPath = 1000;
const maxMethods = 1_000_000;

const nameSchema = z.string().min(1).max(200);

export const libraryMethodsSchema = z.strictObject({
  /** What the file says that it is called; null where it does not. */
  name: nameSchema.nullable(),
  version: nameSchema.nullable(),
  /** Hashes of its methods, ascending, each of `hashBytes`, the highest first. */
  methods: z.custom<Uint8Array>(
    (bytes) => bytes instanceof Uint8Array && bytes.length <= maxMethods * hashBytes && bytes.length % hashBytes === 0,
  ),
  /** `androidx/core/view` */
  packages: z.array(z.string().max(maxPath)).max(maxPackages),
  /** Files of code that could not be read. */
  unread: z.int().nonnegative(),
});
export type LibraryMethods = z.infer<typeof libraryMethodsSchema>;
export { maxMethods as maxLibraryMethods, maxPackages as maxLibraryPackages, maxPath as maxPackagePath };
