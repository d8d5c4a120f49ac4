import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { baseUrl, normalisedTarget } from '../../../server/api/addressing.ts';
import { noteOrigin } from '../../../server/api/caller-address.ts';

test('a target has single slashes and none at its end; its query stays as it is', () => {
  const cases: [string, string][] = [
    ['/', '/'],
    ['', '/'],
    ['///', '/'],
    ['/apks/', '/apks'],
    ['//apks//x//', '/apks/x'],
    ['/apks?a=//b/&c=?', '/apks?a=//b/&c=?'],
    ['/?cursor=', '/?cursor='],
    ['http://host:1/apks/?x=1', '/apks?x=1'],
    ['https://host', '/'],
    ['/legacyhttp://host:1/uploads/x/?expires=1', '/uploads/x?expires=1'],
    ['/legacy/https://host/uploads/x', '/uploads/x'],
    ['/http://host/uploads/x', '/uploads/x'],
    ['/legacy/apks/http://host', '/legacy/apks/http:/host'],
    ['*', '/*'],
    ['/%2f%2f/', '/%2f%2f'],
  ];
  for (const [target, expected] of cases) assert.equal(normalisedTarget(target), expected, target);
});

test('a base URL is secured where the client speaks TLS, also with a proxy on this machine or a named one that says so', () => {
  const proxies = { includes: (address: string) => address === '10.0.0.2' };
  const urlOf = (socket: object, headers: object) => {
    const request = { socket, headers: { host: 'apk.example.org', ...headers } } as unknown as IncomingMessage;
    noteOrigin(request, proxies);
    return baseUrl(request);
  };
  const https = { 'x-forwarded-proto': 'https' };
  const cases: [object, object, string][] = [
    [{ remoteAddress: '127.0.0.1' }, {}, 'http'],
    [{ remoteAddress: '192.168.1.9', encrypted: true }, {}, 'https'],
    [{ remoteAddress: '127.0.0.1' }, https, 'https'],
    [{ remoteAddress: '::ffff:127.0.0.1' }, { 'x-forwarded-proto': 'HTTPS, http' }, 'https'],
    [{ remoteAddress: '::1' }, https, 'https'],
    [{ remoteAddress: '127.0.0.1' }, { 'x-forwarded-proto': 'http' }, 'http'],
    [{ remoteAddress: '127.0.0.1' }, { 'x-forwarded-proto': 'javascript' }, 'http'],
    [{ remoteAddress: '192.168.1.9' }, https, 'http'],
    [{ remoteAddress: '192.168.1.9', encrypted: true }, { 'x-forwarded-proto': 'http' }, 'https'],
    [{ remoteAddress: '10.0.0.2' }, https, 'https'],
    [{ remoteAddress: '10.0.0.2', encrypted: true }, { 'x-forwarded-proto': 'http' }, 'http'],
    [
      { remoteAddress: '10.0.0.2' },
      { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.168.1.9, 10.0.0.2' },
      'https',
    ],
    [{ remoteAddress: '10.0.0.2' }, { 'x-forwarded-proto': 'https, http', 'x-forwarded-for': '192.168.1.9' }, 'http'],
    [{}, https, 'http'],
  ];
  for (const [socket, headers, scheme] of cases) {
    assert.equal(urlOf(socket, headers), `${scheme}://apk.example.org`, JSON.stringify([socket, headers]));
  }
});
