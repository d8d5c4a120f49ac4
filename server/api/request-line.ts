// Lets requests in one after the other, few at a time. Knows no route.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { networkOf } from '../services/sharing/network-address.ts';

/**
 * Milliseconds of a turn that go to new requests: what waits for the loop (answers of threads, timers, the next
 * connection) waits no longer for a crowd than that.
 */
const turnTime = 4;
/** Enough that the threads which search and read always have a next question while this one writes answers. */
const maxUnderWay = 16;
/** Milliseconds after which a request is one that takes its time (a transfer, a long count, a stream): others pass it. */
const patience = 50;

interface Waiting {
  request: IncomingMessage;
  response: ServerResponse;
}

/**
 * A crowd's requests come all at once, and what each asks of a thread is answered in a later turn of the event loop:
 * were all of them begun at once, every step of every answer would wait for a step of all others, and the answers of
 * the threads would come in heaps. In line, a request is over before many others begin. Each network has a line of its
 * own, and they take turns: nobody waits behind all of what another sends.
 */
export class RequestLine {
  readonly #listener: RequestListener;
  /** By network; the first is the next. */
  readonly #lines = new Map<string, Waiting[]>();
  #waiting = 0;
  /** Begun and not over, with when they began, the oldest first; without those that take their time. */
  readonly #underWay = new Map<ServerResponse, number>();
  /** Calls to begin a request in a turn that comes. */
  #calls = 0;
  /** When this turn stops letting requests in; null: it has let in none yet. */
  #turnEnd: number | null = null;
  #isConnecting = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(listener: RequestListener) {
    this.#listener = listener;
  }

  /** Takes a request, which begins in its turn. */
  readonly enter = (request: IncomingMessage, response: ServerResponse): void => {
    const network = networkOf(request.socket.remoteAddress ?? '');
    const line = this.#lines.get(network);
    if (line === undefined) this.#lines.set(network, [{ request, response }]);
    else line.push({ request, response });
    this.#waiting += 1;
    this.#callNext();
  };

  /** A client has connected. The loop takes one in each turn: the turns are short while a crowd comes. */
  readonly noteConnection = (): void => {
    this.#isConnecting = true;
  };

  /** Has as many begin as there is room for. Each begins in a call of its own, so that what it can do at once is done. */
  #callNext(): void {
    while (this.#calls < this.#waiting && this.#calls + this.#underWay.size < maxUnderWay) {
      this.#calls += 1;
      setImmediate(this.#admit);
    }
    // Nobody may be left to call those who still wait.
    if (this.#calls < this.#waiting) this.#timer ??= setTimeout(this.#passSlow, patience);
  }

  readonly #admit = (): void => {
    const now = performance.now();
    if (this.#turnEnd === null) {
      this.#turnEnd = this.#isConnecting ? now : now + turnTime;
      this.#isConnecting = false;
      setImmediate(this.#endTurn);
    } else if (now >= this.#turnEnd) {
      // Behind the end of this turn.
      setImmediate(this.#admit);
      return;
    }
    this.#calls -= 1;
    const next = this.#next();
    if (next === undefined) return;
    const { request, response } = next;
    // Whoever broke the connection waits no more.
    if (request.socket.destroyed) {
      this.#callNext();
      return;
    }
    this.#underWay.set(response, now);
    response.once('close', () => {
      if (this.#underWay.delete(response)) this.#callNext();
    });
    this.#listener(request, response);
  };

  /** The longest waiting of the network whose turn it is, which then is the last. */
  #next(): Waiting | undefined {
    for (const [network, line] of this.#lines) {
      const next = line.shift();
      this.#lines.delete(network);
      if (line.length > 0) this.#lines.set(network, line);
      this.#waiting -= 1;
      return next;
    }
    return undefined;
  }

  readonly #endTurn = (): void => {
    this.#turnEnd = null;
  };

  readonly #passSlow = (): void => {
    this.#timer = undefined;
    const latest = performance.now() - patience;
    for (const [response, begun] of this.#underWay) {
      if (begun > latest) break;
      this.#underWay.delete(response);
    }
    this.#callNext();
  };
}
