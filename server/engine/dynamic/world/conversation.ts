// A connection of the app's own making to a server of the simulated internet. Knows no other connection.
import type { VirtualConnection } from '../java/virtual-network.ts';
import type { Taint } from '../machine/heap.ts';
import type { Machine } from '../machine/model.ts';
import { recorderOf } from '../report/recorder.ts';
import { type Internet, parseHttpRequest, printHttpResponse } from './internet.ts';

/** A connection to a server that keeps what it is sent and says nothing. */
const maxConversation = 1 << 20;

/** Lines that a server says to an app that spoke in lines, and no more words. */
const maxLines = 12;
const spoken = /^[\x20-\x7e\t\r\n]*$/;
const lineFeed = 0x0a;

interface ConversationPlan {
  readonly internet: Internet;
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  readonly remoteAddress: string;
  readonly localPort: number;
}

/** A connection of the app's own making: HTTP over it is answered, and so are lines; anything else is taken silently. */
export class Conversation implements VirtualConnection {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localPort: number;
  readonly #plan: ConversationPlan;
  #pending = Buffer.alloc(0);
  #pendingTaint: Taint = 0;
  /** Whether what is pending is text. */
  #isSpoken = true;
  #incoming: Uint8Array;
  #isAnswered = false;
  #lines = 0;

  constructor(plan: ConversationPlan) {
    this.#plan = plan;
    this.remoteAddress = plan.remoteAddress;
    this.remotePort = plan.port;
    this.localPort = plan.localPort;
    // A mail server speaks first.
    const greeting = plan.port === 25 || plan.port === 587 ? `220 ${plan.host} ESMTP\r\n` : '';
    this.#incoming = Buffer.from(greeting);
  }

  send(machine: Machine, data: Uint8Array, taint: Taint): void {
    const { host, port, internet, isTls } = this.#plan;
    const recorder = recorderOf(machine);
    recorder.netSend(host, port, data, taint, 'Socket.getOutputStream');
    if (this.#pending.length + data.length > maxConversation) return;
    this.#pending = Buffer.concat([this.#pending, data]);
    this.#pendingTaint = machine.union(this.#pendingTaint, taint);
    this.#isSpoken &&= spoken.test(Buffer.from(data).toString('latin1'));
    const request = parseHttpRequest(this.#pending, host, port);
    if (request === null) {
      if (port === 25 || port === 587) this.#incoming = Buffer.concat([this.#incoming, Buffer.from('250 OK\r\n')]);
      return;
    }
    recorder.http({ ...request, scheme: isTls ? 'https' : request.scheme, taint: this.#pendingTaint });
    this.#pending = Buffer.alloc(0);
    this.#pendingTaint = 0;
    this.#isSpoken = true;
    this.#incoming = Buffer.concat([this.#incoming, printHttpResponse(internet.answer(request))]);
    this.#isAnswered = true;
  }

  receive(machine: Machine, maximum: number): { data: Uint8Array; taint: Taint } | null {
    const hasSpoken = this.#isSpoken && this.#pending.length > 1 && this.#pending.at(-1) === lineFeed;
    const isLinesTurn = this.#incoming.length === 0 && this.#lines < maxLines && hasSpoken;
    if (isLinesTurn) {
      this.#lines += 1;
      this.#incoming = Buffer.from(this.#plan.internet.line());
    }
    const data = this.#incoming.subarray(0, maximum);
    this.#incoming = this.#incoming.subarray(data.length);
    if (data.length > 0) recorderOf(machine).netReceive(this.#plan.host, this.#plan.port, data);
    // A silent server hangs up rather than holding the reader for ever.
    else if (this.#isAnswered || this.#pending.length > 0) return null;
    return { data, taint: 0 };
  }

  close(machine: Machine): void {
    recorderOf(machine).netClose(this.#plan.host, this.#plan.port);
  }
}
