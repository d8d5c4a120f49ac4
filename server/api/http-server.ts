// The HTTP server around the application: timeouts, malformed requests, a clean end. Knows no route.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type FailureId, failures } from '../contract/failure.ts';

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
/** Milliseconds that answers under way have when the server ends. */
const endTimeout = 3_000;

export interface HttpServer {
  /** `http://host:port`, by the address it listens on. */
  url: string;
  port: number;
  close(): Promise<void>;
}

/** Answers what never became a request, in the form of all other errors. */
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
  const body = JSON.stringify({ detail: message.replace('{reason}', 'it is not HTTP') });
  const head = ['Content-Type: application/json; charset=utf-8', `Content-Length: ${Buffer.byteLength(body)}`];
  socket.end([`HTTP/1.1 ${status} Refused`, ...head, 'Connection: close', '', body].join('\r\n'));
}

function configured(listener: RequestListener): Server {
  const server = createServer(
    { headersTimeout, requestTimeout: 0, keepAliveTimeout, maxHeaderSize: maxHeaderBytes, connectionsCheckingInterval },
    listener,
  );
  server.timeout = silenceTimeout;
  server.maxConnections = maxConnections;
  server.on('clientError', refuse);
  return server;
}

/** @throws the system's error where the port cannot be listened on */
export async function listen(listener: RequestListener, host: string, port: number): Promise<HttpServer> {
  const server = configured(listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  // An address that stands for all is none to visit.
  const visited = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host);
  return {
    url: `http://${visited}:${address.port}`,
    port: address.port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), endTimeout);
      await closed;
      clearTimeout(timer);
    },
  };
}
