// HttpURLConnection and HttpsURLConnection over the simulated internet. Knows what is sent and what comes back, and no hosts.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods } from '../../machine/model.ts';
import { virtualFiles } from '../../machine/virtual-files.ts';
import { javaHooks } from '../hooks.ts';
import { bufferInput } from '../io/byte-input.ts';
import { type ByteOutput, nativeOutput } from '../io/byte-output.ts';
import { newList } from '../util/iteration.ts';
import { illegalState, instance, ioException, objectTaint, optionalText, type Reference, textOf } from '../values.ts';
import { type HttpResponse, virtualNetwork } from '../virtual-network.ts';
import type { Exchange } from './exchange.ts';
import { askHostnameVerifier, askTrustManagers, certificatesOf, tlsCipherSuite } from './tls.ts';
import { parseAddress, resolveAddress, urlText } from './url.ts';

const MAXIMUM_REDIRECTS = 20;
const S = 'Ljava/lang/String;';
const SSL = 'Ljavax/net/ssl/';

function exchange(self: HeapObject): Exchange {
  return self.native as Exchange;
}

function connectException(machine: Machine, host: string, port: number) {
  return machine.exception('Ljava/net/ConnectException;', `Failed to connect to ${host}:${port}`);
}

/** Sends the request, once; follows redirects as the platform does. @throws JavaThrow UnknownHostException, ConnectException */
function respond(machine: Machine, self: HeapObject): HttpResponse {
  const state = exchange(self);
  if (state.response !== null) return state.response;
  let url = urlText(state.url);
  const urlTaint = state.url.taint;
  let method = state.method;
  let body: Uint8Array = Buffer.concat(state.body);
  const network = virtualNetwork(machine);
  for (let turn = 0; ; turn++) {
    const address = parseAddress(url);
    if (address.scheme === 'file') return readFile(machine, state, address.path);
    const host = address.host ?? '';
    if (network.resolve(machine, host).length === 0) {
      throw machine.exception(
        'Ljava/net/UnknownHostException;',
        `Unable to resolve host "${host}": No address associated with hostname`,
      );
    }
    if (address.scheme === 'https') shakeHands(machine, state, host);
    const headers = withDefaults(machine, state, body.length > 0 || state.doesOutput, address.authority ?? host, body);
    const taint = machine.union(urlTaint, machine.union(state.headerTaint, state.bodyTaint));
    const request = { method, url, headers, body, taint, urlTaint, bodyTaint: state.bodyTaint };
    const response = network.http(machine, request);
    if (response === null)
      throw connectException(machine, host, address.port < 0 ? (address.scheme === 'https' ? 443 : 80) : address.port);
    const location = header(response, 'location');
    const isRedirect = response.status >= 300 && response.status < 308 && response.status !== 304 && location !== null;
    if (!isRedirect || !state.followsRedirects || turn >= MAXIMUM_REDIRECTS) {
      state.response = response;
      state.finalUrl = url;
      state.taint = response.taint ?? 0;
      return response;
    }
    url = resolveAddress(url, location);
    if (response.status !== 307 && method !== 'HEAD') {
      method = 'GET';
      body = new Uint8Array(0);
    }
  }
}

interface Security {
  verifier: HeapObject | null;
  socketFactory: HeapObject | null;
}

/** What the app set for all connections. */
const securityOf = (machine: Machine): Security =>
  machine.state<Security>('java.https', () => ({ verifier: null, socketFactory: null }));

/** @throws JavaThrow SSLPeerUnverifiedException where the app's HostnameVerifier refuses the host */
function shakeHands(machine: Machine, state: Exchange, host: string): void {
  const { socketFactory, verifier } = securityOf(machine);
  askTrustManagers(machine, (state.socketFactory ?? socketFactory)?.native, host);
  askHostnameVerifier(machine, state.verifier ?? verifier, host);
}

function readFile(machine: Machine, state: Exchange, path: string): HttpResponse {
  const handle = virtualFiles(machine).open(machine, decodeURIComponent(path), 'r');
  if (typeof handle === 'string') throw machine.exception('Ljava/io/FileNotFoundException;', handle);
  const { data, taint } = handle.read(machine, handle.node.size);
  state.response = { status: 200, reason: 'OK', headers: [['Content-Length', String(data.length)]], body: data, taint };
  return state.response;
}

function withDefaults(
  machine: Machine,
  state: Exchange,
  hasBody: boolean,
  host: string,
  body: Uint8Array,
): [string, string][] {
  const headers = state.headers.slice();
  const has = (name: string): boolean => headers.some(([own]) => own.toLowerCase() === name);
  if (hasBody && !has('content-type')) headers.push(['Content-Type', 'application/x-www-form-urlencoded']);
  if (!has('user-agent')) headers.push(['User-Agent', javaHooks(machine).properties['http.agent'] ?? 'Dalvik/2.1.0']);
  if (!has('host')) headers.push(['Host', host]);
  if (!has('connection')) headers.push(['Connection', 'Keep-Alive']);
  if (!has('accept-encoding')) headers.push(['Accept-Encoding', 'gzip']);
  if (hasBody && !has('content-length')) headers.push(['Content-Length', String(body.length)]);
  return headers;
}

function header(response: HttpResponse, name: string): string | null {
  return response.headers.findLast(([own]) => own.toLowerCase() === name.toLowerCase())?.[1] ?? null;
}

function inputStream(machine: Machine, self: HeapObject, isError: boolean): HeapObject | null {
  const response = respond(machine, self);
  const state = exchange(self);
  const failed = response.status >= 400;
  if (isError && !failed) return null;
  if (!isError && failed) {
    if (response.status === 404 || response.status === 410) {
      throw machine.exception('Ljava/io/FileNotFoundException;', urlText(state.url));
    }
    throw ioException(machine, `Server returned HTTP response code: ${response.status} for URL: ${urlText(state.url)}`);
  }
  state.inputStream ??= instance(
    machine,
    'Ljava/io/NativeInputStream;',
    bufferInput(response.body, response.taint ?? 0),
  );
  return state.inputStream;
}

function outputStream(machine: Machine, self: HeapObject): HeapObject {
  const state = exchange(self);
  if (!state.doesOutput) {
    throw machine.exception(
      'Ljava/net/ProtocolException;',
      'cannot write to a URLConnection if doOutput=false - call setDoOutput(true)',
    );
  }
  if (state.method === 'GET') state.method = 'POST';
  const output: ByteOutput = {
    write: (data, taint) => {
      machine.charge(data.length);
      state.body.push(data);
      state.bodyTaint = machine.union(state.bodyTaint, taint);
    },
    // An HTTP request is sent when its response is read; FTP has no response to read.
    close: (m) => {
      if (parseAddress(urlText(state.url)).scheme === 'ftp') respond(m, self);
    },
  };
  state.outputStream ??= nativeOutput(machine, output);
  return state.outputStream;
}

const METHODS = new Set(['GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE', 'PATCH']);

function setHeader(machine: Machine, self: HeapObject, name: Reference, value: Reference, isAdded: boolean): undefined {
  const state = exchange(self);
  if (state.response !== null) throw illegalState(machine, 'Cannot set request property after connection is made');
  const key = textOf(machine, name);
  if (!isAdded) state.headers = state.headers.filter(([own]) => own.toLowerCase() !== key.toLowerCase());
  state.headers.push([key, optionalText(value) ?? '']);
  state.headerTaint = machine.union(
    state.headerTaint,
    machine.union(objectTaint(machine, value), machine.controlTaint),
  );
}

function headerMap(
  machine: Machine,
  headers: readonly (readonly [string, string])[],
  status: string | null,
  taint: number,
): HeapObject {
  const map = machine.construct('Ljava/util/LinkedHashMap;', '<init>()V');
  const byName = new Map<string, string[]>();
  for (const [name, value] of headers) byName.set(name, [...(byName.get(name) ?? []), value]);
  const put = (key: Reference, values: string[]): void => {
    const list = newList(
      machine,
      values.map((value) => machine.string(value, taint)),
    );
    machine.call(map, 'put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;', key, list);
  };
  if (status !== null) put(null, [status]);
  for (const [name, values] of byName) put(machine.string(name), values);
  return map;
}

/** Settings kept as they are: setter, getter and type. */
const SETTINGS = [
  ['ConnectTimeout', 'I', 0],
  ['ReadTimeout', 'I', 0],
  ['UseCaches', 'Z', 1],
  ['DoInput', 'Z', 1],
  ['AllowUserInteraction', 'Z', 0],
  ['DefaultUseCaches', 'Z', 1],
] as const;

function settings(): NativeMethods {
  const methods: Record<string, NativeMethods[string]> = {};
  for (const [name, type, initial] of SETTINGS) {
    methods[`set${name}(${type})V`] = (_machine, self, value: number) => {
      exchange(self).settings.set(name, value);
    };
    methods[`get${name}()${type}`] = (_machine, self) => exchange(self).settings.get(name) ?? initial;
  }
  return methods;
}

const withTaint = (machine: Machine, self: HeapObject, text: string | null) =>
  text === null ? null : machine.string(text, exchange(self).taint);

const dated = (text: string | null): bigint => BigInt(text === null ? 0 : Date.parse(text) || 0);

const methods: NativeMethods = {
  ...settings(),
  'connect()V': (machine, self) => {
    // With output enabled the request is sent when the response is read.
    if (!exchange(self).doesOutput) respond(machine, self);
  },
  'disconnect()V': (machine, self) => {
    if (exchange(self).body.length > 0 && exchange(self).response === null) respond(machine, self);
  },
  'getURL()Ljava/net/URL;': (machine, self) => {
    const { finalUrl, url } = exchange(self);
    if (finalUrl === null || finalUrl === urlText(url)) return url;
    return machine.construct('Ljava/net/URL;', `<init>(${S})V`, machine.string(finalUrl));
  },
  'setDoOutput(Z)V': (_machine, self, value: number) => {
    exchange(self).doesOutput = value !== 0;
  },
  'getDoOutput()Z': (_machine, self) => Number(exchange(self).doesOutput),
  [`setRequestMethod(${S})V`]: (machine, self, method: Reference) => {
    const name = textOf(machine, method);
    if (!METHODS.has(name)) throw machine.exception('Ljava/net/ProtocolException;', `Invalid HTTP method: ${name}`);
    exchange(self).method = name;
  },
  [`getRequestMethod()${S}`]: (machine, self) => machine.string(exchange(self).method),
  [`setRequestProperty(${S}${S})V`]: (machine, self, name, value) => setHeader(machine, self, name, value, false),
  [`addRequestProperty(${S}${S})V`]: (machine, self, name, value) => setHeader(machine, self, name, value, true),
  [`getRequestProperty(${S})${S}`]: (machine, self, name: Reference) => {
    const key = textOf(machine, name).toLowerCase();
    return withTaint(machine, self, exchange(self).headers.find(([own]) => own.toLowerCase() === key)?.[1] ?? null);
  },
  'getRequestProperties()Ljava/util/Map;': (machine, self) =>
    headerMap(machine, exchange(self).headers, null, exchange(self).headerTaint),
  'setInstanceFollowRedirects(Z)V': (_machine, self, value: number) => {
    exchange(self).followsRedirects = value !== 0;
  },
  'getInstanceFollowRedirects()Z': (_machine, self) => Number(exchange(self).followsRedirects),
  'setFixedLengthStreamingMode(I)V': () => undefined,
  'setFixedLengthStreamingMode(J)V': () => undefined,
  'setChunkedStreamingMode(I)V': () => undefined,
  'setIfModifiedSince(J)V': () => undefined,
  'usingProxy()Z': () => 0,
  'getOutputStream()Ljava/io/OutputStream;': outputStream,
  'getInputStream()Ljava/io/InputStream;': (machine, self) => inputStream(machine, self, false),
  'getErrorStream()Ljava/io/InputStream;': (machine, self) => inputStream(machine, self, true),
  'getContent()Ljava/lang/Object;': (machine, self) => inputStream(machine, self, false),
  'getResponseCode()I': (machine, self) => respond(machine, self).status,
  [`getResponseMessage()${S}`]: (machine, self) => machine.string(respond(machine, self).reason),
  [`getHeaderField(${S})${S}`]: (machine, self, name: Reference) =>
    withTaint(machine, self, header(respond(machine, self), optionalText(name) ?? '')),
  [`getHeaderField(I)${S}`]: (machine, self, index: number) => {
    const response = respond(machine, self);
    if (index === 0) return machine.string(`HTTP/1.1 ${response.status} ${response.reason}`);
    return withTaint(machine, self, response.headers[index - 1]?.[1] ?? null);
  },
  [`getHeaderFieldKey(I)${S}`]: (machine, self, index: number) =>
    withTaint(machine, self, respond(machine, self).headers[index - 1]?.[0] ?? null),
  [`getHeaderFieldInt(${S}I)I`]: (machine, self, name: Reference, otherwise: number) => {
    const text = header(respond(machine, self), textOf(machine, name));
    return text !== null && /^-?\d{1,9}$/.test(text) ? Number(text) : otherwise;
  },
  'getHeaderFields()Ljava/util/Map;': (machine, self) => {
    const response = respond(machine, self);
    return headerMap(machine, response.headers, `HTTP/1.1 ${response.status} ${response.reason}`, response.taint ?? 0);
  },
  'getContentLength()I': (machine, self) => contentLength(respond(machine, self)),
  'getContentLengthLong()J': (machine, self) => BigInt(contentLength(respond(machine, self))),
  [`getContentType()${S}`]: (machine, self) => withTaint(machine, self, header(respond(machine, self), 'content-type')),
  [`getContentEncoding()${S}`]: (machine, self) =>
    withTaint(machine, self, header(respond(machine, self), 'content-encoding')),
  'getLastModified()J': (machine, self) => dated(header(respond(machine, self), 'last-modified')),
  'getDate()J': (machine, self) => dated(header(respond(machine, self), 'date')),
  'getExpiration()J': (machine, self) => dated(header(respond(machine, self), 'expires')),
  [`toString()${S}`]: (machine, self) =>
    machine.string(`com.android.okhttp.internal.huc.HttpURLConnectionImpl:${urlText(exchange(self).url)}`),
};

function contentLength(response: HttpResponse): number {
  const text = header(response, 'content-length');
  return text === null || !/^\d{1,9}$/.test(text) ? -1 : Number(text);
}

// biome-ignore format: a table
const CODES: Readonly<Record<string, number>> = {
  OK: 200, CREATED: 201, ACCEPTED: 202, NO_CONTENT: 204, PARTIAL: 206, MULT_CHOICE: 300, MOVED_PERM: 301, MOVED_TEMP: 302,
  SEE_OTHER: 303, NOT_MODIFIED: 304, BAD_REQUEST: 400, UNAUTHORIZED: 401, FORBIDDEN: 403, NOT_FOUND: 404, BAD_METHOD: 405,
  CLIENT_TIMEOUT: 408, CONFLICT: 409, GONE: 410, INTERNAL_ERROR: 500, NOT_IMPLEMENTED: 501, BAD_GATEWAY: 502, UNAVAILABLE: 503,
};

const defaultFactory = (machine: Machine): HeapObject =>
  securityOf(machine).socketFactory ?? machine.allocate(`${SSL}SSLSocketFactoryImpl;`);
const defaultVerifier = (machine: Machine): HeapObject =>
  securityOf(machine).verifier ?? machine.allocate(`${SSL}AcceptingVerifier;`);

const securing: NativeMethods = {
  [`setSSLSocketFactory(${SSL}SSLSocketFactory;)V`]: (_machine, self, factory: Reference) => {
    exchange(self).socketFactory = factory;
  },
  [`getSSLSocketFactory()${SSL}SSLSocketFactory;`]: (machine, self) =>
    exchange(self).socketFactory ?? defaultFactory(machine),
  [`setHostnameVerifier(${SSL}HostnameVerifier;)V`]: (_machine, self, verifier: Reference) => {
    exchange(self).verifier = verifier;
  },
  [`getHostnameVerifier()${SSL}HostnameVerifier;`]: (machine, self) =>
    exchange(self).verifier ?? defaultVerifier(machine),
  [`getCipherSuite()${S}`]: (machine) => machine.string(tlsCipherSuite),
  'getServerCertificates()[Ljava/security/cert/Certificate;': (machine, self) =>
    certificatesOf(machine, parseAddress(urlText(exchange(self).url)).host ?? ''),
};

export const connectionModels: Record<string, ModelClass> = {
  'Ljava/net/URLConnection;': { isAbstract: true, methods: { '<init>(Ljava/net/URL;)V': () => undefined } },
  'Ljava/net/HttpURLConnection;': {
    isAbstract: true,
    extends: 'Ljava/net/URLConnection;',
    methods: { '<init>(Ljava/net/URL;)V': () => undefined },
    staticMethods: { 'setFollowRedirects(Z)V': () => undefined, 'getFollowRedirects()Z': () => 1 },
    constants: Object.fromEntries(Object.entries(CODES).map(([name, code]) => [`HTTP_${name}:I`, code])),
  },
  'Ljava/net/HttpURLConnectionImpl;': { extends: 'Ljava/net/HttpURLConnection;', methods },
  [`${SSL}HttpsURLConnection;`]: {
    isAbstract: true,
    extends: 'Ljava/net/HttpURLConnection;',
    methods: { '<init>(Ljava/net/URL;)V': () => undefined, ...securing },
    staticMethods: {
      [`setDefaultSSLSocketFactory(${SSL}SSLSocketFactory;)V`]: (machine, factory: Reference) => {
        securityOf(machine).socketFactory = factory;
      },
      [`setDefaultHostnameVerifier(${SSL}HostnameVerifier;)V`]: (machine, verifier: Reference) => {
        securityOf(machine).verifier = verifier;
      },
      [`getDefaultHostnameVerifier()${SSL}HostnameVerifier;`]: defaultVerifier,
      [`getDefaultSSLSocketFactory()${SSL}SSLSocketFactory;`]: defaultFactory,
    },
  },
  [`${SSL}HttpsURLConnectionImpl;`]: { extends: `${SSL}HttpsURLConnection;`, methods },
};
