// Files that are sealed by a passphrase instead of the installation's key. Knows nothing of what is in them.
import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { ByteSource } from './byte-source.ts';
import { openSealedFile, readDerivation } from './sealed-file.ts';
import { type DerivationCost, fileKey, keySize, SealedFileError, saltSize } from './sealed-format.ts';
import { createSealedWriter, type SealedWriter } from './sealed-writer.ts';

const derive = promisify<string, Uint8Array, number, object, Buffer>(scrypt);

/** OWASP's password storage cheat sheet: N = 2^17, r = 8, p = 1; 128 MiB and some 0.3 s for each guess. */
const usualCost: DerivationCost = { log2N: 17, r: 8, p: 1 };
/** Bounds on the cost that a foreign file may name: half a gigabyte of memory, and twice that in work. */
const maxMemory = 512 * 1024 ** 2;
const maxWork = 2 * maxMemory;

/** Bytes that scrypt takes (RFC 7914 section 2). */
const memoryOf = ({ log2N, r }: DerivationCost) => 128 * 2 ** log2N * r;

/** @throws SealedFileError where the cost is out of bounds */
async function keyOf(passphrase: string, salt: Uint8Array, asked: DerivationCost, path: string): Promise<Buffer> {
  const { log2N, r, p } = asked;
  const memory = memoryOf(asked);
  if (log2N < 1 || r < 1 || p < 1 || memory > maxMemory || memory * p > maxWork) {
    throw new SealedFileError('altered', path, `${path} asks for ${memory} bytes of memory to read its passphrase`);
  }
  // Keyboards of different systems compose the same letters differently (RFC 8265 section 4.2.2).
  return derive(passphrase.normalize('NFC'), salt, keySize, { N: 2 ** log2N, r, p, maxmem: 2 * maxMemory });
}

/**
 * Begins a file sealed by a passphrase; see `createSealedWriter`.
 * @param cost of deriving the key, and so of each guess at the passphrase; stored in the file
 */
export async function createPassphraseWriter(
  path: string,
  passphrase: string,
  cost: DerivationCost = usualCost,
): Promise<SealedWriter> {
  const salt = randomBytes(saltSize);
  return createSealedWriter(path, await keyOf(passphrase, salt, cost, path), { passphrase: { salt, cost } });
}

/** Whether a file is sealed by a passphrase; false for anything else. @throws the system's errors */
export function isPassphraseSealed(path: string): boolean {
  try {
    return readDerivation(path) !== null;
  } catch (error) {
    if (error instanceof SealedFileError && error.code !== 'missing') return false;
    throw error;
  }
}

/**
 * Opens what a passphrase has sealed, to be read at any position.
 * @throws SealedFileError `altered` also where the passphrase is another: the two cannot be told apart
 */
export async function openPassphraseSealed(path: string, passphrase: string): Promise<ByteSource> {
  const derivation = readDerivation(path);
  if (derivation === null) throw new SealedFileError('not-sealed', path, `${path} is not sealed by a passphrase`);
  const { salt } = derivation;
  const masterKey = await keyOf(passphrase, salt, derivation.cost, path);
  return openSealedFile(path, fileKey(masterKey, salt), 0);
}
