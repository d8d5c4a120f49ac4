// What an analyst looks up inside one APK beyond its reports: contents of files, resources, code. Imports zod only.
import { z } from 'zod';
import { formBooleanSchema } from '../list.ts';
import { type BundleList, type BundleStrings, bundleStringsQuerySchema, bundlesQuerySchema } from './bundles.ts';
import { type CallGraph, callGraphQuerySchema } from './call-graph.ts';
import { type CodeAt, codeAtQuerySchema } from './code-at.ts';
import { type CodeBytes, codeBytesQuerySchema } from './code-bytes.ts';
import {
  type CodePlaces,
  codePlacesQuerySchema,
  type DerivedNames,
  type EqualClasses,
  equalClassesQuerySchema,
  type NameVerdicts,
  nameCheckSchema,
} from './code-names.ts';
import { dexField, type JavaSearch, type JavaSource, javaQuerySchema, javaSearchQuerySchema } from './java-source.ts';
import {
  type NativeCode,
  type NativeFunctions,
  type NativeMethods,
  nativeCodeQuerySchema,
  nativeFunctionsQuerySchema,
  nativeMethodsQuerySchema,
} from './native-code.ts';

/** Bytes that one request hands out at most. */
export const maxContentLength = 1024 * 1024;
/** Longer smali is cut at a line. */
export const maxSmaliLength = 4 * 1024 * 1024;
/** References and hits that one request lists at most. */
export const maxListed = 500;
/** Names repeat in an archive, hostile ones on purpose: `index` says which entry is meant, in the order of the directory. */
const placeFields = {
  path: z
    .string()
    .max(65_535)
    .optional()
    .describe('Name of an entry, or of a file that came out of the APK; without it the APK itself'),
  nth: z.coerce
    .number()
    .int()
    .nonnegative()
    .default(0)
    .describe('Which of the entries of this name, from 0, the one that Android takes'),
  index: z.coerce
    .number()
    .int()
    .nonnegative()
    .optional()
    .describe("Place in the archive's directory; goes before `path`"),
};
const offsetField = z.coerce.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER).default(0);
const listFields = { offset: offsetField, limit: z.coerce.number().int().positive().max(maxListed).default(100) };

export const entryQuerySchema = z.object(placeFields);
export const contentQuerySchema = z.object({
  ...placeFields,
  offset: offsetField,
  length: z.coerce
    .number()
    .int()
    .nonnegative()
    .max(maxContentLength)
    .default(64 * 1024),
});

export const byteSearchQuerySchema = z.object({
  ...placeFields,
  q: z.string().min(1).max(1000),
  as: z.enum(['text', 'hex']).default('text').describe('text: in UTF-8 and in UTF-16; hex: pairs of digits'),
});

/** Where a text or bytes stand in a file. */
export const byteSearchSchema = z.object({
  /** Bytes of the file. */
  size: z.number(),
  count: z.number(),
  /** The first ones. */
  results: z.array(z.object({ offset: z.number(), length: z.number() })).max(1000),
});
export type ByteSearch = z.infer<typeof byteSearchSchema>;

/** How much the bytes of a file tell, in bits by byte, from 0 to 8. */
export const entropySchema = z.object({
  size: z.number(),
  entropy: z.number(),
  /** Length of the stretches in bytes; the last one may be shorter. */
  block: z.number(),
  blocks: z.array(z.number()).max(256),
});
export type Entropy = z.infer<typeof entropySchema>;

export const xmlTextSchema = z.object({
  path: z.string(),
  /** Binary XML as text, names of resources filled in. */
  text: z.string(),
});
export type XmlText = z.infer<typeof xmlTextSchema>;

export const resourceOutlineSchema = z.object({
  packages: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      types: z.array(z.object({ name: z.string(), count: z.number() })),
    }),
  ),
});
export type ResourceOutline = z.infer<typeof resourceOutlineSchema>;

export const resourceQuerySchema = z.object({
  type: z.string().max(500).optional(),
  search: z.string().max(500).default('').describe('Part of a name or a value, case-insensitive'),
  ...listFields,
});

export const resourceSchema = z.object({
  /** `0x7f0a0001` */
  id: z.string(),
  type: z.string(),
  name: z.string(),
  values: z.array(
    z.object({
      /** Qualifiers, `de-land-xxhdpi`; empty for the default. */
      config: z.string(),
      kind: z.enum(['string', 'file', 'color', 'reference', 'bag', 'other']),
      value: z.string(),
    }),
  ),
  /** How many there are; `values` holds the first ones. */
  values_count: z.number(),
});
export type Resource = z.infer<typeof resourceSchema>;

export const resourcePageSchema = z.object({
  count: z.number(),
  /** The search ended early: there may be more. */
  is_cut: z.boolean(),
  results: z.array(resourceSchema),
});
export type ResourcePage = z.infer<typeof resourcePageSchema>;

export const codeOutlineSchema = z.object({
  dexes: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      size: z.number(),
      classes: z.number(),
      methods: z.number(),
      fields: z.number(),
      strings: z.number(),
      /** Not among those that Android loads by itself: in assets, under another name, in an archive inside the APK. */
      is_embedded: z.boolean(),
    }),
  ),
  /** Files of code that could not be opened. */
  unreadable: z.array(z.object({ name: z.string(), reason: z.string() })),
});
export type CodeOutline = z.infer<typeof codeOutlineSchema>;

export const packageQuerySchema = z.object({
  dex: dexField,
  package: z.string().max(65_535).default('').describe('With slashes, `com/example`; empty for the top'),
  offset: offsetField,
  limit: z.coerce.number().int().positive().max(5000).default(2000),
});

export const codePackageSchema = z.object({
  package: z.string(),
  /** The app's own and those on the way to it first, those of known libraries last. */
  packages: z.array(
    z.object({
      name: z.string(),
      classes: z.number(),
      /** Whether all of its classes have names of known libraries, which anybody may use. */
      is_library: z.boolean(),
    }),
  ),
  /** How many classes stand in this very package; `classes` is a page of them. */
  classes_count: z.number(),
  classes: z.array(
    z.object({
      /** Descriptor, `Lcom/example/A;`. */
      name: z.string(),
      dex: z.string(),
      kind: z.enum(['class', 'interface', 'enum', 'annotation', 'abstract']),
      /** The name that it was given, without its package; null where it has its own. */
      renamed: z.string().nullable(),
    }),
  ),
});
export type CodePackage = z.infer<typeof codePackageSchema>;

export const classQuerySchema = z.object({
  name: z.string().min(1).max(65_535).describe('Descriptor, `Lcom/example/A;`'),
  dex: z
    .string()
    .max(1000)
    .optional()
    .describe('Which dex, where several define the class; else the first, as on Android'),
});

const memberFields = {
  name: z.string(),
  /** The name that it was given; null where it has its own. */
  renamed: z.string().nullable(),
  /** `(I)V` of a method, `I` of a field. */
  descriptor: z.string(),
  access: z.array(z.string()),
  /** Line of the smali text, from 1; null where the text was cut before it. */
  line: z.number().nullable(),
};

export const codeClassSchema = z.object({
  name: z.string(),
  /** The descriptor that goes with the name that it was given; null where it has its own. */
  renamed: z.string().nullable(),
  dex: z.string(),
  /** Every dex that defines it. */
  dexes: z.array(z.string()),
  access: z.array(z.string()),
  superclass: z.string().nullable(),
  interfaces: z.array(z.string()),
  source: z.string().nullable(),
  /** Classes of the app that extend or implement it, the first hundred. */
  subclasses: z.array(z.string()),
  fields: z.array(z.object(memberFields)),
  methods: z.array(
    z.object({
      ...memberFields,
      has_code: z.boolean(),
      /** Where the instructions stand, in code units: each is a block of the smali, after an empty line. */
      addresses: z.array(z.number()),
    }),
  ),
  /** With names and notes that were given. */
  smali: z.string(),
  /** What the smali calls otherwise than the code: what it says there, and the symbol. */
  shown: z.array(z.object({ text: z.string(), symbol: z.string() })),
  is_cut: z.boolean(),
});
export type CodeClass = z.infer<typeof codeClassSchema>;

export const referenceQuerySchema = z.object({
  of: z
    .string()
    .min(1)
    .max(65_535)
    .describe(
      '`Lcom/a/B;`, `Lcom/a/B;->m(I)V`, `Lcom/a/B;->f:I`, or a string constant after a quotation mark: `"http`',
    ),
  direction: z.enum(['callers', 'callees']).default('callers'),
  ...listFields,
});

export const codePlaceSchema = z.object({
  dex: z.string(),
  /** Descriptor of the class that the instruction stands in. */
  class: z.string(),
  /** `m(I)V`; empty where a class as such is meant. */
  method: z.string(),
  /** Code units from the method's start. */
  offset: z.number(),
  /** `invoke-virtual`, `const-string`, `extends` … */
  opcode: z.string(),
  kind: z.enum(['string', 'type', 'field', 'method']),
  /** What it refers to, as written there. */
  target: z.string(),
  /** Whether the app itself defines what it refers to. */
  is_own: z.boolean(),
});
export type CodePlace = z.infer<typeof codePlaceSchema>;

export const referencePageSchema = z.object({
  /** Exact unless `is_cut`. */
  count: z.number(),
  is_cut: z.boolean(),
  results: z.array(codePlaceSchema),
});
export type ReferencePage = z.infer<typeof referencePageSchema>;

export const codeHitKinds = ['class', 'method', 'field', 'string', 'api'] as const;
export type CodeHitKind = (typeof codeHitKinds)[number];

export const codeSearchQuerySchema = z.object({
  q: z.string().min(1).max(1000),
  dex: dexField,
  kinds: z
    .string()
    .optional()
    .describe(
      'Separated by commas: `class`, `method`, `field` (what the app defines), `string` (constants), `api` (what it calls of others)',
    ),
  regex: formBooleanSchema.default(false),
  case: formBooleanSchema.default(false).describe('Whether upper and lower case differ'),
  ...listFields,
});

export const codeHitSchema = z.object({
  kind: z.enum(codeHitKinds),
  /** Full descriptor of a class, method, field or API; the constant of a string. */
  text: z.string(),
  /** What it is called now, where that is not what the code calls it: a class after its package, a member by its name alone. */
  renamed: z.string().nullable(),
  dex: z.string(),
  /** Instructions that refer to it. */
  uses: z.number(),
});
export type CodeHit = z.infer<typeof codeHitSchema>;

export const codeSearchPageSchema = z.object({
  count: z.number(),
  /** How many of each kind. */
  counts: z.record(z.string(), z.number()),
  /** The search ended early, by time or number: there may be more. */
  is_cut: z.boolean(),
  results: z.array(codeHitSchema),
});
export type CodeSearchPage = z.infer<typeof codeSearchPageSchema>;

/** What calls interfaces that a permission guards, by permission, most used first. */
export const permissionUsesSchema = z.object({
  permissions: z.array(
    z.object({
      name: z.string(),
      count: z.number(),
      /** The first ones. */
      uses: z.array(codePlaceSchema),
    }),
  ),
});
export type PermissionUses = z.infer<typeof permissionUsesSchema>;

/** What a worker is asked. Which entry is meant: by place, else by name, else the APK itself. */
export const explorationSchema = z.discriminatedUnion('ask', [
  contentQuerySchema.extend({ ask: z.literal('content') }),
  byteSearchQuerySchema.extend({ ask: z.literal('byte-search') }),
  entryQuerySchema.extend({ ask: z.literal('entropy') }),
  entryQuerySchema.extend({ ask: z.literal('image') }),
  entryQuerySchema.extend({ ask: z.literal('xml') }),
  z.object({ ask: z.literal('resource-outline') }),
  resourceQuerySchema.extend({ ask: z.literal('resources') }),
  z.object({ ask: z.literal('code-outline') }),
  packageQuerySchema.extend({ ask: z.literal('package') }),
  classQuerySchema.extend({ ask: z.literal('class') }),
  javaQuerySchema.extend({ ask: z.literal('java') }),
  javaSearchQuerySchema.extend({ ask: z.literal('java-search') }),
  referenceQuerySchema.extend({ ask: z.literal('references') }),
  callGraphQuerySchema.extend({ ask: z.literal('call-graph') }),
  codeBytesQuerySchema.extend({ ask: z.literal('code-bytes') }),
  codeAtQuerySchema.extend({ ask: z.literal('code-at') }),
  codeSearchQuerySchema.extend({ ask: z.literal('code-search') }),
  z.object({ ask: z.literal('permission-uses') }),
  nameCheckSchema.extend({ ask: z.literal('name-check') }),
  codePlacesQuerySchema.extend({ ask: z.literal('code-places') }),
  z.strictObject({ ask: z.literal('derived-names') }),
  equalClassesQuerySchema.extend({ ask: z.literal('equal-classes') }),
  nativeFunctionsQuerySchema.extend({ ask: z.literal('native-functions') }),
  nativeCodeQuerySchema.extend({ ask: z.literal('native-code') }),
  nativeMethodsQuerySchema.extend({ ask: z.literal('native-methods') }),
  bundlesQuerySchema.extend({ ask: z.literal('bundles') }),
  bundleStringsQuerySchema.extend({ ask: z.literal('bundle-strings') }),
]);
export type Exploration = z.infer<typeof explorationSchema>;

export interface ExplorationAnswers {
  content: { bytes: Uint8Array; size: number };
  'byte-search': ByteSearch;
  entropy: Entropy;
  image: { mediaType: string; bytes: Uint8Array };
  xml: XmlText;
  'resource-outline': ResourceOutline;
  resources: ResourcePage;
  'code-outline': CodeOutline;
  package: CodePackage;
  class: CodeClass;
  java: JavaSource;
  'java-search': JavaSearch;
  references: ReferencePage;
  'call-graph': CallGraph;
  'code-bytes': CodeBytes;
  'code-at': CodeAt;
  'code-search': CodeSearchPage;
  'permission-uses': PermissionUses;
  'name-check': NameVerdicts;
  'code-places': CodePlaces;
  'derived-names': DerivedNames;
  'equal-classes': EqualClasses;
  'native-functions': NativeFunctions;
  'native-code': NativeCode;
  'native-methods': NativeMethods;
  bundles: BundleList;
  'bundle-strings': BundleStrings;
}
export type ExplorationKind = keyof ExplorationAnswers;
