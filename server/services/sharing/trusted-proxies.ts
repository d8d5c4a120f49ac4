// The proxies that are believed when they say who asks. Knows nothing of HTTP.
import { BlockList, isIPv6 } from 'node:net';
import type { Store } from '../../store/store.ts';
import { readSetting } from '../settings.ts';

export class TrustedProxies {
  readonly #store: Store;
  #named = new BlockList();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Reads what the owner has named; at the start and whenever it changes. */
  async settingsChanged(): Promise<void> {
    const named = new BlockList();
    for (const one of await readSetting(this.#store, 'trusted_proxies')) {
      const [address = '', bits] = one.split('/');
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      if (bits === undefined) named.addAddress(address, family);
      else named.addSubnet(address, Number(bits), family);
    }
    this.#named = named;
  }

  /** @param address in its plain form */
  includes = (address: string): boolean => this.#named.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
