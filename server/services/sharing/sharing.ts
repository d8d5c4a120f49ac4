// Shares the workstation on the network as the settings say, and tells how it is shared. Opens no sockets itself.
import { isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { ErrorLog } from '../../jobs/error-log.ts';
import type { Store } from '../../store/store.ts';
import type { EventBus } from '../event-bus.ts';
import { readSetting } from '../settings.ts';
import { namesByTheOwner, ownNames } from './own-hosts.ts';

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

/** The authority that teammates trust, as it stands now. Times in milliseconds since 1970 UTC. */
export interface AuthorityState {
  /** PEM. */
  certificate: string;
  /** SHA-256: upper-case hex with colons. */
  fingerprint: string;
  begins: number;
  expires: number;
  /** The one before it, while whoever trusts only that one is still served. */
  former: { fingerprint: string; expires: number } | null;
  /** An earlier version made it, without bounds to the names that it may vouch for and for ten years. */
  isUnbounded: boolean;
  /** Names and addresses of this machine for which it may not vouch: they stand in no certificate. */
  uncovered: string[];
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
  authority(names: readonly string[]): Promise<AuthorityState>;
  /** Makes another authority, for these names; nobody trusts it yet. */
  replaceAuthority(names: readonly string[]): Promise<void>;
  /** Announces the server on the network. @returns how to take it back */
  announce(port: number, isTls: boolean): Promise<() => Promise<void>>;
}

export interface SharingState {
  isOn: boolean;
  isTls: boolean;
  listeners: { address: string; url: string; error: string | null }[];
  interfaces: NetworkAddress[];
  /** null before sharing has started. */
  authority: AuthorityState | null;
  certificate: Pick<ServerIdentity, 'fingerprint' | 'expires'> | null;
  error: string | null;
}

interface OpenListener {
  address: string;
  port: number;
  isTls: boolean;
  url: string;
  listener: SharedListener | null;
  error: string | null;
}

/** How often the machine's addresses and the certificate's age are looked at, in milliseconds. */
const reviewInterval = 30_000;

/** What means nothing beyond one cable (RFC 4291, 2.5.6). */
const isLinkLocal = (address: string) => address.toLowerCase().startsWith('fe80:');

/** Addresses that others may reach. */
export function networkAddresses(): NetworkAddress[] {
  return Object.entries(networkInterfaces()).flatMap(([name, addresses]) =>
    (addresses ?? [])
      .filter(({ internal, address }) => !internal && !isLinkLocal(address))
      .map(({ address }) => ({ name, address })),
  );
}

/** Those of one interface, which may be the machine's own loop if it is named; none where it is not there now. */
const interfaceAddresses = (name: string): string[] =>
  (networkInterfaces()[name] ?? []).map(({ address }) => address).filter((address) => !isLinkLocal(address));

/**
 * @param chosen interfaces, by whose names every address is served that they have now, and addresses; none, or one that
 *   stands for all of its kind: every one that the machine has now
 */
function servedAddresses(chosen: readonly string[]): string[] {
  const all = networkAddresses().map(({ address }) => address);
  const named = chosen.length > 0 ? chosen : ['::'];
  const served = named.flatMap((address) => {
    // A socket on all addresses would also serve those that nobody chose and that the certificate does not name.
    if (address === '0.0.0.0') return all.filter((one) => !isIPv6(one));
    if (isIPv6(address) && new URL(`http://[${address}]`).hostname === '[::]') return all;
    if (isIP(address) !== 0) return [address.toLowerCase()];
    return interfaceAddresses(address);
  });
  return [...new Set(served)];
}

const noAddress = (chosen: readonly string[]) =>
  chosen.length === 0 ? 'This machine has no address on a network.' : `No address on ${chosen.join(', ')} now.`;

/** Where the authority is noted that the owner knows of. */
const authorityKey = 'authority_fingerprint';

export class Sharing {
  readonly #store: Store;
  readonly #events: EventBus;
  readonly #log: ErrorLog;
  #host: SharingHost | null = null;
  #open: OpenListener[] = [];
  #identity: ServerIdentity | null = null;
  #authority: AuthorityState | null = null;
  #isTls = true;
  #error: string | null = null;
  #unannounce: (() => Promise<void>) | null = null;
  /** What is announced now, as JSON; empty: nothing. */
  #announced = '';
  /** Addresses that are no longer served and whose last answers are under way. */
  readonly #ending = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** One change at a time. */
  #last: Promise<void> = Promise.resolve();

  constructor(store: Store, events: EventBus, log: ErrorLog) {
    this.#store = store;
    this.#events = events;
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
      const addresses = isOn ? servedAddresses(chosen) : [];
      const identity = addresses.length > 0 && isTls ? await this.#host.identity(await this.#names()) : null;
      await this.#serve(addresses, port, identity);
      this.#isTls = isTls;
      this.#identity = identity;
      this.#authority = identity === null ? null : await this.authority();
      if (this.#authority !== null) await this.#noteAuthority(this.#authority);
      this.#error = isOn && addresses.length === 0 ? noAddress(chosen) : null;
      const isServed = this.#open.some(({ listener }) => listener !== null);
      await this.#announce(isAnnounced && isServed ? { port, isTls } : null);
    } catch (error) {
      this.#error = (error as Error).message;
      this.#log.error({ err: error }, 'the workstation could not be shared');
    }
  }

  /** Tells of an authority that follows one which teammates trust, once, also where that happened between two starts. */
  async #noteAuthority({ fingerprint, former }: AuthorityState): Promise<void> {
    if ((await this.#store.settings.read(authorityKey)) === fingerprint) return;
    await this.#store.transaction(async (inside) => {
      const noted = await inside.settings.read(authorityKey);
      await inside.settings.write(authorityKey, fingerprint);
      if (former !== null && former.fingerprint === noted) {
        await this.#events.happened({ name: 'authority_renewed' }, inside);
      }
    });
  }

  /** Opens what is missing and closes what is too much; a teammate's connection to an address that stays is not cut. */
  async #serve(addresses: readonly string[], port: number, identity: ServerIdentity | null): Promise<void> {
    const isKept = ({ address, port: served, isTls, listener }: OpenListener) =>
      listener !== null && addresses.includes(address) && served === port && isTls === (identity !== null);
    const kept = new Map(this.#open.filter(isKept).map((one) => [one.address, one]));
    for (const one of this.#open) if (kept.get(one.address) !== one) this.#end(one);
    if (identity !== null && identity.fingerprint !== this.#identity?.fingerprint) {
      for (const { listener } of kept.values()) listener?.renew(identity);
    }
    this.#open = [];
    for (const address of addresses) {
      this.#open.push(kept.get(address) ?? (await this.#listen(address, port, identity)));
    }
  }

  /** Nothing new comes in from now on. What is under way, such as the request that asked for this, is not waited for. */
  #end({ listener }: OpenListener): void {
    const ending: Promise<void> = (listener?.close() ?? Promise.resolve())
      .catch((error: unknown) => this.#log.error({ err: error }, 'a shared address could not be closed cleanly'))
      .finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  async #announce(wanted: { port: number; isTls: boolean } | null): Promise<void> {
    const announced = wanted === null ? '' : JSON.stringify(wanted);
    if (announced === this.#announced) return;
    const unannounce = this.#unannounce;
    this.#unannounce = null;
    this.#announced = '';
    await unannounce?.();
    if (wanted === null) return;
    this.#unannounce = await this.#host!.announce(wanted.port, wanted.isTls);
    this.#announced = announced;
  }

  async #listen(address: string, port: number, identity: ServerIdentity | null): Promise<OpenListener> {
    const host = isIPv6(address) ? `[${address}]` : address;
    const isTls = identity !== null;
    const described = { address, port, isTls, url: `${isTls ? 'https' : 'http'}://${host}:${port}` };
    try {
      return { ...described, listener: await this.#host!.listen(address, port, identity), error: null };
    } catch (error) {
      const reasons: Record<string, string> = {
        EADDRINUSE: `Port ${port} is taken by another program.`,
        EADDRNOTAVAIL: 'This machine does not have this address now.',
        EACCES: `Port ${port} needs privileges; choose one above 1023.`,
      };
      const { code = '', message } = error as NodeJS.ErrnoException;
      return { ...described, listener: null, error: reasons[code] ?? message };
    }
  }

  /** What is shared now: addresses, certificate, authority, and why not where it fails. */
  async state(): Promise<SharingState> {
    await this.#last;
    const isOn = await readSetting(this.#store, 'sharing');
    return {
      isOn,
      isTls: this.#isTls,
      listeners: this.#open.map(({ address, url, error }) => ({ address, url, error })),
      interfaces: networkAddresses(),
      authority: await this.authority(),
      certificate: this.#identity,
      error: this.#error,
    };
  }

  /** The authority that signs for what is served now, as it was when that was last looked at; null where none does. */
  get servingAuthority(): AuthorityState | null {
    return this.#authority;
  }

  /** null before sharing has started. */
  async authority(): Promise<AuthorityState | null> {
    return this.#host === null ? null : this.#host.authority(await this.#names());
  }

  /** Makes another authority, which vouches for what this machine is called now; nobody trusts it yet. */
  async replaceAuthority(): Promise<void> {
    await this.#host?.replaceAuthority(await this.#names());
    await this.settingsChanged();
  }

  /** What the workstation is reached by: names, and the addresses that it is served at or would be. */
  async #names(): Promise<string[]> {
    const addresses = servedAddresses(await readSetting(this.#store, 'sharing_addresses'));
    return [...new Set([...ownNames(), ...(await namesByTheOwner(this.#store)), ...addresses])];
  }

  /** The first address that teammates reach, null while there is none. */
  address(): string | null {
    return this.#open.find(({ listener }) => listener !== null)?.url ?? null;
  }

  /** Stops sharing. Resolves when the last answers are sent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#last;
    for (const one of this.#open.splice(0)) this.#end(one);
    await Promise.all([this.#announce(null), ...this.#ending]);
  }
}
