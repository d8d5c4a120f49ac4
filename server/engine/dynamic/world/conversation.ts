// A socket that the app itself opened to a server of the simulated internet. Knows no other connection.
import type { VirtualConnection } from '../java/virtual-network.ts';
import type { Taint } from '../machine/heap.ts';
import type { Machine } from '../machine/model.ts';
import { recorderOf } from '../report/recorder.ts';
import {
  type HttpRequest,
  type Internet,
  parseHttpRequest,
  placeOf,
  printHttpHead,
  printHttpResponse,
} from './internet.ts';
import { clientFrame, frameKinds, openingAnswer, serverFrame } from './web-socket.ts';

/** Bytes that either side holds until they are complete or read; more are dropped. */
const maxConversation = 1 << 20;

/** Lines or WebSocket messages that a server sends at most. */
const maxMessages = 12;
const spoken = /^[\x20-\x7e\t\r\n]*$/;
const lineFeed = 0x0a;

interface ConversationPlan {
  readonly internet: Internet;
  readonly host: string;
  readonly port: number;
  readonly remoteAddress: string;
  readonly localPort: number;
}

/**
 * A socket that the app itself opened: HTTP requests, lines and WebSocket messages are answered; anything
 * else is taken silently.
 */
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
  #isTls = false;
  #messages = 0;
  /** Reads and writes WebSocket frames; null while the connection is not a WebSocket. */
  #webSocket: string | null = null;

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
    const { host, port, internet } = this.#plan;
    const isTooMuch = this.#pending.length + data.length > maxConversation;
    if (this.#webSocket === null || isTooMuch) this.#tell(machine, data, taint);
    if (isTooMuch) return;
    this.#pending = Buffer.concat([this.#pending, data]);
    this.#pendingTaint = machine.union(this.#pendingTaint, taint);
    if (this.#webSocket !== null) {
      this.#hearFrames(machine, this.#webSocket);
      return;
    }
    this.#isSpoken &&= spoken.test(Buffer.from(data).toString('latin1'));
    const request = parseHttpRequest(this.#pending, host, port);
    if (request === null) {
      if (port === 25 || port === 587) this.#say(Buffer.from('250 OK\r\n'));
      return;
    }
    const opening = openingAnswer(request);
    const answer = opening ?? internet.answer(request);
    const scheme = this.#isTls ? 'https' : request.scheme;
    const told = { status: answer.status, head: printHttpHead(answer), body: answer.body };
    recorderOf(machine).http({ ...request, scheme, taint: this.#pendingTaint }, told);
    this.#pending = Buffer.alloc(0);
    this.#pendingTaint = 0;
    this.#isSpoken = true;
    this.#say(printHttpResponse(answer));
    if (opening !== null) this.#open(request);
    this.#isAnswered = true;
  }

  #tell(machine: Machine, data: Uint8Array, taint: Taint): void {
    const { host, port } = this.#plan;
    recorderOf(machine).netSend({ host, port, isEncrypted: this.#isTls }, data, taint, 'Socket.getOutputStream');
  }

  #say(data: Uint8Array): void {
    if (this.#incoming.length + data.length > maxConversation) return;
    this.#incoming = Buffer.concat([this.#incoming, data]);
  }

  #open({ host, path }: HttpRequest): void {
    this.#webSocket = placeOf(host, path);
    this.#say(this.#nextMessage(this.#webSocket));
  }

  /** A frame with the server's next message; empty once it has sent the most it may. */
  #nextMessage(place: string): Uint8Array {
    if (this.#messages >= maxMessages) return Buffer.alloc(0);
    this.#messages += 1;
    return serverFrame(frameKinds.text, this.#plan.internet.message(place));
  }

  /** The content of frames is reported unmasked. */
  #hearFrames(machine: Machine, place: string): void {
    const heard: Uint8Array[] = [];
    const answers: Uint8Array[] = [];
    for (let next = clientFrame(this.#pending); next !== null; next = clientFrame(this.#pending)) {
      const { kind, content } = next.frame;
      this.#pending = this.#pending.subarray(next.size);
      if (kind === frameKinds.ping) answers.push(serverFrame(frameKinds.pong, content));
      else if (kind === frameKinds.close) answers.push(serverFrame(frameKinds.close, content));
      else {
        heard.push(content);
        answers.push(this.#nextMessage(place));
      }
    }
    if (heard.length > 0) this.#tell(machine, Buffer.concat(heard), this.#pendingTaint);
    this.#say(Buffer.concat(answers));
    if (this.#pending.length === 0) this.#pendingTaint = 0;
  }

  receive(machine: Machine, maximum: number): { data: Uint8Array; taint: Taint } | null {
    const hasSpoken = this.#isSpoken && this.#pending.length > 1 && this.#pending.at(-1) === lineFeed;
    const isSilent = this.#webSocket === null && this.#incoming.length === 0;
    if (isSilent && this.#messages < maxMessages && hasSpoken) {
      const { internet, host, port } = this.#plan;
      this.#messages += 1;
      this.#say(internet.message(`lines of ${host}:${port}`));
      this.#say(Buffer.of(lineFeed));
    }
    const data = this.#incoming.subarray(0, maximum);
    this.#incoming = this.#incoming.subarray(data.length);
    if (data.length > 0) recorderOf(machine).netReceive(this.#plan.host, this.#plan.port, data);
    // A silent server hangs up rather than holding the reader for ever.
    else if (this.#isAnswered || this.#pending.length > 0) return null;
    return { data, taint: 0 };
  }

  isWaiting(): boolean {
    return this.#webSocket !== null && this.#incoming.length === 0;
  }

  startTls(): void {
    this.#isTls = true;
  }

  close(machine: Machine): void {
    // An incomplete frame has left the phone all the same.
    if (this.#webSocket !== null && this.#pending.length > 0) this.#tell(machine, this.#pending, this.#pendingTaint);
    recorderOf(machine).netClose(this.#plan.host, this.#plan.port);
  }
}
