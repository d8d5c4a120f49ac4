// The simulated internet: every name resolves, every server answers, nothing leaves the process. Knows no machine.
import { JsonAnswers, type JsonShape } from './json-answers.ts';
import { knownAnswer } from './known-services.ts';
import { Prompts } from './prompts.ts';
import { SealedAnswers } from './sealed-answers.ts';

export interface HttpRequest {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  /** Path with query, as in the request line. */
  readonly path: string;
  readonly method: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

export interface HttpResponse {
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/** A configured answer; the first that fits is used. */
export interface CannedResponse {
  /** The host, or its ending as in `.example.org`; any host where absent. */
  readonly host?: string;
  /** What the path starts with; any where absent. */
  readonly path?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text, or bytes in base64. */
  readonly body?: string | { readonly base64: string };
}

/** FNV-1a, so that a name has the same address in every run. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash;
}

/** First octets of public networks without special ranges. */
const publicNetworks = [23, 31, 45, 52, 78, 81, 93, 104, 142, 151, 185, 195];
const dottedQuad = /^\d{1,3}(?:\.\d{1,3}){3}$/;
/** Names a program may look up; the table must not grow with the program's patience. */
const maxNames = 10_000;

const reasons: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  204: 'No Content',
  301: 'Moved Permanently',
  302: 'Found',
  304: 'Not Modified',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  500: 'Internal Server Error',
};

const bodies: readonly { readonly when: RegExp; readonly type: string; readonly body: string }[] = [
  { when: /\.(?:js)(?:\?|$)/i, type: 'application/javascript', body: 'var ready = true;\n' },
  { when: /\.css(?:\?|$)/i, type: 'text/css', body: 'body { margin: 0 }\n' },
  { when: /\.xml(?:\?|$)/i, type: 'application/xml', body: '<?xml version="1.0"?>\n<response status="ok"/>\n' },
  { when: /\.txt(?:\?|$)/i, type: 'text/plain', body: 'ok\n' },
  {
    when: /\.(?:png|jpe?g|gif|webp)(?:\?|$)/i,
    type: 'image/gif',
    body: 'GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000;',
  },
];
/** After so many different queries a list is empty: its pages are over. */
const pagesOfList = 12;
/** Texts that one place of an answer takes in turn. */
const maxWanted = 40;
const isJsonPath = /json|\/api|\/v\d|config|register|gate|cmd|task|\.php/i;

/** Whether a request says that it is, or wants, JSON. */
function speaksJson({ headers, body }: HttpRequest): boolean {
  if (/^\s*[{[]/.test(Buffer.from(body.subarray(0, 16)).toString('latin1'))) return true;
  return headers.some(([name, value]) => /^(?:accept|content-type)$/i.test(name) && /\bjson\b/i.test(value));
}

/** What makes the answers. */
export const placeOf = (host: string, path: string): string => host + path.replace(/\?.*/, '');

export class Internet {
  readonly #responses: readonly CannedResponse[];
  readonly #names = new Map<string, string>();
  readonly #addresses = new Map<string, string>();

  /** What the app does with answers that it reads as JSON. */
  readonly json = new JsonAnswers();
  /** How the app opens answers. */
  readonly sealed = new SealedAnswers();
  readonly #prompts: Prompts;
  /** Answers so far, by the place. */
  readonly #turns = new Map<string, number>();
  /** By the place, the last path with its query, and how often it changed. */
  readonly #pages = new Map<string, { readonly path: string; readonly count: number }>();

  /** @param prompts texts that the app was seen to wait for; servers without a configured answer send them in turn */
  constructor(responses: readonly CannedResponse[] = [], prompts = new Prompts()) {
    this.#responses = responses;
    this.#prompts = prompts;
  }

  /** The IPv4 address of a name: made up, public and always the same. */
  resolve(host: string): string {
    const name = host.toLowerCase();
    if (dottedQuad.test(name)) return name;
    if (name === 'localhost') return '127.0.0.1';
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const hash = hashOf(name);
    const first = publicNetworks[hash % publicNetworks.length]!;
    const address = `${first}.${(hash >>> 8) & 0xff}.${(hash >>> 16) & 0xff}.${1 + ((hash >>> 24) % 254)}`;
    if (this.#names.size < maxNames) {
      this.#names.set(name, address);
      this.#addresses.set(address, name);
    }
    return address;
  }

  /** The name an address was given out for, else the address. */
  nameOf(address: string): string {
    return this.#addresses.get(address) ?? address;
  }

  answer(request: HttpRequest): HttpResponse {
    const { host, path } = request;
    const canned = this.#responses.find(
      (each) =>
        (each.host === undefined || host === each.host || (each.host.startsWith('.') && host.endsWith(each.host))) &&
        (each.path === undefined || path.startsWith(each.path)),
    );
    if (canned !== undefined) {
      const body =
        canned.body === undefined || typeof canned.body === 'string'
          ? Buffer.from(canned.body ?? '')
          : Buffer.from(canned.body.base64, 'base64');
      return response(canned.status ?? 200, 'text/html; charset=utf-8', body, canned.headers);
    }
    if (/generate_204|gen_204/.test(path)) return response(204, 'text/plain', Buffer.alloc(0));
    const place = placeOf(host, path);
    const shape = this.json.shapeOf(place);
    const service = knownAnswer(host, path, () => this.#wanted(`told by ${place}`, 'hello')[0]!);
    if (typeof service === 'string') return response(200, 'text/plain', Buffer.from(service));
    if (service !== undefined) {
      // Where the app missed something, the answer has it now.
      const asked = shape === undefined ? {} : (JSON.parse(this.#json(place, 'object')) as object);
      const body = this.sealed.seal(place, JSON.stringify({ ...asked, ...service }));
      return response(200, 'application/json; charset=utf-8', body);
    }
    const known = bodies.find(({ when }) => when.test(path));
    const isSealed = this.sealed.isSealed(place);
    if (shape === undefined && !isSealed && known !== undefined) {
      this.sealed.seal(place, known.body);
      return response(200, known.type, Buffer.from(known.body, 'latin1'));
    }
    if (shape !== undefined || isSealed || isJsonPath.test(path) || speaksJson(request)) {
      // Where no field was seen to be read, it has the usual ones with plausible texts.
      const text =
        shape === undefined
          ? this.#wanted(`whole ${place}`, JSON.stringify(this.json.usual(this.#wanted(place, 'ok')[0]!)))[0]!
          : this.#json(place, shape, this.#isLastPage(place, path));
      const body = this.sealed.seal(place, text);
      return response(200, isSealed ? 'text/plain' : 'application/json; charset=utf-8', body);
    }
    const page = `<!DOCTYPE html>\n<html><head><title>${host.replace(/[<>&"]/g, '')}</title></head><body>OK</body></html>\n`;
    const [text] = this.#wanted(place, page);
    return response(200, 'text/html; charset=utf-8', this.sealed.seal(place, text!));
  }

  /** A text that the app reads as JSON, which may be an answer. */
  readAsJson(text: string, shape: JsonShape): void {
    const place = this.sealed.placeOf(text);
    if (place !== undefined) this.json.read(place, shape);
  }

  /** What a server says to an app that it holds a connection with, in messages or lines. */
  message(place: string): Uint8Array {
    const shape = this.json.shapeOf(place);
    return this.sealed.seal(place, shape === undefined ? this.#wanted(place, 'hello')[0]! : this.#json(place, shape));
  }

  /** The text itself and those that the app compared it or an answer with, in turn for repeated requests. */
  #wanted(place: string, text: string): readonly string[] {
    const answers = this.#prompts.answersTo(this.#prompts.tell(text));
    const texts = new Set([text, ...answers]);
    for (const answer of answers) {
      if (texts.size >= maxWanted) break;
      for (const further of this.#prompts.answersTo(answer)) texts.add(further);
    }
    const all = [...texts].slice(0, maxWanted);
    const turn = this.#turns.get(place) ?? 0;
    if (this.#turns.size < maxNames || turn > 0) this.#turns.set(place, turn + 1);
    const at = turn % all.length;
    this.#prompts.tell(all[at]!);
    return [...all.slice(at), ...all.slice(0, at)];
  }

  /** Whether a list that is requested page by page is at its end: apps read on until a page is empty. */
  #isLastPage(place: string, path: string): boolean {
    const asked = this.#pages.get(place) ?? { path: '', count: 0 };
    if (asked.path === path) return false;
    const count = asked.count + 1;
    if (this.#pages.size < maxNames || asked.count > 0) this.#pages.set(place, { path, count });
    return count % pagesOfList === 0;
  }

  /** @param isEmpty whether lists have nothing in them */
  #json(place: string, shape: JsonShape, isEmpty = false): string {
    const values = this.#wanted(place, 'ok');
    if (isEmpty) return JSON.stringify(this.json.answer(shape, [], values[0]!));
    // Texts in an answer may be encoded, or JSON, themselves.
    const within = `texts of ${place}`;
    const inner = this.json.shapeOf(within);
    const texts = values.map((value) => {
      const text = inner === undefined ? value : JSON.stringify(this.json.answer(inner, [value], value));
      return this.sealed.seal(within, text).toString('latin1');
    });
    return JSON.stringify(this.json.answer(shape, texts, values[0]!));
  }
}

function response(
  status: number,
  type: string,
  body: Uint8Array,
  others: Readonly<Record<string, string>> = {},
): HttpResponse {
  return {
    status,
    reason: reasons[status] ?? 'OK',
    headers: [
      ['Server', 'nginx'],
      ['Content-Type', type],
      ['Content-Length', String(body.length)],
      ['Connection', 'close'],
      ...Object.entries(others),
    ],
    body,
  };
}

/** A request as it goes over a plain connection, for sockets that speak HTTP by themselves; null while it is incomplete. */
export function parseHttpRequest(bytes: Uint8Array, host: string, port: number): HttpRequest | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const [requestLine, ...lines] = text.slice(0, headEnd).split('\r\n');
  const [, method, path] = /^([A-Z]{3,10}) (\S+) HTTP\/1\.[01]$/.exec(requestLine!) ?? [];
  if (method === undefined || path === undefined) return null;
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const header = (name: string) => headers.find(([each]) => each.toLowerCase() === name)?.[1];
  const length = Number(header('content-length') ?? 0);
  if (bytes.length - headEnd - 4 < length) return null;
  const named = header('host')?.replace(/:\d+$/, '');
  return {
    scheme: port === 443 ? 'https' : 'http',
    host: named ?? host,
    port,
    path,
    method,
    headers,
    body: bytes.subarray(headEnd + 4, headEnd + 4 + length),
  };
}

/** The first line of an answer and its headers, to the empty line behind them. */
export const printHttpHead = ({ status, reason, headers }: HttpResponse): string =>
  [`HTTP/1.1 ${status} ${reason}`, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n');

/** An answer as it goes over a plain connection. */
export const printHttpResponse = (answer: HttpResponse): Uint8Array =>
  Buffer.concat([Buffer.from(printHttpHead(answer), 'latin1'), answer.body]);
