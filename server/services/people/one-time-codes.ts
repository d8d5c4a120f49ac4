// Codes of an authenticator app: RFC 6238 with what every such app takes for granted (SHA-1, six digits, 30 seconds).
// Knows no account.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const digits = 6;
/** Seconds. */
const period = 30;
/** Codes before and after the present one that are taken too: a phone's clock is not ours. */
const tolerance = 1;
/** RFC 4226 section 4 recommends 160 bits. */
const secretBytes = 20;

/** RFC 4648 section 6. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const newSecret = (): Buffer => randomBytes(secretBytes);

/** @param bytes a multiple of 5, which needs no padding */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join('');
}

/** The step of a time. @param now microseconds since 1970 UTC */
export const stepAt = (now: number): number => Math.floor(now / 1_000_000 / period);

/** RFC 4226 section 5.3 with the step as its counter. */
export function codeOfStep(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const number = mac.readUInt32BE(mac.at(-1)! & 15) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/**
 * The step whose code this is, looked for around now; null where it is none of them, or not later than one that was used.
 * @param now microseconds since 1970 UTC
 */
export function stepOfCode(secret: Uint8Array, code: string, now: number, lastUsed: number): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  let found: number | null = null;
  for (let step = stepAt(now) - tolerance; step <= stepAt(now) + tolerance; step++) {
    const isSame = timingSafeEqual(Buffer.from(codeOfStep(secret, step)), Buffer.from(code));
    if (isSame && step > lastUsed) found ??= step;
  }
  return found;
}

/** What an app reads from a QR code: https://github.com/google/google-authenticator/wiki/Key-Uri-Format */
export function keyUri(secret: Uint8Array, issuer: string, username: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(username)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`;
}

const recoveryCodes = 10;

/** Ten codes of 80 bits, `abcd-efgh-ijkl-mnop` in the letters of base32. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodes }, () =>
    base32(randomBytes(10))
      .toLowerCase()
      .replace(/.{4}(?=.)/g, '$&-'),
  );

/** A recovery code as it is compared; null where it is none, whatever blanks and capitals it was typed with. */
export function plainRecoveryCode(text: string): string | null {
  const plain = text.replace(/[\s-]/g, '').toLowerCase();
  return /^[a-z2-7]{16}$/.test(plain) ? plain : null;
}
