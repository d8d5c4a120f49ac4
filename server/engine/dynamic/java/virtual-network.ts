// What java.net asks of the simulated internet. Knows no answers: the world gives them and records what was sent.
import type { Taint } from '../machine/heap.ts';
import type { Machine } from '../machine/model.ts';

export interface HttpRequest {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  /** In the order they were set; names as the app wrote them. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
  /** Of URL, headers and body together. */
  readonly taint: Taint;
  readonly urlTaint: Taint;
  readonly bodyTaint: Taint;
}

export interface HttpResponse {
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
  readonly taint?: Taint;
}

/** A TCP connection or, after `startTls`, what is inside the encryption. */
export interface VirtualConnection {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localPort: number;
  send(machine: Machine, data: Uint8Array, taint: Taint): void;
  /** Bytes that arrived and were not read yet; empty: none for now; null: the peer has closed. */
  receive(machine: Machine, maximum: number): { data: Uint8Array; taint: Taint } | null;
  /** Whether nothing has come in, and the other side may say more later. */
  isWaiting(): boolean;
  /** Starts TLS. */
  startTls(): void;
  close(machine: Machine): void;
}

export interface VirtualNetwork {
  /** IPv4 addresses of a host, empty where the name is unknown. @param taint of the name: DNS queries leak data too */
  resolve(machine: Machine, host: string, taint?: Taint): readonly string[];
  /** Null: the host cannot be reached (ConnectException). */
  http(machine: Machine, request: HttpRequest): HttpResponse | null;
  /** Null: no server listens on the port. */
  connect(machine: Machine, host: string, port: number): VirtualConnection | null;
  /** The app begins to listen on a port. */
  listens(machine: Machine, port: number): void;
  /** Somebody who connects to a port on which the app listens; null: nobody more. */
  accept(machine: Machine, port: number): VirtualConnection | null;
  /** Sends a UDP packet. @returns the reply, if there is one */
  datagram(machine: Machine, host: string, port: number, data: Uint8Array, taint: Taint): Uint8Array | null;
  /** Own addresses: interface name and dotted address. */
  readonly interfaces: readonly { readonly name: string; readonly address: string; readonly mac: string }[];
  readonly hostName: string;
}

interface NetworkState {
  network: VirtualNetwork;
}

const KEY = 'java.virtual-network';

export function setVirtualNetwork(machine: Machine, network: VirtualNetwork): void {
  machine.state<NetworkState>(KEY, () => ({ network: silence })).network = network;
}

export function virtualNetwork(machine: Machine): VirtualNetwork {
  return machine.state<NetworkState>(KEY, () => ({ network: silence })).network;
}

const silence: VirtualNetwork = {
  resolve: () => [],
  http: () => null,
  connect: () => null,
  listens: () => undefined,
  accept: () => null,
  datagram: () => null,
  interfaces: [
    { name: 'lo', address: '127.0.0.1', mac: '' },
    { name: 'wlan0', address: '192.168.1.104', mac: '02:00:00:00:00:00' },
  ],
  hostName: 'localhost',
};
