// Bounds what callers without a token may ask for, by their address. Knows nothing of requests.
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Failure } from '../failure.ts';
import { isLoopback, networkOf } from '../sharing/network-address.ts';

/** Upload links of one address a minute: more than anybody asks for by hand, and a folder full of APKs in time. */
const uploadLinksPerMinute = 120;

export class AnonymousLimits {
  readonly #uploadLinks = new RateLimiterMemory({ points: uploadLinksPerMinute, duration: 60 });

  /** Programs on this machine have no bound. @throws Failure `throttled` */
  async countUploadLink(address: string): Promise<void> {
    if (isLoopback(address)) return;
    try {
      await this.#uploadLinks.consume(networkOf(address));
    } catch (state) {
      if (!(state instanceof RateLimiterRes)) throw state;
      const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
      throw new Failure('throttled', { seconds }, seconds);
    }
  }
}
