// By which terms the reports of an APK are found.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportTerms } from '../../../server/engine/term-collection.ts';

const termsOf = (androguard: object | null, cuckoo: object | null) =>
  reportTerms({ androguard, cuckoo } as Parameters<typeof reportTerms>[0], null).terms.map(
    ({ field, text }) => `${field} ${text}`,
  );

test('hosts are told apart as domains and addresses, without ports, once each', () => {
  const network = {
    hosts: ['8.8.8.8'],
    http: [{ host: 'C2.example:8080', uri: 'http://c2.example:8080/in' }],
    dns: [{ request: 'c2.example.' }],
    tcp: [{ dst: '10.0.0.7' }],
    udp: [{ dst: '2001:db8::1' }],
  };
  const hosts = termsOf(
    { indicators: { domains: [{ value: 'gate.example' }], ips: [{ value: '1.2.3.4' }] } },
    { network },
  ).filter((term) => /^(?:domain|ip) /.test(term));
  assert.deepEqual(hosts, [
    'domain gate.example',
    'ip 1.2.3.4',
    'ip 8.8.8.8',
    'domain c2.example',
    'ip 10.0.0.7',
    'ip 2001:db8::1',
  ]);
});

test('an address that the simulated phone made up for a domain is found by the domain alone', () => {
  const network = {
    hosts: ['198.51.100.7', '10.0.0.7'],
    domains: [{ domain: 'c2.example', ip: '198.51.100.7' }],
    tcp: [{ dst: '198.51.100.7' }],
  };
  const hosts = termsOf(null, { network }).filter((term) => /^(?:domain|ip) /.test(term));
  assert.deepEqual(hosts, ['ip 10.0.0.7', 'domain c2.example']);
});

test('what many APKs share comes before what one app can make thousands of', () => {
  const urls = Array.from({ length: 6000 }, (_, index) => `http://${index}.example/`);
  const terms = termsOf({ urls, trackers: [{ name: 'Lamp Analytics' }] }, null);
  assert.equal(terms.length, 5000);
  assert.equal(terms[0], 'tracker Lamp Analytics');
});
