// Reads server-sent events by a streaming fetch, since EventSource cannot send a token. Knows nothing of what they say.

export interface ServerSentEvent {
  type: string;
  data: string;
  id: string | null;
}

/** No honest event is larger; a stream without line ends must not fill the memory. */
const maxBuffered = 4 * 1024 * 1024;

/** Cuts arriving text into events, by the rules of the HTML standard (event, data, id and comment lines). */
export class EventParser {
  #rest = '';
  #type = '';
  #data: string[] = [];
  #id: string | null = null;

  /** @throws {RangeError} an event is larger than any honest one */
  push(chunk: string): ServerSentEvent[] {
    const events: ServerSentEvent[] = [];
    const lines = (this.#rest + chunk).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > maxBuffered) throw new RangeError('An event has no end.');
    for (const line of lines) {
      if (line === '') {
        if (this.#data.length > 0) {
          events.push({ type: this.#type === '' ? 'message' : this.#type, data: this.#data.join('\n'), id: this.#id });
        }
        this.#type = '';
        this.#data = [];
        continue;
      }
      const at = line.indexOf(':');
      if (at === 0) continue;
      const field = at === -1 ? line : line.slice(0, at);
      const value = at === -1 ? '' : line.slice(at + 1).replace(/^ /, '');
      if (field === 'event') this.#type = value;
      else if (field === 'data') this.#data.push(value);
      else if (field === 'id') this.#id = value;
    }
    return events;
  }
}

export type StreamState = 'connecting' | 'open' | 'offline';

interface StreamOptions {
  path: string;
  headers: () => Record<string, string>;
  onEvent: (event: ServerSentEvent) => void;
  onState: (state: StreamState) => void;
  /** The server refused the token. */
  onUnauthorized: (sentHeaders: Record<string, string>) => void;
}

const firstDelay = 500;
const longestDelay = 15_000;
/** A connection that says nothing, not even a comment, for so long is dead. */
const silenceLimit = 60_000;

/**
 * Keeps a stream open until told to stop: reconnects with growing, jittered delays, at once when the browser comes
 * back online.
 * @returns stops it
 */
export function openEventStream(options: StreamOptions): () => void {
  const stop = new AbortController();
  let lastId: string | null = null;
  let failures = 0;

  const connectOnce = async () => {
    const attempt = new AbortController();
    const end = () => attempt.abort();
    stop.signal.addEventListener('abort', end);
    let silence = setTimeout(end, silenceLimit);
    const headers: Record<string, string> = { Accept: 'text/event-stream', ...options.headers() };
    if (lastId !== null) headers['Last-Event-ID'] = lastId;
    try {
      const response = await fetch(options.path, { headers, signal: attempt.signal, cache: 'no-store' });
      if (response.status === 401) {
        stop.abort();
        options.onUnauthorized(headers);
        return;
      }
      if (!response.ok || response.body === null) throw new Error(`The event stream answered ${response.status}.`);
      failures = 0;
      options.onState('open');
      const parser = new EventParser();
      const decoder = new TextDecoder();
      const reader = response.body.getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        clearTimeout(silence);
        silence = setTimeout(end, silenceLimit);
        for (const event of parser.push(decoder.decode(value, { stream: true }))) {
          lastId = event.id ?? lastId;
          options.onEvent(event);
        }
      }
    } finally {
      clearTimeout(silence);
      stop.signal.removeEventListener('abort', end);
    }
  };

  const pause = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        window.removeEventListener('online', finish);
        stop.signal.removeEventListener('abort', finish);
        resolve();
      };
      const timer = setTimeout(finish, milliseconds);
      window.addEventListener('online', finish);
      stop.signal.addEventListener('abort', finish);
    });

  const run = async () => {
    options.onState('connecting');
    while (!stop.signal.aborted) {
      try {
        await connectOnce();
      } catch (error) {
        if (!stop.signal.aborted) console.info('The event stream ended.', error);
      }
      if (stop.signal.aborted) return;
      failures += 1;
      // A single dropped connection is no outage: the banner shows after the second failure in a row.
      options.onState(failures > 1 ? 'offline' : 'connecting');
      await pause(Math.min(longestDelay, firstDelay * 2 ** (failures - 1)) * (0.75 + Math.random() / 2));
    }
  };
  void run();
  return () => stop.abort();
}
