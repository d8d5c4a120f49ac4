// Reads where a request is addressed to: its base URL and its path, in one form. Knows no route.
import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { Failure } from '../services/failure.ts';
import { isSecured } from './caller-address.ts';

/** RFC 3986 section 3.2.2, without user names, escapes and what no installation is called. */
const hostPattern = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/**
 * The base URL under which the client reached the server, `http://host:port`.
 * @throws Failure where the Host header is no host
 */
export function baseUrl(request: IncomingMessage): string {
  const { host } = request.headers;
  const scheme = isSecured(request) ? 'https' : 'http';
  if (host !== undefined && host !== '') {
    if (!hostPattern.test(host)) throw new Failure('malformed-request', { reason: 'the Host header is not a host' });
    return `${scheme}://${host}`;
  }
  const { localAddress = '127.0.0.1', localPort } = request.socket;
  const name = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  return `${scheme}://${name}:${localPort}`;
}

/**
 * The request target with single slashes and none at the end, so that `//apks/`, `/apks` and `/apks/` are one address.
 * An absolute target (RFC 9112 section 3.2.2) loses its origin; so does one that a client has put behind its base
 * address, as the older Python client does with upload links: `/legacyhttp://host/uploads/…`.
 */
export function normalisedTarget(target: string): string {
  const relative = target.replace(/^(?:\/(?:legacy\/?)?)?https?:\/\/[^/?#]*/i, '');
  const at = relative.indexOf('?');
  const path = (at === -1 ? relative : relative.slice(0, at)).split('/').filter(Boolean).join('/');
  return `/${path}${at === -1 ? '' : relative.slice(at)}`;
}

/** The last value of each query parameter, as a form's reader would take it. */
export function queryOf(request: Request): Record<string, string> {
  const { url } = request;
  const at = url.indexOf('?');
  return at === -1 ? {} : Object.fromEntries(new URLSearchParams(url.slice(at + 1)));
}
