// Asks a workstation over HTTP as one of its machines. Knows nothing of what is asked.
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { json, text } from 'node:stream/consumers';

/** Milliseconds without a byte after which a connection counts as lost. */
const silence = 30_000;

/** The workstation refuses; the message is its own. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'Refused';
    this.status = status;
  }
}

export interface Reached {
  /** `https://host:port`. */
  address: string;
  /** The authority that vouches for it, PEM; null: one that the system knows. */
  authority: string | null;
  token: string | null;
}

interface Sent {
  method?: string;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as they are. */
  pieces?: readonly Uint8Array[];
  headers?: Record<string, string>;
}

export class WorkstationClient {
  readonly #reached: Reached;
  readonly #agent: Agent | undefined;

  constructor(reached: Reached) {
    this.#reached = reached;
    const { address, authority } = reached;
    if (address.startsWith('https:'))
      this.#agent = new Agent({ keepAlive: true, ...(authority === null ? {} : { ca: authority }) });
  }

  /** @throws Refused; the system's error where it is not reached */
  async ask(path: string, sent: Sent = {}): Promise<IncomingMessage> {
    const { address, token } = this.#reached;
    const body = sent.json === undefined ? (sent.pieces ?? []) : [Buffer.from(JSON.stringify(sent.json))];
    const headers = {
      ...(token === null ? {} : { Authorization: `Machine ${token}` }),
      ...(body.length === 0
        ? {}
        : { 'Content-Type': sent.json === undefined ? 'application/octet-stream' : 'application/json' }),
      'Content-Length': String(body.reduce((sum, { length }) => sum + length, 0)),
      ...sent.headers,
    };
    const start = address.startsWith('https:') ? httpsRequest : httpRequest;
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const request = start(`${address}${path}`, { method: sent.method ?? 'GET', headers, agent: this.#agent }, resolve);
    request.setTimeout(silence, () => request.destroy(new Error('The workstation does not answer.')));
    request.on('error', reject);
    for (const piece of body) request.write(piece);
    request.end();
    const response = await promise;
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) return response;
    const said = await text(response).catch(() => '');
    throw new Refused(status, reasonIn(said) ?? `The workstation answers with status ${status}.`);
  }

  /** The JSON of an answer. */
  async askJson(path: string, sent: Sent = {}): Promise<unknown> {
    const response = await this.ask(path, sent);
    return response.statusCode === 204 ? null : json(response);
  }

  /** Sends something to which nothing is said. */
  async tell(path: string, sent: Sent): Promise<void> {
    (await this.ask(path, sent)).resume();
  }

  close(): void {
    this.#agent?.destroy();
  }
}

function reasonIn(said: string): string | null {
  try {
    const { detail } = JSON.parse(said) as { detail?: unknown };
    return typeof detail === 'string' ? detail.slice(0, 500) : null;
  } catch {
    return null;
  }
}
