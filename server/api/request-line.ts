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
 * A queue that lets few requests run at a time. If all requests of a burst began at once, every step of each would wait
 * for a step of all others, because answers of threads arrive in later turns of the event loop. Each network has a queue
 * of its own, and the queues take turns, so that no network has to wait for all requests of another.
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

  /** Notes a new connection. The event loop accepts one in each turn: turns are kept short while clients connect. */
  readonly noteConnection = (): void => {
    this.#isConnecting = true;
  };

  /** Begins as many requests as there is room for, each in a callback of its own. */
  #callNext(): void {
    while (this.#calls < this.#waiting && this.#calls + this.#underWay.size < maxUnderWay) {
      this.#calls += 1;
      setImmediate(this.#admit);
    }
    // Requests that still wait may find no other one that ends and calls them.
    if (this.#calls < this.#waiting) this.#timer ??= setTimeout(this.#passSlow, patience);
  }

  readonly #admit = (): void => {
    const now = performance.now();
    if (this.#turnEnd === null) {
      this.#turnEnd = this.#isConnecting ? now : now + turnTime;
      this.#isConnecting = false;
      setImmediate(this.#endTurn);
    } else if (now >= this.#turnEnd) {
      // After the end of this turn.
      setImmediate(this.#admit);
      return;
    }
    this.#calls -= 1;
    const next = this.#next();
    if (next === undefined) return;
    const { request, response } = next;
    // The client has closed the connection.
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
