// Signs and checks links that work without a token. Knows nothing of URLs or of what is behind them.
import { hash, timingSafeEqual } from 'node:crypto';
import { type Clock, systemClock } from '../store/clock.ts';
import { Failure } from './failure.ts';

/** `anonymous-upload`: the link was given to somebody without a token. */
export type LinkPurpose = 'download' | 'upload' | 'anonymous-upload' | 'icon' | 'avatar' | 'feed' | 'backup';

/** Seconds; null: for ever. */
const validity: Record<LinkPurpose, number | null> = {
  download: 180,
  upload: 3600,
  'anonymous-upload': 3600,
  icon: null,
  avatar: null,
  feed: 3600,
  backup: 180,
};
/** Seconds for which the links inside a feed's package download its APKs. */
const feedValidity = 7 * 86_400;
/** Microseconds for which no link holds longer. */
const longestValidity = feedValidity * 1_000_000;

/** Bytes of a block of SHA-256. */
const blockLength = 64;
const digestLength = 32;

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
  /** The outer key with room for the inner digest behind it. */
  readonly #outer: Buffer;
  readonly #clock: Clock;
  readonly #isInFuture: (moment: number) => boolean;

  /** @param secret the installation's own */
  constructor(secret: Uint8Array, clock: Clock = systemClock, isInFuture = (_moment: number) => false) {
    this.#clock = clock;
    this.#isInFuture = isInFuture;
    this.#innerKey = paddedKey(secret, 0x36);
    this.#outer = Buffer.concat([paddedKey(secret, 0x5c)], blockLength + digestLength);
  }

  /** In base64url. */
  #mac(purpose: LinkPurpose, subject: string, expires: string): string {
    const text = Buffer.from(`${purpose}\n${subject}\n${expires}`);
    // As text: a Buffer would take longer to make than the digest.
    const inner = hash('sha256', Buffer.concat([this.#innerKey, text]), 'binary');
    this.#outer.write(inner, blockLength, 'latin1');
    return hash('sha256', this.#outer, 'base64url');
  }

  /** Signs a link to this subject for this purpose. @returns what its query carries */
  sign(purpose: LinkPurpose, subject: string): LinkSignature {
    return this.#sign(purpose, subject, validity[purpose]);
  }

  /** A download link for those who read the feed, valid for 7 days. */
  signForFeed(sha256: string): LinkSignature {
    return this.#sign('download', sha256, feedValidity);
  }

  #sign(purpose: LinkPurpose, subject: string, seconds: number | null): LinkSignature {
    if (seconds === null) return { signature: this.#mac(purpose, subject, '') };
    const expires = String(Math.floor(this.#clock() / 1_000_000) + seconds);
    return { expires, signature: this.#mac(purpose, subject, expires) };
  }

  /**
   * @returns for which of these purposes the link was made
   * @throws Failure `wrong-signature`, `link-lapsed`
   */
  check(
    purposes: LinkPurpose | readonly LinkPurpose[],
    subject: string,
    given: { expires?: string | undefined; signature?: string | undefined },
  ): LinkPurpose {
    const expires = given.expires ?? '';
    const sent = Buffer.from(given.signature ?? '', 'base64url');
    const isMade = (purpose: LinkPurpose) => {
      const expected = Buffer.from(this.#mac(purpose, subject, expires), 'base64url');
      return sent.length === expected.length && timingSafeEqual(sent, expected);
    };
    const purpose = [purposes].flat().find(isMade);
    if (purpose === undefined) throw new Failure('wrong-signature');
    if (validity[purpose] === null) return purpose;
    const lapses = Number(expires) * 1_000_000;
    // One that was signed while the clock was ahead would hold for as long as that was.
    if (lapses <= this.#clock() || this.#isInFuture(lapses - longestValidity)) throw new Failure('link-lapsed');
    return purpose;
  }
}
