// The HTTP server around the application: timeouts, malformed requests, a clean end. Knows no route.
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { type FailureId, failures } from '../contract/failure.ts';
import { Connections } from './connections.ts';
import { RequestLine } from './request-line.ts';
import { type TlsIdentity, tlsOptions } from './tls-options.ts';

/** Milliseconds for the head of a request: a client that dribbles it holds a socket and nothing else. */
const headersTimeout = 20_000;
/** Milliseconds without a byte in either direction; event streams say something more often. */
const silenceTimeout = 120_000;
const keepAliveTimeout = 65_000;
/** How often slow heads are looked for, in milliseconds. */
const connectionsCheckingInterval = 5_000;
const maxHeaderBytes = 16 * 1024;
/** Well above a laboratory with open windows, below the files a process may open. */
const maxConnections = 1000;
/** Further connections that are closing or still in the TLS handshake. */
const maxUnsettled = 200;
/** Milliseconds in which a client can read why it was refused. */
const refusalTime = 2_000;
/** Milliseconds that answers under way have when the server ends. */
const endTimeout = 3_000;

export interface HttpServer {
  /** `http://host:port` or `https://host:port`, by the address it listens on. */
  url: string;
  port: number;
  /** Uses another certificate from the next connection on; without effect on a server without TLS. */
  renew(identity: TlsIdentity): void;
  close(): Promise<void>;
}

/** What Node's parser found wrong, in its own words where it has some. */
function faultOf(error: NodeJS.ErrnoException & { reason?: string }): string {
  if (error.code === 'HPE_INVALID_EOF_STATE') return 'it ended before it was whole';
  return error.reason || 'it is not HTTP';
}

/** Answers what Node could not read as a request, in the form of all other errors. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const known: Record<string, FailureId> = {
    HPE_HEADER_OVERFLOW: 'headers-too-large',
    ERR_HTTP_REQUEST_TIMEOUT: 'body-too-slow',
  };
  const { status, message } = failures[known[error.code ?? ''] ?? 'malformed-request'];
  const body = JSON.stringify({ detail: message.replace('{reason}', () => faultOf(error)) });
  const head = ['Content-Type: application/json; charset=utf-8', `Content-Length: ${Buffer.byteLength(body)}`];
  socket.end([`HTTP/1.1 ${status} Refused`, ...head, 'Connection: close', '', body].join('\r\n'));
  // A client that goes on sending would keep the connection open for ever.
  setTimeout(() => socket.destroy(), refusalTime).unref();
}

function configured(listener: RequestListener, identity: TlsIdentity | null): Server | TlsServer {
  const options = {
    headersTimeout,
    requestTimeout: 0,
    keepAliveTimeout,
    maxHeaderSize: maxHeaderBytes,
    connectionsCheckingInterval,
    // Refused by the application: Node's own answer has no body.
    requireHostHeader: false,
  };
  const line = new RequestLine(listener);
  const connections = new Connections(line.enter, maxConnections);
  const server =
    identity === null
      ? createServer(options, connections.take)
      : createTlsServer(
          {
            ...options,
            ...tlsOptions(identity),
            handshakeTimeout: headersTimeout,
          },
          connections.take,
        );
  // TLS closes both sides at once.
  if (identity === null) connections.answerHalfClosed(server);
  connections.bound(server);
  server.on('connection', line.noteConnection);
  server.timeout = silenceTimeout;
  server.maxConnections = maxConnections + maxUnsettled;
  server.on('clientError', refuse);
  // An unknown `Expect` header is ignored: Node's own answer to it has no body.
  server.on('checkExpectation', connections.take);
  return server;
}

/**
 * @param identity null: plain HTTP
 * @throws the system's error where the port cannot be listened on
 */
export async function listen(
  listener: RequestListener,
  host: string,
  port: number,
  identity: TlsIdentity | null = null,
): Promise<HttpServer> {
  const server = configured(listener, identity);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  // `0.0.0.0` and `::` are no addresses that one can open.
  const visited = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host);
  return {
    url: `${identity === null ? 'http' : 'https'}://${visited}:${address.port}`,
    port: address.port,
    renew(renewed) {
      if ('setSecureContext' in server) server.setSecureContext(tlsOptions(renewed));
    },
    async close() {
      // The server ends: connections close behind the answer that is under way.
      server.keepAliveTimeout = 1;
      server.keepAliveTimeoutBuffer = 0;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const timer = setTimeout(() => server.closeAllConnections(), endTimeout);
      await closed;
      clearTimeout(timer);
    },
  };
}
