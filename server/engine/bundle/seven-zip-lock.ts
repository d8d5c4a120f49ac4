// Takes the encryption out of a 7z archive: its streams are decrypted, and its header says of them what it said before, but for
// the coders that decrypt. What the archive is packed with stays. Knows nothing of the files.
// Format: 7zFormat.txt of the LZMA SDK (https://www.7-zip.org/sdk.html); key: CPP/7zip/Crypto/7zAes.cpp
import { createDecipheriv, createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Properties of the header. */
const property = {
  end: 0x00,
  header: 0x01,
  mainStreams: 0x04,
  files: 0x05,
  packInfo: 0x06,
  unpackInfo: 0x07,
  subStreams: 0x08,
  size: 0x09,
  checksums: 0x0a,
  folder: 0x0b,
  unpackSizes: 0x0c,
  filesInFolders: 0x0d,
  names: 0x11,
  encodedHeader: 0x17,
} as const;
const signature = Buffer.from('377abcaf271c0004', 'hex');
const signatureHeaderLength = 32;
const copyCoder = '00';
const aesCoder = '06f10701';
/** A chain of filters has three or four of them; 7-Zip itself takes no more. */
const maxCoders = 32;
/** 7-Zip makes keys with 2^19 rounds, and refuses more than this. */
const maxRoundsPower = 24;
/** Of a header once it is unpacked: that of 100,000 files takes some megabytes. */
const maxHeaderBytes = 256 * 1024 ** 2;

interface Coder {
  id: string;
  inputs: number;
  outputs: number;
  properties: Buffer;
}

/** Coders that lead into each other: one or more packed streams go in, one unpacked stream comes out. */
interface Folder {
  coders: Coder[];
  /** Which input is fed by which output. */
  bonds: { input: number; output: number }[];
  /** Inputs that packed streams feed, in their order. */
  packed: number[];
  /** Unpacked, of each output. */
  sizes: number[];
}

interface Streams {
  /** Behind the signature header. */
  position: number;
  packSizes: number[];
  folders: Folder[];
  /** As they stand there, with the end of the property. */
  checksums: Buffer;
  /** Of which folders there is one. */
  hasChecksum: boolean[];
  /** What follows in the header. */
  rest: Buffer;
}

/** Unpacks the beginning of the first file of an archive, at most so many bytes. */
export type Unpack = (archive: Buffer, max: number) => Promise<Buffer>;

/** @throws RangeError at its end */
class HeaderReader {
  readonly #bytes: Buffer;
  #place = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  byte(): number {
    return this.#bytes.readUInt8(this.#place++);
  }

  take(length: number): Buffer {
    if (length > this.#bytes.length - this.#place) throw new RangeError('the header ends early');
    this.#place += length;
    return this.#bytes.subarray(this.#place - length, this.#place);
  }

  rest(): Buffer {
    return this.#bytes.subarray(this.#place);
  }

  /** The ones at the left of the first byte say how many bytes follow. */
  number(): number {
    const first = this.byte();
    let value = 0n;
    for (let index = 0; index < 8; index++) {
      const mask = 0x80 >> index;
      if ((first & mask) === 0) {
        value |= BigInt(first & (mask - 1)) << BigInt(8 * index);
        break;
      }
      value |= BigInt(this.byte()) << BigInt(8 * index);
    }
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError('a number that is too large');
    return Number(value);
  }

  expect(wanted: number): void {
    if (this.byte() !== wanted) throw new RangeError('an unknown header');
  }
}

const written = (value: number): Buffer => {
  if (value < 0x80) return Buffer.from([value]);
  const bytes = Buffer.alloc(9, 0xff);
  bytes.writeBigUInt64LE(BigInt(value), 1);
  return bytes;
};

function readFolder(reader: HeaderReader): Folder {
  const count = reader.number();
  if (count > maxCoders) throw new RangeError('too many coders');
  const coders = Array.from({ length: count }, (): Coder => {
    const flags = reader.byte();
    const id = reader.take(flags & 0x0f).toString('hex');
    const [inputs, outputs] = flags & 0x10 ? [reader.number(), reader.number()] : [1, 1];
    if (inputs > maxCoders || outputs > maxCoders) throw new RangeError('too many streams');
    return { id, inputs, outputs, properties: flags & 0x20 ? reader.take(reader.number()) : Buffer.alloc(0) };
  });
  const inputs = coders.reduce((sum, coder) => sum + coder.inputs, 0);
  const outputs = coders.reduce((sum, coder) => sum + coder.outputs, 0);
  const bonds = Array.from({ length: Math.max(0, outputs - 1) }, () => ({
    input: reader.number(),
    output: reader.number(),
  }));
  const free = inputs - bonds.length;
  const unbound = Array.from({ length: inputs }, (_, input) => input).filter(
    (input) => !bonds.some((bond) => bond.input === input),
  );
  const packed = free === 1 ? unbound.slice(0, 1) : Array.from({ length: free }, () => reader.number());
  return { coders, bonds, packed, sizes: Array<number>(outputs).fill(0) };
}

/** @param reader behind the property that begins them */
function readStreams(reader: HeaderReader): Streams {
  reader.expect(property.packInfo);
  const position = reader.number();
  const packCount = reader.number();
  reader.expect(property.size);
  const packSizes: number[] = [];
  while (packSizes.length < packCount) packSizes.push(reader.number());
  // Checksums of packed streams would be those of the encrypted ones.
  for (let kind = reader.byte(); kind !== property.end; kind = reader.byte()) {
    if (kind !== property.checksums) throw new RangeError('an unknown header');
    readChecksums(reader, packCount);
  }
  reader.expect(property.unpackInfo);
  reader.expect(property.folder);
  const folderCount = reader.number();
  reader.expect(0);
  const folders: Folder[] = [];
  while (folders.length < folderCount) folders.push(readFolder(reader));
  reader.expect(property.unpackSizes);
  for (const folder of folders) folder.sizes = folder.sizes.map(() => reader.number());
  return { position, packSizes, folders, ...checksumsAndRest(reader, folderCount) };
}

/** Passes over checksums. @returns of which of so many there is one */
function readChecksums(reader: HeaderReader, count: number): boolean[] {
  const isAll = reader.byte() !== 0;
  const marks = isAll ? null : reader.take(Math.ceil(count / 8));
  const has = Array.from({ length: count }, (_, index) =>
    marks === null ? true : (marks[index >> 3]! & (0x80 >> (index & 7))) !== 0,
  );
  reader.take(4 * has.filter(Boolean).length);
  return has;
}

function checksumsAndRest(
  reader: HeaderReader,
  folderCount: number,
): Pick<Streams, 'checksums' | 'hasChecksum' | 'rest'> {
  const before = reader.rest();
  const kind = reader.byte();
  let hasChecksum = Array<boolean>(folderCount).fill(false);
  if (kind === property.checksums) {
    hasChecksum = readChecksums(reader, folderCount);
    reader.expect(property.end);
  } else if (kind !== property.end) throw new RangeError('an unknown header');
  const rest = reader.rest();
  return { checksums: before.subarray(0, before.length - rest.length), hasChecksum, rest };
}

const firstInput = (folder: Folder, coder: number): number =>
  folder.coders.slice(0, coder).reduce((sum, { inputs }) => sum + inputs, 0);
const firstOutput = (folder: Folder, coder: number): number =>
  folder.coders.slice(0, coder).reduce((sum, { outputs }) => sum + outputs, 0);
const isAes = ({ id, inputs, outputs }: Coder): boolean => id === aesCoder && inputs === 1 && outputs === 1;

/** The folder without one of its coders: what came to it goes where what it made went. */
function withoutCoder(folder: Folder, coder: number): Folder {
  const input = firstInput(folder, coder);
  const output = firstOutput(folder, coder);
  const coders = folder.coders.filter((_, index) => index !== coder);
  if (coders.length === 0) {
    return { ...folder, coders: [{ id: copyCoder, inputs: 1, outputs: 1, properties: Buffer.alloc(0) }] };
  }
  const next = folder.bonds.find((bond) => bond.output === output)?.input;
  // Encryption comes last when packing; where it made the file itself, there is nothing after it to feed.
  if (next === undefined) throw new RangeError('encryption in an unknown place');
  const shiftedInput = (place: number) => (place > input ? place - 1 : place);
  const bonds = folder.bonds
    .filter((bond) => bond.output !== output)
    .map((bond) => ({
      input: shiftedInput(bond.input),
      output: bond.output > output ? bond.output - 1 : bond.output,
    }));
  return {
    coders,
    bonds,
    packed: folder.packed.map((place) => shiftedInput(place === input ? next : place)),
    sizes: folder.sizes.filter((_, index) => index !== output),
  };
}

const keys = new Map<string, Buffer>();

/** @throws RangeError where so many rounds are asked for that it would not end */
function keyOf(power: number, salt: Buffer, password: string): Buffer {
  if (power > maxRoundsPower) throw new RangeError('too many rounds for a key');
  const name = `${power} ${salt.toString('hex')} ${password}`;
  const known = keys.get(name);
  if (known !== undefined) return known;
  const start = Buffer.concat([salt, Buffer.from(password, 'utf16le')]);
  const stride = start.length + 8;
  const rounds = 2 ** power;
  const batch = Math.min(rounds, 4096);
  const block = Buffer.alloc(stride * batch);
  const hash = createHash('sha256');
  for (let round = 0; round < batch; round++) start.copy(block, round * stride);
  for (let done = 0; done < rounds; done += batch) {
    for (let round = 0; round < batch; round++) {
      block.writeUInt32LE(done + round, round * stride + start.length);
    }
    hash.update(block);
  }
  const key = hash.digest();
  if (keys.size >= 100) keys.clear();
  keys.set(name, key);
  return key;
}

function decrypted(stream: Buffer, { properties }: Coder, password: string): Buffer {
  const [first = 0, second = 0] = properties;
  const saltLength = (first >> 7) + (second >> 4);
  const vectorLength = ((first >> 6) & 1) + (second & 0x0f);
  const salt = properties.subarray(2, 2 + saltLength);
  const vector = Buffer.alloc(16);
  properties.subarray(2 + saltLength, 2 + saltLength + vectorLength).copy(vector);
  const cipher = createDecipheriv('aes-256-cbc', keyOf(first & 0x3f, salt, password), vector);
  cipher.setAutoPadding(false);
  return cipher.update(stream.subarray(0, stream.length - (stream.length % 16)));
}

/** The packed streams of an archive, decrypted, with what is said of them then. */
function openedStreams(bytes: Buffer, streams: Streams, password: string): { packed: Buffer[]; streams: Streams } {
  const packed: Buffer[] = [];
  let place = signatureHeaderLength + streams.position;
  let number = 0;
  const folders = streams.folders.map((given) => {
    let folder = given;
    const start = number;
    for (const _ of given.packed) {
      const size = streams.packSizes[number++] ?? 0;
      packed.push(bytes.subarray(place, place + size));
      place += size;
    }
    for (;;) {
      const coder = folder.coders.findIndex(isAes);
      if (coder < 0) return folder;
      const way = folder.packed.indexOf(firstInput(folder, coder));
      if (way < 0) throw new RangeError('encryption in an unknown place');
      const plain = decrypted(packed[start + way]!, folder.coders[coder]!, password);
      packed[start + way] = plain.subarray(0, folder.sizes[firstOutput(folder, coder)]);
      folder = withoutCoder(folder, coder);
    }
  });
  return { packed, streams: { ...streams, position: 0, packSizes: packed.map(({ length }) => length), folders } };
}

function writtenFolder({ coders, bonds, packed }: Folder): Buffer {
  const words: Buffer[] = [written(coders.length)];
  for (const { id, inputs, outputs, properties } of coders) {
    const isSimple = inputs === 1 && outputs === 1;
    const flags = id.length / 2 + (isSimple ? 0 : 0x10) + (properties.length > 0 ? 0x20 : 0);
    words.push(Buffer.from([flags]), Buffer.from(id, 'hex'));
    if (!isSimple) words.push(written(inputs), written(outputs));
    if (properties.length > 0) words.push(written(properties.length), properties);
  }
  for (const { input, output } of bonds) words.push(written(input), written(output));
  if (packed.length > 1) words.push(...packed.map(written));
  return Buffer.concat(words);
}

const writtenStreams = ({ position, packSizes, folders, checksums }: Streams): Buffer =>
  Buffer.concat([
    ...[Buffer.from([property.packInfo]), written(position), written(packSizes.length)],
    ...[Buffer.from([property.size]), ...packSizes.map(written), Buffer.from([property.end])],
    ...[Buffer.from([property.unpackInfo, property.folder]), written(folders.length), Buffer.from([0])],
    ...folders.map(writtenFolder),
    Buffer.from([property.unpackSizes]),
    ...folders.flatMap(({ sizes }) => sizes.map(written)),
    checksums,
  ]);

function writtenArchive(packed: readonly Buffer[], header: Buffer): Buffer {
  const start = Buffer.alloc(signatureHeaderLength);
  signature.copy(start);
  start.writeBigUInt64LE(BigInt(packed.reduce((sum, { length }) => sum + length, 0)), 12);
  start.writeBigUInt64LE(BigInt(header.length), 20);
  start.writeUInt32LE(crc32(header), 28);
  start.writeUInt32LE(crc32(start.subarray(12)), 8);
  return Buffer.concat([start, ...packed, header]);
}

/** The header's streams as the one file of an archive: what unpacks archives unpacks it. */
const archiveOfHeader = ({ packed, streams }: { packed: readonly Buffer[]; streams: Streams }): Buffer =>
  writtenArchive(
    packed,
    Buffer.concat([
      Buffer.from([property.header, property.mainStreams]),
      writtenStreams(streams),
      // Which libarchive wants to see: one file in each folder.
      Buffer.from([property.subStreams, property.end]),
      Buffer.from([property.end, property.files, 1, property.names, 5, 0, 0x68, 0, 0, 0, property.end, property.end]),
    ]),
  );

function headerOf(bytes: Buffer): Buffer {
  const start = signatureHeaderLength + Number(bytes.readBigUInt64LE(12));
  const end = start + Number(bytes.readBigUInt64LE(20));
  if (end > bytes.length) throw new Error('the archive has lost its end');
  return bytes.subarray(start, end);
}

const isEncoded = (header: Buffer): boolean => header[0] === property.encodedHeader;
const isEncrypted = ({ folders }: Streams): boolean => folders.some(({ coders }) => coders.some(isAes));

/** The header itself, which may be packed and encrypted several times. @throws Error with another password */
async function plainHeader(bytes: Buffer, password: string, unpack: Unpack): Promise<Buffer> {
  let header = headerOf(bytes);
  for (let depth = 0; isEncoded(header); depth++) {
    if (depth === 4) throw new RangeError('a header in too many headers');
    const streams = readStreams(new HeaderReader(header.subarray(1)));
    header = await unpack(archiveOfHeader(openedStreams(bytes, streams, password)), maxHeaderBytes);
  }
  return header;
}

/** Null of an archive without files. */
function mainStreams(header: Buffer): Streams | null {
  const reader = new HeaderReader(header);
  reader.expect(property.header);
  return reader.byte() === property.mainStreams ? readStreams(reader) : null;
}

/**
 * The lock of a 7z archive; null where it has none.
 * @throws Error where it is damaged
 */
export async function sevenZipLock(
  bytes: Buffer,
  unpack: Unpack,
): Promise<{
  /** @throws Error with another password, but not with each */ open(password: string): Promise<Buffer>;
} | null> {
  const header = headerOf(bytes);
  const isHidden = isEncoded(header) && isEncrypted(readStreams(new HeaderReader(header.subarray(1))));
  if (!isHidden) {
    const streams = header.length === 0 ? null : mainStreams(await plainHeader(bytes, '', unpack));
    if (streams === null || !isEncrypted(streams)) return null;
  }
  return {
    async open(password) {
      const streams = mainStreams(await plainHeader(bytes, password, unpack));
      if (streams === null) return bytes;
      const opened = openedStreams(bytes, streams, password);
      const words = [
        Buffer.from([property.header, property.mainStreams]),
        writtenStreams(opened.streams),
        streams.rest,
      ];
      return writtenArchive(opened.packed, Buffer.concat(words));
    },
  };
}

/** Passes over how the streams of folders are cut into files. */
function skipSubStreams(reader: HeaderReader, { folders, hasChecksum }: Streams): void {
  let counts = folders.map(() => 1);
  let kind = reader.byte();
  if (kind === property.filesInFolders) {
    counts = counts.map(() => reader.number());
    kind = reader.byte();
  }
  if (kind === property.size) {
    // The last one of a folder has what is left.
    for (const count of counts) for (let file = 1; file < count; file++) reader.number();
    kind = reader.byte();
  }
  if (kind === property.checksums) {
    const open = counts.reduce((sum, count, index) => sum + (count === 1 && hasChecksum[index] ? 0 : count), 0);
    readChecksums(reader, Math.min(open, maxHeaderBytes));
    kind = reader.byte();
  }
  if (kind !== property.end) throw new RangeError('an unknown header');
}

/** The names of all files and folders of an archive that is not locked, in its order; null where they cannot be read. */
export async function sevenZipNames(bytes: Buffer, unpack: Unpack): Promise<string[] | null> {
  try {
    const streams = mainStreams(await plainHeader(bytes, '', unpack));
    if (streams === null) return null;
    const reader = new HeaderReader(streams.rest);
    let kind = reader.byte();
    if (kind === property.subStreams) {
      skipSubStreams(reader, streams);
      kind = reader.byte();
    }
    if (kind !== property.end) return null;
    reader.expect(property.files);
    reader.number();
    for (kind = reader.byte(); kind !== property.end; kind = reader.byte()) {
      const value = reader.take(reader.number());
      if (kind === property.names && value[0] === 0)
        return value.subarray(1).toString('utf16le').split('\0').slice(0, -1);
    }
    return null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
