// Digests of the whole file. Knows nothing of what it holds.
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ByteSource } from '../../vault/byte-source.ts';
import { ssdeepOfSource } from '../similarity/ssdeep.ts';
import { maxTlshBytes, TlshHasher } from '../similarity/tlsh.ts';

export interface FileDigests {
  /** Upper-case hex, 8 digits. */
  crc32: string;
  md5: string;
  sha1: string;
  sha256: string;
  sha512: string;
  ssdeep: string;
  /** Null where the file is too small for one, or too large. */
  tlsh: string | null;
}

/** Reads the file twice: for the hashes, and once more for the pieces of the fuzzy one. */
export function digestFile(source: ByteSource): FileDigests {
  const hashes = (['md5', 'sha1', 'sha256', 'sha512'] as const).map((name) => createHash(name));
  const fuzzy = source.size <= maxTlshBytes ? new TlshHasher() : null;
  let checksum = 0;
  const ssdeep = ssdeepOfSource(source, (chunk) => {
    checksum = crc32(chunk, checksum);
    for (const each of hashes) each.update(chunk);
    fuzzy?.update(chunk);
  });
  const [md5, sha1, sha256, sha512] = hashes.map((each) => each.digest('hex')) as [string, string, string, string];
  const tlsh = fuzzy?.digest() ?? null;
  return { crc32: checksum.toString(16).toUpperCase().padStart(8, '0'), md5, sha1, sha256, sha512, ssdeep, tlsh };
}
