// What each connection asks: one request at a time, answered also behind its end. Knows no route.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Milliseconds for the answer to a client that has closed its side of the connection and may be gone. */
const halfClosedPatience = 1_000;

export class Connections {
  readonly #listener: RequestListener;
  readonly #latest = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>();

  constructor(listener: RequestListener) {
    this.#listener = listener;
  }

  /**
   * Takes a request. One that was sent behind another (RFC 9112 section 9.3.2) waits until the answer before is read:
   * of a client that reads nothing no more than one answer is kept.
   */
  readonly take = (request: IncomingMessage, response: ServerResponse): void => {
    const before = this.#latest.get(request.socket)?.response;
    this.#latest.set(request.socket, { request, response });
    if (before === undefined || before.closed) this.#listener(request, response);
    else before.once('close', () => this.#listener(request, response));
  };

  /**
   * Has a server let clients close their side of the connection and still read the answer, as scripts around `nc` do.
   * Browsers leave in the same way, without a word: unless this was said to be the last request (HTTP/1.0,
   * `Connection: close`), what takes longer is given up.
   */
  answerHalfClosed(server: Server): void {
    Object.assign(server, { httpAllowHalfOpen: true });
    server.on('connection', (socket) => {
      socket.on('end', () => {
        const { request, response } = this.#latest.get(socket) ?? {};
        if (!request?.complete || !response?.shouldKeepAlive) return;
        setTimeout(() => {
          if (!response.closed) socket.destroy();
        }, halfClosedPatience).unref();
      });
    });
  }
}
