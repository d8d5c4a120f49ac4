// Lets requests in one after the other, a few milliseconds of them in each turn of the event loop. Knows no route.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/**
 * Milliseconds of a turn that go to new requests: what waits for the loop (answers of threads, timers, the next
 * connection) waits no longer for a crowd than that.
 */
const turnTime = 4;

/**
 * A crowd's requests come all at once, and what each asks of a thread is answered in a later turn of the event loop:
 * were all of them begun at once, every step of every answer would wait for a step of all others. In line, one request
 * is over before many others begin.
 */
export class RequestLine {
  readonly #listener: RequestListener;
  /** When this turn lets nobody in any more; null: it has let in nobody yet. */
  #turnEnd: number | null = null;
  #isConnecting = false;

  constructor(listener: RequestListener) {
    this.#listener = listener;
  }

  /** Takes a request, which begins in its turn. */
  readonly enter = (request: IncomingMessage, response: ServerResponse): void => {
    setImmediate(this.#admit, request, response);
  };

  /** A client has connected. The loop takes one in each turn: the turns are short while a crowd comes. */
  readonly noteConnection = (): void => {
    this.#isConnecting = true;
  };

  readonly #admit = (request: IncomingMessage, response: ServerResponse): void => {
    const now = performance.now();
    if (this.#turnEnd === null) {
      this.#turnEnd = this.#isConnecting ? now : now + turnTime;
      this.#isConnecting = false;
      setImmediate(this.#endTurn);
    } else if (now >= this.#turnEnd) {
      // Behind the end of this turn, before all that come later.
      setImmediate(this.#admit, request, response);
      return;
    }
    // Whoever broke the connection waits no more.
    if (!request.socket.destroyed) this.#listener(request, response);
  };

  readonly #endTurn = (): void => {
    this.#turnEnd = null;
  };
}
