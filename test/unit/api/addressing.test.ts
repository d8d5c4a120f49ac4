import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalisedTarget } from '../../../server/api/addressing.ts';

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
