// Lets requests in one after the other, few at a time. Knows no route.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

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
 * the threads would come in heaps. In line, a request is over before many others begin.
 */
export class RequestLine {
  readonly #listener: RequestListener;
  #waiting: Waiting[] = [];
  /** Begun and not over, with when they began, the oldest first; without those that take their time. */
  readonly #underWay = new Map<ServerResponse, number>();
  /** Calls to begin a request in a turn that comes. */
  #calls = 0;
  /** When this turn lets nobody in any more; null: it has let in nobody yet. */
  #turnEnd: number | null = null;
  #isConnecting = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(listener: RequestListener) {
    this.#listener = listener;
  }

  /** Takes a request, which begins in its turn. */
  readonly enter = (request: IncomingMessage, response: ServerResponse): void => {
    this.#waiting.push({ request, response });
    this.#callNext();
  };

  /** A client has connected. The loop takes one in each turn: the turns are short while a crowd comes. */
  readonly noteConnection = (): void => {
    this.#isConnecting = true;
  };

  /** Has as many begin as there is room for. Each begins in a call of its own, so that what it can do at once is done. */
  #callNext(): void {
    while (this.#calls < this.#waiting.length && this.#calls + this.#underWay.size < maxUnderWay) {
      this.#calls += 1;
      setImmediate(this.#admit);
    }
    // Nobody may be left to call those who still wait.
    if (this.#calls < this.#waiting.length) this.#timer ??= setTimeout(this.#passSlow, patience);
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
    const next = this.#waiting.shift();
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
