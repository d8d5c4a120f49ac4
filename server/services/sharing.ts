// Shares the workstation on the network as the settings say, and tells how it is shared. Opens no sockets itself.
import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Store } from '../store/store.ts';
import { ownNames } from './own-hosts.ts';
import { readSetting } from './settings.ts';

export interface NetworkAddress {
  /** The interface's name, `eth0`. */
  name: string;
  address: string;
}

export interface ServerIdentity {
  chain: string;
  key: string;
  fingerprint: string;
  /** Milliseconds since 1970 UTC. */
  expires: number;
}

export interface SharedListener {
  url: string;
  port: number;
  renew(identity: ServerIdentity): void;
  close(): Promise<void>;
}

/** What sharing needs of the program around it. */
export interface SharingHost {
  listen(address: string, port: number, identity: ServerIdentity | null): Promise<SharedListener>;
  /** A certificate for these names and addresses. */
  identity(names: readonly string[]): Promise<ServerIdentity>;
  /** PEM. */
  authority(): Promise<string>;
  authorityFingerprint(): Promise<string>;
  /** Announces the server on the network. @returns how to take it back */
  announce(port: number, isTls: boolean): Promise<() => Promise<void>>;
}

export interface SharingState {
  isOn: boolean;
  isTls: boolean;
  listeners: { address: string; url: string; error: string | null }[];
  interfaces: NetworkAddress[];
  authorityFingerprint: string;
  certificate: Pick<ServerIdentity, 'fingerprint' | 'expires'> | null;
  error: string | null;
}

interface OpenListener {
  address: string;
  url: string;
  listener: SharedListener | null;
  error: string | null;
}

/** How often the machine's addresses and the certificate's age are looked at, in milliseconds. */
const reviewInterval = 30_000;

/** Addresses that others may reach, without those that mean nothing beyond one cable (fe80::). */
export function networkAddresses(): NetworkAddress[] {
  return Object.entries(networkInterfaces()).flatMap(([name, addresses]) =>
    (addresses ?? [])
      .filter(({ internal, address }) => !internal && !address.toLowerCase().startsWith('fe80:'))
      .map(({ address }) => ({ name, address })),
  );
}

export class Sharing {
  readonly #store: Store;
  readonly #log: { error(details: object, message: string): void };
  #host: SharingHost | null = null;
  #open: OpenListener[] = [];
  #shape = '';
  #identity: ServerIdentity | null = null;
  #isTls = true;
  #error: string | null = null;
  #unannounce: (() => Promise<void>) | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** One change at a time. */
  #last: Promise<void> = Promise.resolve();

  constructor(store: Store, log: { error(details: object, message: string): void }) {
    this.#store = store;
    this.#log = log;
  }

  /** Begins to share as the settings say; from now on every change of them is followed. */
  async start(host: SharingHost): Promise<void> {
    this.#host = host;
    this.#timer = setInterval(() => void this.settingsChanged(), reviewInterval);
    this.#timer.unref();
    await this.settingsChanged();
  }

  /** Brings what is served in line with the settings and the machine's addresses. What fails is in the state. */
  settingsChanged(): Promise<void> {
    this.#last = this.#last.then(() => this.#apply());
    return this.#last;
  }

  async #apply(): Promise<void> {
    if (this.#host === null || this.#isClosed) return;
    try {
      const isOn = await readSetting(this.#store, 'sharing');
      const port = await readSetting(this.#store, 'sharing_port');
      const isAnnounced = await readSetting(this.#store, 'sharing_announce');
      const chosen = await readSetting(this.#store, 'sharing_addresses');
      const isTls = !(await readSetting(this.#store, 'sharing_plain_http'));
      const named = await readSetting(this.#store, 'allowed_hosts');
      const addresses = isOn ? (chosen.length > 0 ? chosen : networkAddresses().map(({ address }) => address)) : [];
      const identity =
        addresses.length > 0 && isTls
          ? await this.#host.identity([...new Set([...ownNames(), ...named, ...addresses])])
          : null;
      const failed = this.#open.some(({ error }) => error !== null);
      const shape = JSON.stringify({ addresses, port, isTls, isAnnounced });
      if (shape !== this.#shape || failed) {
        await this.#closeAll();
        this.#shape = shape;
        this.#isTls = isTls;
        for (const address of new Set(addresses)) this.#open.push(await this.#listen(address, port, identity));
        if (isAnnounced && this.#open.some(({ listener }) => listener !== null)) {
          this.#unannounce = await this.#host.announce(port, isTls);
        }
      } else if (identity !== null && identity.fingerprint !== this.#identity?.fingerprint) {
        for (const { listener } of this.#open) listener?.renew(identity);
      }
      this.#identity = identity;
      this.#error = isOn && addresses.length === 0 ? 'This machine has no address on a network.' : null;
    } catch (error) {
      this.#error = (error as Error).message;
      this.#log.error({ err: error }, 'the workstation could not be shared');
    }
  }

  async #listen(address: string, port: number, identity: ServerIdentity | null): Promise<OpenListener> {
    const host = isIPv6(address) ? `[${address}]` : address;
    const url = `${identity === null ? 'http' : 'https'}://${host}:${port}`;
    try {
      return { address, url, listener: await this.#host!.listen(address, port, identity), error: null };
    } catch (error) {
      const reasons: Record<string, string> = {
        EADDRINUSE: `Port ${port} is taken by another program.`,
        EADDRNOTAVAIL: 'This machine does not have this address now.',
        EACCES: `Port ${port} needs privileges; choose one above 1023.`,
      };
      const { code = '', message } = error as NodeJS.ErrnoException;
      return { address, url, listener: null, error: reasons[code] ?? message };
    }
  }

  async #closeAll(): Promise<void> {
    const open = this.#open;
    const unannounce = this.#unannounce;
    this.#open = [];
    this.#unannounce = null;
    await unannounce?.();
    await Promise.all(open.map(({ listener }) => listener?.close()));
  }

  async state(): Promise<SharingState> {
    await this.#last;
    const isOn = await readSetting(this.#store, 'sharing');
    return {
      isOn,
      isTls: this.#isTls,
      listeners: this.#open.map(({ address, url, error }) => ({ address, url, error })),
      interfaces: networkAddresses(),
      authorityFingerprint: (await this.#host?.authorityFingerprint()) ?? '',
      certificate: this.#identity,
      error: this.#error,
    };
  }

  /** The authority's certificate, PEM. */
  async authority(): Promise<string> {
    return (await this.#host?.authority()) ?? '';
  }

  /** The first address that teammates reach, null while there is none. */
  address(): string | null {
    return this.#open.find(({ listener }) => listener !== null)?.url ?? null;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#last;
    await this.#closeAll();
  }
}
