// The names under which this workstation may be addressed. A page of another name that resolves to this machine
// (DNS rebinding) would be of the same origin as the workstation for its browser: such requests are refused.
// Knows nothing of HTTP.
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { Store } from '../../store/store.ts';
import { readSetting } from '../settings.ts';

export class OwnHosts {
  readonly #store: Store;
  #named: ReadonlySet<string> = new Set();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Reads the names that the owner has set; at the start and whenever they change. */
  async settingsChanged(): Promise<void> {
    this.#named = new Set((await namesByTheOwner(this.#store)).map((name) => name.toLowerCase()));
  }

  /** @param host of a Host header (RFC 9110 section 7.2), with or without a port */
  isOwn(host: string): boolean {
    const name = host
      .replace(/:\d*$/, '')
      .replace(/^\[|\]$/g, '')
      .replace(/\.$/, '')
      .toLowerCase();
    // Nobody can make a number resolve to another machine.
    if (isIP(name) !== 0) return true;
    if (name === 'localhost' || name.endsWith('.localhost') || this.#named.has(name)) return true;
    return ownNames().includes(name);
  }
}

/** Names that the owner has set: further ones, and that of the published address. */
export async function namesByTheOwner(store: Pick<Store, 'settings'>): Promise<string[]> {
  const publicUrl = await readSetting(store, 'public_url');
  const published = publicUrl === '' ? [] : [new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')];
  return [...(await readSetting(store, 'allowed_hosts')), ...published];
}

/** What this machine is called: its name, and that name as mDNS has it. */
export function ownNames(): string[] {
  const name = hostname().toLowerCase();
  const [label = name] = name.split('.');
  return [...new Set([name, label, `${label}.local`])].filter((one) => /^[a-z0-9._-]{1,253}$/.test(one));
}
