import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addressOfHop,
  isLoopback,
  networkOf,
  plainAddress,
} from '../../../../server/services/sharing/network-address.ts';

test('an address has one form', () => {
  const cases: [string, string][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', '192.0.2.1'],
    ['2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['', ''],
  ];
  for (const [address, expected] of cases) assert.equal(plainAddress(address), expected, address);
});

test('whoever has one IPv6 address is counted with all of its network, an IPv4 address for itself', () => {
  const cases: [string, string][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ];
  for (const [address, expected] of cases) assert.equal(networkOf(address), expected, address);
});

test('a hop is an address with or without a port, and nothing else', () => {
  const cases: [string, string | null][] = [
    ['203.0.113.9', '203.0.113.9'],
    [' 203.0.113.9:4711 ', '203.0.113.9'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:DB8::1', '2001:db8::1'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['unknown', null],
    ['_hidden', null],
    ['', null],
    ['203.0.113.999', null],
    ['203.0.113.9:', null],
    ['localhost', null],
    ['"203.0.113.9"', null],
  ];
  for (const [hop, expected] of cases) assert.equal(addressOfHop(hop), expected, hop);
});

test('loopback is this machine in every form of it', () => {
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) assert.ok(isLoopback(address), address);
  for (const address of ['128.0.0.1', '::2', '', '1127.0.0.1']) assert.ok(!isLoopback(address), address);
});
