// Names and notes that analysts give to an app's code, as workers take them and check them. Imports zod only.
import { z } from 'zod';

/** Names and notes of one APK: what a worker takes with each question about its code. */
export const maxNames = 50_000;
/** UTF-16 units of a name; a class's may have its package before it. */
export const maxNameLength = 500;
export const maxNoteLength = 4000;
/** A descriptor of a class or member, with what stands in it. */
const maxSymbolLength = 4000;
/** Other methods of one family that a name takes the place of. */
const maxReplaced = 2000;
/** Readable names of one APK: a dex file has 65,536 members of a kind at most, and few apps have more than ten. */
export const maxDerivedNames = 500_000;

/**
 * What is named: `La/b/C;`, `La/b/C;->f:I`, `La/b/C;->m(I)V`, a variable of a method by its parameter or by the register and the
 * address of what writes it first, `La/b/C;->m(I)V#p0`, `La/b/C;->m(I)V#v3@1f`, or a package, `a/b/`. Names of the code hold
 * almost any character.
 */
export const codeSymbolSchema = z.string().min(2).max(maxSymbolLength);

export type CodeSymbol =
  | { readonly kind: 'package'; readonly path: string }
  | { readonly kind: 'class'; readonly owner: string }
  | { readonly kind: 'field'; readonly owner: string; readonly name: string; readonly type: string }
  | { readonly kind: 'method'; readonly owner: string; readonly name: string; readonly descriptor: string }
  /** `key` is what stands behind `#`. */
  | { readonly kind: 'variable'; readonly method: string; readonly owner: string; readonly key: string };

/** The parts of a symbol; null where it is none. */
export function symbolParts(symbol: string): CodeSymbol | null {
  if (symbol.endsWith('/')) return { kind: 'package', path: symbol.slice(0, -1) };
  const end = symbol.indexOf(';');
  if (!symbol.startsWith('L') || end < 2) return null;
  const owner = symbol.slice(0, end + 1);
  if (symbol.length === end + 1) return { kind: 'class', owner };
  if (!symbol.startsWith('->', end + 1)) return null;
  const [, method, key] = /^(.*)#(p\d+|v\d+@[0-9a-f]+|t\d+)$/su.exec(symbol) ?? [];
  if (method !== undefined && key !== undefined) return { kind: 'variable', method, owner, key };
  const member = symbol.slice(end + 3);
  const opening = member.indexOf('(');
  if (opening > 0) return { kind: 'method', owner, name: member.slice(0, opening), descriptor: member.slice(opening) };
  const colon = member.indexOf(':');
  return colon < 1 ? null : { kind: 'field', owner, name: member.slice(0, colon), type: member.slice(colon + 1) };
}

/** The names and notes of an APK, as its code is printed with them. */
export const codeNamesSchema = z.strictObject({
  /** Another one where anything in it is another. */
  version: z.string(),
  names: z.array(z.tuple([z.string(), z.string()])).max(maxNames),
  /** Symbol, address in a method, text. */
  notes: z.array(z.tuple([z.string(), z.number().nullable(), z.string()])).max(maxNames),
  /** Whether what is called by no word gets readable names. */
  deobfuscate: z.boolean(),
});
export type CodeNames = z.infer<typeof codeNamesSchema>;

/** Why something cannot be named so. */
export const nameFaults = [
  /** The code has no such thing. */
  'unknown',
  /** Something else is called so already. */
  'clash',
  /** Others call it by its name: Android, Java, or a library that is not in the app. */
  'outside',
  /** Java has no such name. */
  'no-name',
] as const;
export type NameFault = (typeof nameFaults)[number];

export const nameChangeSchema = z.object({
  symbol: z.string(),
  address: z.number().nullable(),
  /** The new name; null: it is a note, or the name is taken back. */
  name: z.string().nullable(),
});
export type NameChange = z.infer<typeof nameChangeSchema>;

/** Whether the code, with the names that it has, takes others. */
export const nameCheckSchema = z.object({ changes: z.array(nameChangeSchema).max(maxNames) });

export const nameVerdictsSchema = z.object({
  /** In the order of the changes. */
  results: z.array(
    z.object({
      fault: z.enum(nameFaults).nullable(),
      /** What is in the way. */
      by: z.string().max(maxSymbolLength),
      /** What the class does, whatever is called how: the same in other APKs. */
      class_hash: z.string().max(64),
      /** What it is within its class; null where names alone tell it from others. */
      place: z.string().max(200).nullable(),
      /** Methods that override each other have one name: those that lose theirs. */
      replaces: z.array(z.string()).max(maxReplaced),
    }),
  ),
});
export type NameVerdicts = z.infer<typeof nameVerdictsSchema>;
export type NameVerdict = NameVerdicts['results'][number];

/** The readable names of what is called by no word, besides those that analysts gave. */
export const derivedNamesSchema = z.object({
  names: z.array(z.tuple([z.string(), z.string()])).max(maxDerivedNames),
});
export type DerivedNames = z.infer<typeof derivedNamesSchema>;

/** The things of a class by their places within it. */
export const codePlacesQuerySchema = z.object({ class: z.string(), dex: z.string().optional() });
export const codePlacesSchema = z.object({
  class_hash: z.string().max(64),
  places: z.array(z.object({ place: z.string().max(200), symbol: z.string() })).max(maxNames),
});
export type CodePlaces = z.infer<typeof codePlacesSchema>;

/** Hashes of classes that are looked for in one APK. */
export const maxSoughtHashes = 20_000;
export const maxEqualClasses = 5000;
export const equalClassesQuerySchema = z.object({ hashes: z.array(z.string().max(64)).max(maxSoughtHashes) });
/** The classes of an app that do what others do, by their hash, with the places that the names are given to. */
export const equalClassesSchema = z.object({ classes: z.array(codePlacesSchema).max(maxEqualClasses) });
export type EqualClasses = z.infer<typeof equalClassesSchema>;
