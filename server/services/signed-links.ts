// Signs and checks links that work without a token. Knows nothing of URLs or of what is behind them.
import { hash, timingSafeEqual } from 'node:crypto';
import { Failure } from './failure.ts';

export type LinkPurpose = 'download' | 'upload' | 'icon' | 'avatar' | 'feed' | 'backup';

/** Seconds; null: for ever. */
const validity: Record<LinkPurpose, number | null> = {
  download: 180,
  upload: 3600,
  icon: null,
  avatar: null,
  feed: 3600,
  backup: 180,
};
/** Seconds for which the links inside a feed's package download its APKs. */
const feedValidity = 7 * 86_400;

/** Signatures kept in memory, some 200 bytes each. */
const maxLasting = 20_000;

/** Bytes of a block of SHA-256. */
const blockLength = 64;

const digest = (key: Buffer, text: Buffer): Buffer => hash('sha256', Buffer.concat([key, text]), 'buffer');

/** One of the two keys of HMAC (RFC 2104), made once: `createHmac` looks at its key for longer than it computes. */
function paddedKey(secret: Uint8Array, padding: number): Buffer {
  const key = secret.length > blockLength ? hash('sha256', secret, 'buffer') : secret;
  const padded = Buffer.alloc(blockLength, padding);
  for (const [at, byte] of key.entries()) padded[at] = byte ^ padding;
  return padded;
}

/** What a link carries in its query. */
export interface LinkSignature {
  /** Unix seconds, absent where the link does not lapse. */
  expires?: string;
  signature: string;
}

export class SignedLinks {
  readonly #innerKey: Buffer;
  readonly #outerKey: Buffer;
  /** Signatures that do not lapse, by purpose and subject: a page of the catalogue shows dozens. */
  readonly #lasting = new Map<string, string>();

  /** @param secret the installation's own */
  constructor(secret: Uint8Array) {
    this.#innerKey = paddedKey(secret, 0x36);
    this.#outerKey = paddedKey(secret, 0x5c);
  }

  #mac(purpose: LinkPurpose, subject: string, expires: string): Buffer {
    const inner = digest(this.#innerKey, Buffer.from(`${purpose}\n${subject}\n${expires}`));
    return digest(this.#outerKey, inner);
  }

  sign(purpose: LinkPurpose, subject: string, now = Date.now()): LinkSignature {
    return this.#sign(purpose, subject, validity[purpose], now);
  }

  /** A download link for those who read the feed, valid for 7 days. */
  signForFeed(sha256: string, now = Date.now()): LinkSignature {
    return this.#sign('download', sha256, feedValidity, now);
  }

  #sign(purpose: LinkPurpose, subject: string, seconds: number | null, now: number): LinkSignature {
    if (seconds === null) return { signature: this.#lastingSignature(purpose, subject) };
    const expires = String(Math.floor(now / 1000) + seconds);
    return { expires, signature: this.#mac(purpose, subject, expires).toString('base64url') };
  }

  #lastingSignature(purpose: LinkPurpose, subject: string): string {
    const key = `${purpose}\n${subject}`;
    const known = this.#lasting.get(key);
    if (known !== undefined) return known;
    const signature = this.#mac(purpose, subject, '').toString('base64url');
    if (this.#lasting.size >= maxLasting) this.#lasting.clear();
    this.#lasting.set(key, signature);
    return signature;
  }

  /** @throws Failure `wrong-signature`, `link-lapsed` */
  check(
    purpose: LinkPurpose,
    subject: string,
    given: { expires?: string | undefined; signature?: string | undefined },
    now = Date.now(),
  ): void {
    const expires = given.expires ?? '';
    const expected = this.#mac(purpose, subject, expires);
    const sent = Buffer.from(given.signature ?? '', 'base64url');
    if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) throw new Failure('wrong-signature');
    if (validity[purpose] !== null && Number(expires) * 1000 <= now) throw new Failure('link-lapsed');
  }
}
