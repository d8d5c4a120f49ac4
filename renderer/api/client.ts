// One way to the server: requests with the session's token, typed by the contract, errors as records. Knows nothing of any
// resource.
import type { FileTypes, Given, Gotten } from '../../server/contract/operations/operation.ts';
import type { ApiOperations } from '../../server/contract/operations/operations.ts';
import { isAttended } from '../state/attendance.ts';
import { useSession } from '../state/session.ts';
import { texts } from '../texts.ts';

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** Messages by field, where a field is at fault. */
  readonly fields: Record<string, string[]>;
  /** Offset in the search text, where the search is at fault. */
  readonly position: number | null;
  /** Seconds after which the server would take it, where it says so. */
  retryAfter: number | null = null;

  constructor(status: number, message: string, fields: Record<string, string[]> = {}, position: number | null = null) {
    super(message);
    this.status = status;
    this.fields = fields;
    this.position = position;
  }
}

/** The server cannot be reached at all. */
export class OfflineError extends Error {
  override readonly name = 'OfflineError';
  constructor() {
    super(texts.state.unreachable);
  }
}

/** Makes an error of an error body: `{"detail", "position"?}` or `{"<field>": ["message"]}`. */
export function errorFromBody(status: number, text: string): ApiError {
  let body: unknown = null;
  try {
    body = JSON.parse(text);
  } catch (error) {
    console.info('An error without a JSON body.', status, error);
  }
  if (typeof body !== 'object' || body === null) return new ApiError(status, texts.state.status(status));
  const record = body as Record<string, unknown>;
  if (typeof record.detail === 'string') {
    return new ApiError(status, record.detail, {}, typeof record.position === 'number' ? record.position : null);
  }
  const fields: Record<string, string[]> = {};
  for (const [field, messages] of Object.entries(record)) {
    if (Array.isArray(messages)) fields[field] = messages.filter((message) => typeof message === 'string');
  }
  const first = Object.entries(fields)[0];
  return new ApiError(status, first === undefined ? texts.state.status(status) : first[1].join(' '), fields);
}

export function authorization(): Record<string, string> {
  const { session } = useSession.getState();
  return session === null ? {} : { Authorization: `Token ${session.token}` };
}

/**
 * Headers of requests that the window may send by itself: with nobody at the window they do not keep the session alive.
 * Uploads, which go on long after somebody began them, do.
 */
export function sessionHeaders(): Record<string, string> {
  return isAttended() ? authorization() : { ...authorization(), 'X-Unattended': 'yes' };
}

/** A 401 ends the session, unless it answers a request with an older token. */
export function noteUnauthorized(sentHeaders: Record<string, string>): void {
  const { session, end } = useSession.getState();
  if (session !== null && sentHeaders.Authorization === `Token ${session.token}`) end('expired');
}

interface RequestOptions {
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  body?: unknown;
  query?: Record<string, string | number | boolean | undefined>;
  signal?: AbortSignal;
}

/** Sends a request with the session's token; an answer that is no success is thrown. */
async function send(path: string, accept: string, options: RequestOptions): Promise<Response> {
  const { method = 'GET', body, query = {}, signal } = options;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  const headers: Record<string, string> = { Accept: accept, ...sessionHeaders() };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const search = parameters.size === 0 ? '' : `?${parameters}`;
  let response: Response;
  try {
    response = await fetch(`${path}${search}`, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
      cache: 'no-store',
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new OfflineError();
  }
  if (response.status === 401) noteUnauthorized(headers);
  if (!response.ok) {
    const error = errorFromBody(response.status, await response.text());
    error.retryAfter = Number(response.headers.get('Retry-After')) || null;
    throw error;
  }
  return response;
}

type FileKey = {
  [K in keyof ApiOperations]: ApiOperations[K]['answers'] extends { 200: FileTypes } ? K : never;
}[keyof ApiOperations];
export type JsonKey = Exclude<keyof ApiOperations, FileKey>;

/** What an operation is asked: the segments of its address by name, query and body. */
export type Asked<K extends keyof ApiOperations> = Given<K, ApiOperations[K]> & { signal?: AbortSignal };
/** What an operation is sent as its body, or asked in its query. */
export type BodyOf<K extends JsonKey> = Asked<K> extends { body?: infer Body } ? NonNullable<Body> : never;
export type QueryOf<K extends JsonKey> = Asked<K> extends { query?: infer Query } ? NonNullable<Query> : never;
/** What is asked may be left out where nothing in it is required. */
export type Arguments<T> = Record<never, never> extends T ? [asked?: T] : [asked: T];

/** What an operation answers where it succeeds. */
export type AnswerOf<K extends keyof ApiOperations> = Gotten<ApiOperations[K]>;
/** The address of an operation that is asked for in a way of its own. */
export const addressOf = (key: keyof ApiOperations) => key.slice(key.indexOf(' ') + 1);

/** The address with its segments filled in, and the rest. */
function spelled(key: string, asked: object = {}): [path: string, options: RequestOptions] {
  const { query, body, signal, ...segments } = asked as RequestOptions & Record<string, string>;
  const [method, address] = key.split(' ') as [RequestOptions['method'], string];
  const path = address.replace(/<(\w+)>/g, (_, name: string) => encodeURIComponent(segments[name] ?? ''));
  return [path, { method, query, body, signal }];
}

/**
 * Asks for an operation of the contract: `ask('PATCH /signers/<sha256>/', { sha256, body: { is_trusted: true } })`.
 * @returns the answer's body, `undefined` for a 204
 * @throws {ApiError} the server refused; {OfflineError} it could not be reached
 */
export async function ask<K extends JsonKey>(key: K, ...[asked]: Arguments<Asked<K>>): Promise<AnswerOf<K>> {
  const [path, options] = spelled(key, asked);
  const response = await send(path, 'application/json', options);
  return (response.status === 204 ? undefined : await response.json()) as AnswerOf<K>;
}

/**
 * Asks for a file.
 * @returns the body's bytes and type, and how long the whole is that they are a part of
 * @throws as `ask`
 */
export async function askBytes<K extends FileKey>(
  key: K,
  ...[asked]: Arguments<Asked<K>>
): Promise<{ bytes: Uint8Array<ArrayBuffer>; type: string; size: number }> {
  const [path, options] = spelled(key, asked);
  const response = await send(path, '*/*', options);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const size = Number(response.headers.get('X-Content-Size') ?? bytes.length);
  return { bytes, type: response.headers.get('Content-Type') ?? '', size };
}
