// Somebody in the same network who connects to a port that the app listens on. Knows no other connection.
import type { VirtualConnection } from '../java/virtual-network.ts';
import type { Taint } from '../machine/heap.ts';
import type { Machine } from '../machine/model.ts';
import { recorderOf } from '../report/recorder.ts';

const visitorAddress = '192.168.1.117';

/** Asks with what it has to say, hears the answer out, and leaves. */
export class Visitor implements VirtualConnection {
  readonly remoteAddress = visitorAddress;
  readonly remotePort: number;
  readonly localPort: number;
  #left: Uint8Array;
  #isAnswered = false;

  constructor(localPort: number, remotePort: number, words: Uint8Array) {
    this.localPort = localPort;
    this.remotePort = remotePort;
    this.#left = words;
  }

  send(machine: Machine, data: Uint8Array, taint: Taint): void {
    const peer = { host: visitorAddress, port: this.remotePort, isEncrypted: false };
    recorderOf(machine).netSend(peer, data, taint, 'Socket.getOutputStream');
    this.#isAnswered = true;
  }

  receive(machine: Machine, maximum: number): { data: Uint8Array; taint: Taint } | null {
    const data = this.#left.subarray(0, maximum);
    this.#left = this.#left.subarray(data.length);
    if (data.length > 0) recorderOf(machine).netReceive(visitorAddress, this.remotePort, data);
    else if (this.#isAnswered) return null;
    return { data, taint: 0 };
  }

  isWaiting(): boolean {
    return false;
  }

  startTls(): void {
    // What the two say to each other is heard as it is.
  }

  close(machine: Machine): void {
    recorderOf(machine).netClose(visitorAddress, this.remotePort);
  }
}
