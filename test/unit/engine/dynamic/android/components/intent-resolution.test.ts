import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Component } from '../../../../../../server/engine/app/manifest/components.ts';
import {
  type IntentShape,
  matchesFilter,
} from '../../../../../../server/engine/dynamic/android/components/intent-resolution.ts';
import { IntentResolver } from '../../../../../../server/engine/dynamic/android/components/intent-resolver.ts';
import { splitUri } from '../../../../../../server/engine/dynamic/android/data/uri.ts';
import { deliverPdu, readPdu } from '../../../../../../server/engine/dynamic/android/phone/text-messages.ts';

const shape = (parts: Partial<IntentShape>): IntentShape => ({
  action: null,
  data: null,
  type: null,
  categories: [],
  className: null,
  packageName: null,
  ...parts,
});
const filter = (parts: object) => ({
  actions: ['a'],
  categories: [] as string[],
  data: [] as Record<string, string>[],
  priority: null,
  order: null,
  autoVerify: false,
  ...parts,
});

test('action and every category of the intent have to be in the filter', () => {
  assert.ok(matchesFilter(filter({}), shape({ action: 'a' })));
  assert.ok(!matchesFilter(filter({}), shape({ action: 'b' })));
  assert.ok(!matchesFilter(filter({}), shape({ action: 'a', categories: ['c'] })));
  assert.ok(matchesFilter(filter({ categories: ['c', 'd'] }), shape({ action: 'a', categories: ['c'] })));
});

test('an implicit start of an activity needs the category DEFAULT', () => {
  assert.ok(!matchesFilter(filter({}), shape({ action: 'a' }), true));
  const withDefault = filter({ categories: ['android.intent.category.DEFAULT'] });
  assert.ok(matchesFilter(withDefault, shape({ action: 'a' }), true));
});

const component = (name: string, ...filters: object[]) =>
  ({ kind: 'receiver', name, intentFilters: filters.map(filter) }) as unknown as Component;
const reachedBy = (parts: Partial<IntentShape>, ...components: Component[]): string[] =>
  Array.from(new IntentResolver(components, false).reached(shape(parts)), (each) => each.component.name);

test('an intent reaches each component once, those of the highest priority first', () => {
  const components = [
    component('low', { priority: -5 }),
    component('usual', {}, { priority: 0 }),
    component('high', { priority: 1 }, { actions: ['a', 'b', 'a'], priority: 9 }),
    component('other', { actions: ['b'] }),
  ];
  assert.deepEqual(reachedBy({ action: 'a' }, ...components), ['high', 'usual', 'low']);
  assert.deepEqual(reachedBy({ action: 'b' }, ...components), ['high', 'other']);
  assert.deepEqual(reachedBy({ action: 'constructor' }, ...components), []);
  assert.deepEqual(reachedBy({ className: 'low', action: 'none' }, ...components), ['low']);
});

test('an intent without an action reaches those who ask for its type or scheme, one without those reaches nobody', () => {
  const components = [
    component('web', { data: [{ scheme: 'http' }, { host: 'h' }] }),
    component('pictures', { data: [{ mimeType: 'image/*' }] }),
    component('silent', { actions: [], data: [{ scheme: 'http' }] }),
    component('plain'),
  ];
  assert.deepEqual(reachedBy({ data: 'http://h/' }, ...components), ['web']);
  assert.deepEqual(reachedBy({ type: 'image/png' }, ...components), ['pictures']);
  assert.deepEqual(reachedBy({ categories: [] }, ...components), []);
});

test("of many components only those are looked at that ask for an intent's action", () => {
  let looks = 0;
  const components = Array.from({ length: 50 }, (_, index) => component(`c${index}`, { actions: [`action${index}`] }));
  for (const { intentFilters } of components) {
    const look = () => {
      looks += 1;
      return [];
    };
    Object.defineProperty(intentFilters[0], 'categories', { get: look });
  }
  assert.deepEqual(reachedBy({ action: 'action7' }, ...components), ['c7']);
  assert.equal(looks, 1);
});

for (const [pattern, path, isHit] of [
  ['.*\\.com', '/abc/def.com', true],
  ['.*\\.com', '/abc/def.org', false],
  ['/a.c', '/abc', true],
  ['/a\\.c', '/abc', false],
  ['/ab*c', '/abbbc', true],
  ['/ab*c', '/ac', true],
  ['/x.*', '/xyz', true],
  ['/.*/.*/end', '/one/two/end', true],
  ['/.*b', '/abb', false],
  ['', '/', false],
] as const) {
  test(`the path ${path} is ${isHit ? 'one' : 'none'} of the pattern ${pattern}`, () => {
    const data = [{ scheme: 's', host: 'h', pathPattern: pattern }];
    assert.equal(matchesFilter(filter({ data }), shape({ action: 'a', data: `s://h${path}` })), isHit);
  });
}

test('data is matched by type, scheme, host, port and path', () => {
  const web = filter({
    data: [{ scheme: 'http' }, { host: '*.example.org', port: '8080' }, { pathPattern: '/a/.*\\.x' }],
  });
  const open = (data: string | null, type: string | null = null) => shape({ action: 'a', data, type });
  assert.ok(!matchesFilter(web, open('https://m.example.org:8080/a/b.x')));
  assert.ok(!matchesFilter(web, open('http://m.example.org:8080/b')));
  assert.ok(!matchesFilter(web, open('http://example.com:8080/a/b.x')));
  assert.ok(!matchesFilter(web, open(null)));
  const pictures = filter({ data: [{ mimeType: 'image/*' }] });
  assert.ok(matchesFilter(pictures, open('content://media/1', 'image/png')));
  assert.ok(!matchesFilter(pictures, open('content://media/1', 'text/plain')));
  assert.ok(!matchesFilter(pictures, open('content://media/1')));
});

test('a URI is split as Android splits it', () => {
  assert.equal(splitUri('tel:+4930').schemeSpecific, '+4930');
  assert.equal(splitUri('content://sms/inbox').authority, 'sms');
  assert.deepEqual(
    [splitUri('http://u@h:8/p/q?x=1#f')].map(({ scheme, authority, path, query, fragment }) => [
      scheme,
      authority,
      path,
      query,
      fragment,
    ]),
    [['http', 'u@h:8', '/p/q', 'x=1', 'f']],
  );
});

test('a message comes back from its PDU, and one in seven bits is read', () => {
  const pdu = deliverPdu('+491729968533', 'Bist du da? äö', Date.UTC(2026, 5, 16));
  assert.deepEqual(readPdu(pdu), { address: '+491729968533', body: 'Bist du da? äö' });
  // The usual example of a message in the default alphabet.
  const septets = '07917283010010F5040BC87238880900F10000993092516195800AE8329BFD4697D9EC37';
  assert.deepEqual(readPdu(Buffer.from(septets, 'hex')), { address: '27838890001', body: 'hellohello' });
});
