// java.net.URL, URI, URLEncoder, URLDecoder and IDN. Knows no connections.
import { domainToASCII, domainToUnicode } from 'node:url';
import type { HeapObject, Taint } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { stringHash } from '../lang/number-text.ts';
import { canonicalCharset, decodeBytes, encodeText } from '../nio/charset-codec.ts';
import { illegalArgument, instance, objectTaint, optionalText, type Reference, textOf } from '../values.ts';
import { newExchange } from './exchange.ts';

/** Parts of an address; null where it has none. */
export interface Address {
  readonly scheme: string | null;
  readonly userInfo: string | null;
  readonly host: string | null;
  readonly port: number;
  readonly path: string;
  readonly query: string | null;
  readonly fragment: string | null;
  readonly authority: string | null;
  readonly isOpaque: boolean;
}

/** RFC 3986's own expression, linear in the text. */
export function parseAddress(text: string): Address {
  const match = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(text)!;
  const authority = match[2] ?? null;
  const at = authority === null ? -1 : authority.lastIndexOf('@');
  const place = authority === null ? null : authority.slice(at + 1);
  const port = place === null ? null : /:(\d*)$/.exec(place);
  const host = place === null ? null : port === null ? place : place.slice(0, port.index);
  return {
    scheme: match[1] ?? null,
    userInfo: at < 0 ? null : authority!.slice(0, at),
    host: host === '' ? null : host,
    port: port === null || port[1] === '' ? -1 : Number(port[1]),
    path: match[3] ?? '',
    query: match[4] ?? null,
    fragment: match[5] ?? null,
    authority,
    isOpaque: match[1] !== undefined && authority === null && !(match[3] ?? '').startsWith('/'),
  };
}

interface UrlState {
  readonly text: string;
  readonly address: Address;
}

const URL_CLASS = 'Ljava/net/URL;';
const URI_CLASS = 'Ljava/net/URI;';
const S = 'Ljava/lang/String;';

const PORTS: Readonly<Record<string, number>> = { http: 80, https: 443, ftp: 21 };

function stateOf(self: HeapObject): UrlState {
  return self.native as UrlState;
}

export function urlText(self: HeapObject): string {
  return stateOf(self).text;
}

function malformed(machine: Machine, message: string) {
  return machine.exception('Ljava/net/MalformedURLException;', message);
}

function begin(machine: Machine, self: HeapObject, text: string, taint: Taint): undefined {
  const trimmed = text.trim();
  const address = parseAddress(trimmed);
  if (address.scheme === null) throw malformed(machine, `no protocol: ${text}`);
  if (!/^(https?|ftp|file|jar|mailto)$/i.test(address.scheme)) {
    throw malformed(machine, `unknown protocol: ${address.scheme.toLowerCase()}`);
  }
  const lower = address.scheme.toLowerCase();
  self.native = {
    text: lower + trimmed.slice(lower.length),
    address: { ...address, scheme: lower },
  } satisfies UrlState;
  self.taint = taint;
}

/** Resolves a reference against a base as RFC 3986 says. */
export function resolveAddress(base: string, reference: string): string {
  const relative = parseAddress(reference);
  if (relative.scheme !== null) return reference;
  const own = parseAddress(base);
  const scheme = own.scheme === null ? '' : `${own.scheme}:`;
  if (relative.authority !== null) return scheme + reference;
  const root = `${scheme}${own.authority === null ? '' : `//${own.authority}`}`;
  if (relative.path === '') {
    // RFC 2396, which Java follows: a reference that is a query alone is resolved in the base's directory.
    if (relative.query === null && relative.fragment !== null) return base.split('#')[0] + reference;
    return root + own.path.slice(0, own.path.lastIndexOf('/') + 1) + reference;
  }
  const merged = relative.path.startsWith('/')
    ? relative.path
    : `${own.path === '' ? '/' : own.path.slice(0, own.path.lastIndexOf('/') + 1)}${relative.path}`;
  return root + withoutDots(merged) + reference.slice(relative.path.length);
}

function withoutDots(path: string): string {
  const parts: string[] = [];
  const names = path.split('/');
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1;
    if (name === '..') {
      if (parts.length > 1) parts.pop();
      if (isLast) parts.push('');
    } else if (name === '.') {
      if (isLast) parts.push('');
    } else parts.push(name);
  }
  return parts.join('/');
}

type Part = (address: Address, text: string) => string | null;

function texts(parts: Record<string, Part>): NativeMethods {
  const methods: Record<string, NativeMethods[string]> = {};
  for (const [name, part] of Object.entries(parts)) {
    methods[`${name}()${S}`] = (machine, self) => {
      const value = part(stateOf(self).address, stateOf(self).text);
      return value === null ? null : machine.string(value, self.taint);
    };
  }
  return methods;
}

const percentDecoded = (value: string | null): string | null =>
  value === null ? null : decodeBytes(percentBytes(value), 'UTF-8');

function percentBytes(text: string): Uint8Array {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const hex = text[at] === '%' ? text.slice(at + 1, at + 3) : '';
    if (/^[0-9a-fA-F]{2}$/.test(hex)) {
      bytes.push(Number.parseInt(hex, 16));
      at += 2;
    } else bytes.push(...encodeText(text[at]!, 'UTF-8'));
  }
  return Uint8Array.from(bytes);
}

const same: NativeMethods = {
  'equals(Ljava/lang/Object;)Z': (_machine, self, other: Reference) =>
    other?.cls === self.cls && urlText(other) === urlText(self),
  'hashCode()I': (_machine, self) => stringHash(urlText(self)),
  [`toString()${S}`]: (machine, self) => machine.string(urlText(self), self.taint),
};

const connection = (machine: Machine, self: HeapObject): HeapObject => {
  const { scheme } = stateOf(self).address;
  const name = scheme === 'https' ? 'Ljavax/net/ssl/HttpsURLConnectionImpl;' : 'Ljava/net/HttpURLConnectionImpl;';
  const made = machine.allocate(name);
  made.native = newExchange(self);
  return made;
};

const urlMethods: NativeMethods = {
  [`<init>(${S})V`]: (machine, self, text: Reference) => {
    if (text === null) throw malformed(machine, 'null');
    return begin(machine, self, textOf(machine, text), objectTaint(machine, text));
  },
  [`<init>(${URL_CLASS}${S})V`]: (machine, self, base: Reference, text: Reference) => {
    const whole = base === null ? textOf(machine, text) : resolveAddress(urlText(base), textOf(machine, text));
    return begin(machine, self, whole, machine.union(objectTaint(machine, base), objectTaint(machine, text)));
  },
  [`<init>(${S}${S}${S})V`]: (machine, self, scheme: Reference, host: Reference, file: Reference) =>
    begin(
      machine,
      self,
      `${textOf(machine, scheme)}://${textOf(machine, host)}${textOf(machine, file)}`,
      machine.union(objectTaint(machine, host), objectTaint(machine, file)),
    ),
  [`<init>(${S}${S}I${S})V`]: (machine, self, scheme: Reference, host: Reference, port: number, file) =>
    begin(
      machine,
      self,
      `${textOf(machine, scheme)}://${textOf(machine, host)}${port < 0 ? '' : `:${port}`}${textOf(machine, file)}`,
      machine.union(objectTaint(machine, host), objectTaint(machine, file)),
    ),
  ...texts({
    getProtocol: (a) => a.scheme,
    getHost: (a) => a.host ?? '',
    getPath: (a) => a.path,
    getQuery: (a) => a.query,
    getRef: (a) => a.fragment,
    getUserInfo: (a) => a.userInfo,
    getAuthority: (a) => a.authority ?? '',
    getFile: (a) => a.path + (a.query === null ? '' : `?${a.query}`),
    toExternalForm: (_a, text) => text,
  }),
  'getPort()I': (_machine, self) => stateOf(self).address.port,
  'getDefaultPort()I': (_machine, self) => PORTS[stateOf(self).address.scheme ?? ''] ?? -1,
  ...same,
  'sameFile(!Ljava/net/URL;)Z': (_machine, self, other: HeapObject) =>
    urlText(self).split('#')[0] === urlText(other).split('#')[0],
  'toURI()Ljava/net/URI;': (machine, self) => uriOf(machine, urlText(self), self.taint),
  'openConnection()Ljava/net/URLConnection;': (machine, self) => connection(machine, self),
  'openConnection(Ljava/net/Proxy;)Ljava/net/URLConnection;': connection,
  'openStream()Ljava/io/InputStream;': (machine, self) =>
    machine.call(connection(machine, self), 'getInputStream()Ljava/io/InputStream;'),
  'getContent()Ljava/lang/Object;': (machine, self) =>
    machine.call(connection(machine, self), 'getInputStream()Ljava/io/InputStream;'),
};

function syntax(machine: Machine, text: string) {
  return machine.exception('Ljava/net/URISyntaxException;', `Illegal character: ${text}`);
}

function checkUri(machine: Machine, text: string): UrlState {
  if (/[\s<>"{}|\\^`]|\[[^\]]*$/.test(text)) throw syntax(machine, text);
  return { text, address: parseAddress(text) };
}

function uriOf(machine: Machine, text: string, taint: Taint): HeapObject {
  return instance(machine, URI_CLASS, checkUri(machine, text), taint);
}

const quote = (text: string): string => text.replace(/[\s<>"{}|\\^`%]/g, (found) => encodeURIComponent(found));

/** A URI of its parts, each percent-encoded where necessary. */
function compose(machine: Machine, self: HeapObject, parts: Record<string, Reference>, port = -1): undefined {
  const part = (name: string): string | null => optionalText(parts[name] ?? null);
  const user = part('userInfo');
  const host = part('host');
  const authority =
    host === null ? part('authority') : `${user === null ? '' : `${quote(user)}@`}${host}${port < 0 ? '' : `:${port}`}`;
  const text = [
    part('scheme') === null ? '' : `${part('scheme')}:`,
    authority === null ? '' : `//${authority}`,
    quote(part('path') ?? ''),
    part('query') === null ? '' : `?${quote(part('query')!)}`,
    part('fragment') === null ? '' : `#${quote(part('fragment')!)}`,
  ].join('');
  self.native = { text, address: parseAddress(text) } satisfies UrlState;
  for (const value of Object.values(parts)) self.taint = machine.union(self.taint, objectTaint(machine, value));
}

const uriMethods: NativeMethods = {
  [`<init>(${S})V`]: (machine, self, text: Reference) => {
    self.native = checkUri(machine, textOf(machine, text));
    self.taint = objectTaint(machine, text);
  },
  [`<init>(${S}${S}${S})V`]: (machine, self, scheme, path, fragment) =>
    compose(machine, self, { scheme, path, fragment }),
  [`<init>(${S}${S}${S}${S})V`]: (machine, self, scheme, host, path, fragment) =>
    compose(machine, self, { scheme, host, path, fragment }),
  [`<init>(${S}${S}${S}${S}${S})V`]: (machine, self, scheme, authority, path, query, fragment) =>
    compose(machine, self, { scheme, authority, path, query, fragment }),
  [`<init>(${S}${S}${S}I${S}${S}${S})V`]: (
    machine,
    self,
    scheme,
    userInfo,
    host,
    port: number,
    path,
    query,
    fragment,
  ) => compose(machine, self, { scheme, userInfo, host, path, query, fragment }, port),
  ...texts({
    getScheme: (a) => a.scheme,
    getHost: (a) => a.host,
    getPath: (a) => (a.isOpaque ? null : percentDecoded(a.path)),
    getRawPath: (a) => (a.isOpaque ? null : a.path),
    getQuery: (a) => percentDecoded(a.query),
    getRawQuery: (a) => a.query,
    getFragment: (a) => percentDecoded(a.fragment),
    getRawFragment: (a) => a.fragment,
    getUserInfo: (a) => percentDecoded(a.userInfo),
    getAuthority: (a) => percentDecoded(a.authority),
    getRawAuthority: (a) => a.authority,
    getSchemeSpecificPart: (a, text) =>
      percentDecoded((a.scheme === null ? text : text.slice(a.scheme.length + 1)).split('#')[0]!),
    getRawSchemeSpecificPart: (a, text) => (a.scheme === null ? text : text.slice(a.scheme.length + 1)).split('#')[0]!,
    toASCIIString: (_a, text) => text,
  }),
  'getPort()I': (_machine, self) => stateOf(self).address.port,
  'isAbsolute()Z': (_machine, self) => stateOf(self).address.scheme !== null,
  'isOpaque()Z': (_machine, self) => stateOf(self).address.isOpaque,
  ...same,
  [`resolve(${S})${URI_CLASS}`]: (machine, self, text: Reference) =>
    uriOf(
      machine,
      resolveAddress(urlText(self), textOf(machine, text)),
      machine.union(self.taint, objectTaint(machine, text)),
    ),
  [`resolve(!${URI_CLASS})${URI_CLASS}`]: (machine, self, other: HeapObject) =>
    uriOf(machine, resolveAddress(urlText(self), urlText(other)), machine.union(self.taint, other.taint)),
  [`normalize()${URI_CLASS}`]: (machine, self) => {
    const { path } = stateOf(self).address;
    return uriOf(
      machine,
      urlText(self).replace(path, () => withoutDots(path)),
      self.taint,
    );
  },
  [`toURL()${URL_CLASS}`]: (machine, self) =>
    machine.construct(URL_CLASS, `<init>(${S})V`, machine.string(urlText(self), self.taint)),
};

/** application/x-www-form-urlencoded. */
function formEncoded(text: string, charset = 'UTF-8'): string {
  let result = '';
  for (const character of text) {
    if (/^[A-Za-z0-9.\-*_]$/.test(character)) result += character;
    else if (character === ' ') result += '+';
    else
      for (const byte of encodeText(character, charset))
        result += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return result;
}

function formDecoded(machine: Machine, text: string, charset: string): string {
  let result = '';
  for (let at = 0; at < text.length; ) {
    if (text[at] !== '%') {
      result += text[at] === '+' ? ' ' : text[at];
      at++;
      continue;
    }
    const bytes: number[] = [];
    for (; text[at] === '%'; at += 3) {
      const hex = text.slice(at + 1, at + 3);
      if (!/^[0-9a-fA-F]{2}$/.test(hex)) {
        throw illegalArgument(machine, `URLDecoder: Illegal hex characters in escape (%) pattern - ${hex}`);
      }
      bytes.push(Number.parseInt(hex, 16));
    }
    result += decodeBytes(Uint8Array.from(bytes), charset);
  }
  return result;
}

function charset(machine: Machine, name: Reference): string {
  const text = optionalText(name);
  const found = text === null ? 'UTF-8' : canonicalCharset(text);
  if (found === null) throw machine.exception('Ljava/io/UnsupportedEncodingException;', text ?? '');
  return found;
}

const maxLabel = 63;
const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text);

/** @throws JavaThrow IllegalArgumentException where it is no name of a host */
const toAscii: NativeMethod = (machine, name: Reference) => {
  const text = textOf(machine, name);
  const ascii = isAscii(text) ? text : domainToASCII(text);
  if (ascii === '' && text !== '') throw illegalArgument(machine, `Illegal name: ${text}`);
  if (ascii.split('.').some((label) => label.length > maxLabel))
    throw illegalArgument(machine, 'The label is too long');
  return machine.string(ascii);
};

/** What cannot be decoded stays as it is. */
const toUnicode: NativeMethod = (machine, name: Reference) => {
  const text = textOf(machine, name);
  return machine.string(/xn--/i.test(text) ? domainToUnicode(text) || text : text);
};

export const urlModels: Record<string, ModelClass> = {
  [URL_CLASS]: { implements: ['Ljava/io/Serializable;'], methods: urlMethods },
  [URI_CLASS]: {
    implements: ['Ljava/io/Serializable;', 'Ljava/lang/Comparable;'],
    methods: uriMethods,
    staticMethods: {
      [`create(${S})${URI_CLASS}`]: (machine, text: Reference) =>
        uriOf(machine, textOf(machine, text), objectTaint(machine, text)),
    },
  },
  'Ljava/net/IDN;': {
    pureStatic: {
      [`toASCII(${S})${S}`]: toAscii,
      [`toASCII(${S}I)${S}`]: toAscii,
      [`toUnicode(${S})${S}`]: toUnicode,
      [`toUnicode(${S}I)${S}`]: toUnicode,
    },
  },
  'Ljava/net/URLEncoder;': {
    pureStatic: {
      [`encode(${S})${S}`]: (machine, text: Reference) => machine.string(formEncoded(textOf(machine, text))),
      [`encode(${S}${S})${S}`]: (machine, text: Reference, name: Reference) =>
        machine.string(formEncoded(textOf(machine, text), charset(machine, name))),
      [`encode(${S}Ljava/nio/charset/Charset;)${S}`]: (machine, text: Reference) =>
        machine.string(formEncoded(textOf(machine, text))),
    },
  },
  'Ljava/net/URLDecoder;': {
    pureStatic: {
      [`decode(${S})${S}`]: (machine, text: Reference) =>
        machine.string(formDecoded(machine, textOf(machine, text), 'UTF-8')),
      [`decode(${S}${S})${S}`]: (machine, text: Reference, name: Reference) =>
        machine.string(formDecoded(machine, textOf(machine, text), charset(machine, name))),
      [`decode(${S}Ljava/nio/charset/Charset;)${S}`]: (machine, text: Reference) =>
        machine.string(formDecoded(machine, textOf(machine, text), 'UTF-8')),
    },
  },
};
