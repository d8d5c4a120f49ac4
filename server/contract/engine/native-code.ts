// Functions of native libraries and their code, as an analyst looks them up. Imports zod only.
import { z } from 'zod';
import { formBooleanSchema } from '../list.ts';

/** Instructions that one request lists at most. */
const maxInstructions = 1000;
/** Functions that one request lists at most. */
export const maxFunctions = 2000;

export const instructionSets = ['arm', 'thumb', 'arm64', 'x86', 'x86-64'] as const;
export type InstructionSet = (typeof instructionSets)[number];

/**
 * How a function is known: `export` and `symbol` by name, `registered` by a table of JNI methods, `start` as what the linker or the system runs, `unwound` by the
 * tables for exceptions, `called` by a call; `import` is what other libraries have.
 */
const nativeFunctionKinds = ['export', 'symbol', 'registered', 'start', 'unwound', 'called', 'import'] as const;

const pathField = z
  .string()
  .min(1)
  .max(65_535)
  .describe('Name of an entry, or of a file that came out of the APK: `lib/arm64-v8a/libx.so`');

export const nativeFunctionsQuerySchema = z.object({
  path: pathField,
  search: z.string().max(500).default('').describe('Part of a name, or an address `0x1f40`; case-insensitive'),
  kind: z.enum(nativeFunctionKinds).optional(),
  jni: formBooleanSchema.default(false).describe('Only what the virtual machine binds to Java'),
  offset: z.coerce.number().int().nonnegative().max(10_000_000).default(0),
  limit: z.coerce.number().int().positive().max(maxFunctions).default(500),
});

const javaMethodSchema = z.object({
  /** Descriptor, `Lcom/example/Crypto;`. */
  class: z.string(),
  method: z.string(),
  /** Descriptors of the parameters, where the name has them: an overloaded method. */
  parameters: z.string().nullable(),
});

export const nativeFunctionSchema = z.object({
  /** Null of an import. */
  address: z.number().nullable(),
  /** Bytes up to its end, or up to the next function. */
  size: z.number(),
  /** `sub_1f40` where nothing names it. */
  name: z.string(),
  kind: z.enum(nativeFunctionKinds),
  /** The Java method that it implements, by its name or as registered. */
  java: javaMethodSchema.nullable(),
});
export type NativeFunction = z.infer<typeof nativeFunctionSchema>;

export const nativeFunctionsSchema = z.object({
  count: z.number(),
  /** Tables did not fit their bounds or the file, or not all code was looked through for calls: there may be more. */
  is_cut: z.boolean(),
  /** Null where instructions of the machine cannot be shown. */
  instruction_set: z.enum(instructionSets).nullable(),
  results: z.array(nativeFunctionSchema),
});
export type NativeFunctions = z.infer<typeof nativeFunctionsSchema>;

export const nativeCodeQuerySchema = z.object({
  path: pathField,
  address: z.coerce
    .number()
    .int()
    .nonnegative()
    .max(Number.MAX_SAFE_INTEGER)
    .describe('Virtual address of the first instruction, `8000` or `0x1f40`'),
  limit: z.coerce.number().int().positive().max(maxInstructions).default(500),
});

export const nativeReferenceSchema = z.object({
  /** `code` is an address inside of a function. */
  kind: z.enum(['function', 'import', 'string', 'data', 'code']),
  /** Null of an import without a stub. */
  address: z.number().nullable(),
  /** Name of the function, the import or the data; the string itself, cut. Empty where nothing names it. */
  text: z.string(),
});
export type NativeReference = z.infer<typeof nativeReferenceSchema>;

export const nativeCodeSchema = z.object({
  instruction_set: z.enum(instructionSets),
  /** What holds the address; null where no function is known there. */
  function: nativeFunctionSchema.nullable(),
  instructions: z.array(
    z.object({
      address: z.number(),
      /** Pairs of hexadecimal digits. */
      bytes: z.string(),
      mnemonic: z.string(),
      operands: z.string(),
      reference: nativeReferenceSchema.nullable(),
    }),
  ),
  /** Where the next page starts; null at the end of the function. */
  next: z.number().nullable(),
});
export type NativeCode = z.infer<typeof nativeCodeSchema>;

export const nativeMethodsQuerySchema = z.object({
  class: z.string().min(1).max(65_535).describe('Descriptor, `Lcom/example/Crypto;`'),
});

/** Functions that the virtual machine binds to methods of one class. */
export const nativeMethodsSchema = z.object({
  results: z
    .array(
      z.object({
        method: z.string(),
        /** Null: every overload of the name. */
        parameters: z.string().nullable(),
        path: z.string(),
        address: z.number(),
        name: z.string(),
      }),
    )
    .max(maxFunctions),
  /** Libraries that were looked through, and those of them that register methods themselves when they are loaded. */
  libraries: z.number(),
  registering: z.array(z.string()),
  /** Not all libraries or results: there may be more. */
  is_cut: z.boolean(),
});
export type NativeMethods = z.infer<typeof nativeMethodsSchema>;
