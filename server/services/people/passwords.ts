// Hashes and checks passwords. Knows nothing of accounts.
import { randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);

/** What scrypt (RFC 7914) takes for each hash. */
export interface PasswordCost {
  log2N: number;
  r: number;
  p: number;
}

/** OWASP's password storage cheat sheet: N = 2^15, r = 8, p = 3 is one of its equal choices; 32 MiB for each check. */
export const passwordCost: PasswordCost = { log2N: 15, r: 8, p: 3 };
const hashLength = 32;
/** Before the hash of a one-time password: when it was made. Earlier versions noted no time, and those have no end. */
const oneTimeMark = /^once:(?:(\d+):)?/;
/** Microseconds; as long as an invitation, which serves the same end. */
const oneTimeLife = 7 * 86_400_000_000;

/** `scrypt$log2N$r$p$salt$hash`, salt and hash in base64url. */
export async function hashPassword(password: string, { log2N, r, p } = passwordCost): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password.normalize('NFC'), salt, hashLength, optionsOf(log2N, r, p));
  return ['scrypt', log2N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** The hash of a password that opens one session, with a mark in front. @param now microseconds since 1970 UTC */
export const hashOneTimePassword = async (password: string, now: number, cost = passwordCost): Promise<string> =>
  `once:${now}:${await hashPassword(password, cost)}`;

function optionsOf(log2N: number, r: number, p: number) {
  const N = 2 ** log2N;
  return { N, r, p, maxmem: 256 * N * r };
}

/** Compared with where there is no password, so that the time taken tells nothing about which usernames exist. */
const nobodyOf = ({ log2N, r, p }: PasswordCost) =>
  `scrypt$${log2N}$${r}$${p}$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`;

/**
 * @param stored null where there is no account or no password: false, after as much work
 * @param cost of the hashes that are made now
 */
export async function isPassword(password: string, stored: string | null, cost = passwordCost): Promise<boolean> {
  const [, log2N, r, p, salt, hash] = (stored ?? nobodyOf(cost)).replace(oneTimeMark, '').split('$');
  const expected = Buffer.from(hash ?? '', 'base64url');
  const options = optionsOf(Number(log2N), Number(r), Number(p));
  const actual = await derive(password.normalize('NFC'), Buffer.from(salt ?? '', 'base64url'), hashLength, options);
  return expected.length === actual.length && timingSafeEqual(expected, actual) && stored !== null;
}

export const isOneTimeHash = (stored: string | null): boolean => oneTimeMark.test(stored ?? '');

/** Whether it is of a one-time password that was not used in time. @param now microseconds since 1970 UTC */
export function isLapsedHash(stored: string | null, now: number): boolean {
  const [, madeAt] = oneTimeMark.exec(stored ?? '') ?? [];
  // One that a clock of the future has made is over as well.
  return madeAt !== undefined && Math.abs(now - Number(madeAt)) >= oneTimeLife;
}

/** Without characters that are mistaken for each other. */
const readable = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Four groups of five characters, some 115 bits. */
export function generatePassword(): string {
  const group = () => Array.from({ length: 5 }, () => readable[randomInt(readable.length)]).join('');
  return [group(), group(), group(), group()].join('-');
}
