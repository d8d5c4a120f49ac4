import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../../server/services/failure.ts';
import { Places } from '../../../server/services/places.ts';

const counts = { all: 10, each: 6, kept: 4, few: 2, anonymous: 5, address: 3 };
const places = () => new Places(counts, () => new Failure('too-many-uploads', {}, 5));
const nobody = (address: string) => ({ account: null, address });
const account = (id: number) => ({ account: { id }, address: '192.0.2.1' });

/** How many places somebody gets one after the other. */
function most(some: Places, taker: Parameters<Places['take']>[0]): number {
  for (let taken = 0; ; taken++) {
    try {
      some.take(taker);
    } catch (error) {
      assert.equal((error as Failure).id, 'too-many-uploads');
      return taken;
    }
  }
}

test('an address has its share, a whole network in IPv6, and all without an account together never have all', () => {
  const some = places();
  assert.equal(most(some, nobody('192.0.2.1')), 3);
  assert.equal(most(some, nobody('2001:db8:1:2::1')), 2);
  assert.equal(most(some, nobody('198.51.100.1')), 0);
  assert.equal(most(places(), nobody('2001:db8:1:2::1')), 3);
  const other = places();
  for (const host of ['1', 'ffff:ffff:1', '2']) other.take(nobody(`2001:db8:1:2::${host}`));
  assert.equal(most(other, nobody('2001:db8:1:2::9')), 0);
  assert.equal(most(other, nobody('2001:db8:1:3::9')), 2);
});

test('programs on this machine share its address and are bounded only together', () => {
  assert.equal(most(places(), nobody('127.0.0.1')), 5);
});

test('accounts find places whoever came without one, and some are kept for those that have few', () => {
  const some = places();
  assert.equal(most(some, nobody('127.0.0.1')), 5);
  assert.equal(most(some, account(1)), 5, 'up to all');
  assert.equal(most(some, account(2)), 2, 'of those that are kept');
  assert.equal(most(some, account(3)), 2);
  assert.equal(most(some, account(4)), 0);
});

test('an account has no more than its share while there is room', () => {
  assert.equal(most(places(), account(1)), 6);
});

test('a place is given back once, however often that is said', () => {
  const some = places();
  const leaving = [1, 2, 3].map(() => some.take(nobody('192.0.2.1')));
  leaving[0]!();
  leaving[0]!();
  assert.equal(most(some, nobody('192.0.2.1')), 1);
  for (const leave of leaving) leave();
  assert.equal(most(some, nobody('192.0.2.1')), 2);
});
