// New inputs from the builders of the formats: well-formed for the most part, and odd where damaged bytes seldom are.
import { type SigningPair, signingBlock } from '../fixtures/apk-signing.ts';
import { buildTable, type EntryEncoding, type ValueSpec } from '../fixtures/arsc-builder.ts';
import { buildAxml, type ElementSpec, element } from '../fixtures/axml-builder.ts';
import { buildDex, type ClassSpec, type CodeSpec } from '../fixtures/dex-builder.ts';
import { buildZip, type ZipEntryPlan } from '../fixtures/zip-builder.ts';
import { pickOf, type Random } from './random.ts';

/** Some of a list of so many at most. */
const some = <T>(most: number, random: Random, make: (index: number) => T): T[] =>
  Array.from({ length: random(most + 1) }, (_, index) => make(index));
const isOnce = (random: Random, in_: number): boolean => random(in_) === 0;
const bytesOf = (most: number, random: Random): Buffer => Buffer.from(some(most, random, () => random(256)));
const numbers = [0, 1, 0x7f, 0x80, 0xffff, 0x3f800000, 0x7fffffff, 0x80000000, 0xffffffff, 0x7f010000, 0x01010003];
const words = [
  '',
  'a',
  'android',
  'android.permission.SEND_SMS',
  '.Main',
  '@string/x',
  '%s',
  '../',
  'x'.repeat(300),
  '\0',
  '\ud800',
  '😀',
];

export interface XmlWords {
  tags: readonly string[];
  names: readonly string[];
  values: readonly (string | number | boolean)[];
}

/** Elements of these names, some levels deep. */
export function builtElement({ tags, names, values }: XmlWords, random: Random, depth = 0): ElementSpec {
  const valueFor = () =>
    random(2) === 0 ? pickOf(values, random) : { type: random(0x20), data: pickOf(numbers, random) };
  const attributes = some(6, random, () => [`android:${pickOf(names, random)}`, valueFor()] as const);
  const children = depth > 4 ? [] : some(3, random, () => builtElement({ tags, names, values }, random, depth + 1));
  return element(pickOf(tags, random), Object.fromEntries(attributes), ...children);
}

const manifest: XmlWords = {
  tags: 'manifest application activity activity-alias service receiver provider intent-filter action category data uses-permission permission uses-sdk uses-feature meta-data instrumentation'.split(
    ' ',
  ),
  names:
    'name label icon exported enabled permission process minSdkVersion targetSdkVersion versionCode versionName scheme host path authorities value targetActivity debuggable sharedUserId'.split(
      ' ',
    ),
  values: [...words, 0, -1, 35, true],
};

export const builtXml = (random: Random): Buffer => Buffer.from(buildAxml(builtElement(manifest, random)));

export function builtTable(random: Random): Buffer {
  const value = (): ValueSpec => {
    if (isOnce(random, 3)) return pickOf(words, random);
    if (isOnce(random, 4)) {
      const items = some(4, random, () => ({
        name: pickOf(numbers, random),
        type: random(0x20),
        data: pickOf(numbers, random),
      }));
      return { parent: pickOf(numbers, random), items };
    }
    return { type: random(0x20), data: pickOf(numbers, random) };
  };
  const encodings: readonly EntryEncoding[] = ['plain', 'sparse', 'offset16', 'compact'];
  const types = some(4, random, () => {
    const entries = some(5, random, (index) => (isOnce(random, 5) ? null : `entry${index}`));
    const values = some(3, random, () => ({
      config: {
        locale: pickOf(['', 'de', 'pt-BR', 'fil'], random),
        density: pickOf([0, 160, 0xffff], random),
        sdkVersion: random(40),
      },
      encoding: pickOf(encodings, random),
      values: Object.fromEntries(entries.flatMap((name, index) => (name === null ? [] : [[index, value()]]))),
    }));
    return { name: pickOf(['string', 'drawable', 'id', ''], random), entries, values };
  });
  const packages = some(2, random, () => ({
    id: pickOf([0x7f, 0x01, 0x00, 0xff], random),
    types,
    extra: some(1, random, () => bytesOf(40, random)),
  }));
  return Buffer.from(buildTable(packages, { pool: { utf8: isOnce(random, 2) }, packageCount: random(4) }));
}

const descriptors = ['LA;', 'LB;', 'La/b/C$D;', 'Ljava/lang/Object;', '[I', 'I', 'L;', 'V', 'Lx'];

function builtCode(random: Random): CodeSpec {
  const units = some(60, random, () => (isOnce(random, 2) ? random(256) : random(0x10000)));
  const tries = some(2, random, () => ({ start: random(70), count: random(70), handler: random(20) }));
  return {
    registers: random(20),
    ins: random(4),
    units,
    ...(tries.length === 0 ? {} : { tries, handlers: [...bytesOf(20, random)] }),
    ...(isOnce(random, 3) ? { debug: [...bytesOf(40, random)] } : {}),
    ...(isOnce(random, 10) ? { declaredUnits: pickOf(numbers, random) } : {}),
  };
}

export function builtDex(random: Random): Buffer {
  const shared = builtCode(random);
  const classes = some(
    5,
    random,
    (index): ClassSpec => ({
      descriptor: isOnce(random, 4) ? pickOf(descriptors, random) : `LC${index};`,
      accessFlags: random(0x40000),
      superclass: pickOf(descriptors, random),
      interfaces: some(2, random, () => pickOf(descriptors, random)),
      fields: some(3, random, (field) => ({
        name: `f${field}`,
        type: pickOf(descriptors, random),
        accessFlags: random(0x10000),
      })),
      methods: some(4, random, (method) => ({
        name: pickOf(['<init>', '<clinit>', `m${method}`], random),
        descriptor: pickOf(['()V', '(ILA;[[J)LB;', '(D)I'], random),
        accessFlags: random(0x20000),
        isVirtual: isOnce(random, 2),
        ...(isOnce(random, 5) ? {} : { code: isOnce(random, 4) ? shared : builtCode(random) }),
      })),
      ...(isOnce(random, 3) ? { staticValues: [...bytesOf(30, random)] } : {}),
    }),
  );
  const strings = some(4, random, () => (isOnce(random, 3) ? bytesOf(20, random) : pickOf(words, random)));
  return buildDex({ version: pickOf(['035', '037', '039', '040', '041'], random), strings, classes });
}

const entryNames = [
  'AndroidManifest.xml',
  'classes.dex',
  'a/',
  'a',
  '../a',
  '/a',
  'a\\b',
  'META-INF/CERT.RSA',
  '',
  '\0',
  'ä',
];

function builtEntry(random: Random): ZipEntryPlan {
  const lies = (): Partial<ZipEntryPlan> =>
    pickOf<Partial<ZipEntryPlan>>(
      [
        { size: pickOf(numbers, random) },
        { compressedSize: pickOf(numbers, random) },
        { crc32: pickOf(numbers, random) },
        { flags: random(0x10000) },
        { method: random(100) },
        { localHeaderOffset: pickOf(numbers, random) },
        { extra: bytesOf(30, random) },
        { local: { name: pickOf(entryNames, random), size: pickOf(numbers, random) } },
        { isDirectoryOnly: true },
        { isLocalOnly: true },
        { before: bytesOf(20, random) },
        { packed: bytesOf(40, random) },
      ],
      random,
    );
  return {
    name: pickOf(entryNames, random),
    content: pickOf(words, random).repeat(random(30)),
    method: pickOf([0, 8], random),
    hasDescriptor: isOnce(random, 4),
    isZip64: isOnce(random, 4),
    ...(isOnce(random, 2) ? lies() : {}),
  };
}

export const builtZip = (random: Random): Buffer =>
  buildZip({
    entries: some(5, random, () => builtEntry(random)),
    isZip64: isOnce(random, 3),
    comment: bytesOf(10, random),
    ...(isOnce(random, 4) ? { prefix: bytesOf(30, random), offsetsIncludePrefix: isOnce(random, 2) } : {}),
    ...(isOnce(random, 4) ? { beforeDirectory: bytesOf(60, random) } : {}),
    ...(isOnce(random, 4) ? { end: { entryCount: random(10), directoryOffset: pickOf(numbers, random) } } : {}),
  });

/** Lengths and bytes inside each other, as signing blocks are made of. */
function builtSequence(random: Random, depth = 0): Buffer {
  const content =
    depth > 5 || isOnce(random, 4)
      ? bytesOf(30, random)
      : Buffer.concat(some(3, random, () => builtSequence(random, depth + 1)));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(isOnce(random, 20) ? pickOf(numbers, random) : content.length);
  return Buffer.concat([length, content]);
}

/** An archive with a signing block of these pairs, some of which are of the schemes. */
export function builtSignedZip(ids: readonly number[], random: Random): Buffer {
  const pairs = some(
    4,
    random,
    (): SigningPair => [isOnce(random, 4) ? pickOf(numbers, random) : pickOf(ids, random), builtSequence(random)],
  );
  const lies = isOnce(random, 8) ? { headerSize: pickOf(numbers, random) } : {};
  return buildZip({
    entries: [{ name: 'a', content: 'a' }],
    beforeDirectory: signingBlock(pairs, lies, isOnce(random, 4)),
  });
}
