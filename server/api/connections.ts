// Who is connected and what each connection asks: one request at a time, answered even after the client has closed its
// side. Knows no route.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { networkOf } from '../services/sharing/network-address.ts';

/** Milliseconds for the answer to a client that has closed its side of the connection and may be gone. */
const halfClosedPatience = 1_000;

export class Connections {
  readonly #listener: RequestListener;
  readonly #most: number;
  readonly #latest = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>();
  #open = 0;
  /** Those of each network, the oldest first. */
  readonly #networks = new Map<string, Set<Socket>>();
  /** Idle connections, the longest idle first. */
  readonly #silent = new Set<Socket>();

  /** @param most connections that may be open at a time */
  constructor(listener: RequestListener, most: number) {
    this.#listener = listener;
    this.#most = most;
  }

  /**
   * Handles a request. A pipelined one (RFC 9112 section 9.3.2) waits until the previous answer has been read, so that
   * at most one answer is kept for a client that reads nothing.
   */
  readonly take = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    const before = this.#latest.get(socket)?.response;
    this.#latest.set(socket, { request, response });
    this.#silent.delete(socket);
    response.once('close', () => {
      if (this.#latest.get(socket)?.response === response && !socket.destroyed) this.#silent.add(socket);
    });
    if (before === undefined || before.closed) this.#listener(request, response);
    else before.once('close', () => this.#listener(request, response));
  };

  /**
   * Limits the connections of a server: beyond the limit, the one that has been idle for longest is closed, else the
   * newest of the network that has most, so that no client can keep others out by many connections or slow requests.
   */
  bound(server: Server | TlsServer): void {
    // Over TLS requests come by another socket than the first of a connection.
    server.on('setSecureContext' in server ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.#open += 1;
      const network = networkOf(socket.remoteAddress ?? '');
      const own = this.#networks.get(network) ?? new Set();
      this.#networks.set(network, own.add(socket));
      socket.once('close', () => {
        this.#open -= 1;
        this.#silent.delete(socket);
        own.delete(socket);
        if (own.size === 0) this.#networks.delete(network);
      });
      const [leaving] = this.#open > this.#most ? this.#silent : [];
      this.#silent.add(socket);
      if (this.#open <= this.#most) return;
      const ended = leaving ?? this.#latestOfMost();
      this.#silent.delete(ended);
      ended.destroy();
    });
  }

  /** The latest connection of the network that has most. */
  #latestOfMost(): Socket {
    const sets = [...this.#networks.values()];
    const most = sets.reduce((one, other) => (other.size > one.size ? other : one));
    return [...most].findLast(({ destroyed }) => !destroyed) ?? [...most].at(-1)!;
  }

  /**
   * Lets clients close their side of the connection and still read the answer, as scripts around `nc` do. Browsers
   * leave in the same way: unless the request was declared the last one (HTTP/1.0, `Connection: close`), an answer that
   * takes longer is dropped.
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
