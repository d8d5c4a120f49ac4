// Who is connected and what each connection asks: one request at a time, answered also behind its end. Knows no route.
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
   * Takes a request. One that was sent behind another (RFC 9112 section 9.3.2) waits until the answer before is read:
   * of a client that reads nothing no more than one answer is kept.
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
   * Keeps the connections of a server few: where there are too many, the one that has asked nothing for longest makes
   * room, else the latest of the network that has most, so that nobody can keep others out by connections, nor by
   * requests that take long on each.
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
