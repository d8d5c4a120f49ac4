import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Failure } from '../../../../server/services/failure.ts';
import { Guesses, type GuessKind } from '../../../../server/services/people/guesses.ts';
import { openScratch, scratchFolder } from '../../store/scratch-store.ts';

const minute = 60_000_000;
let now = 1_800_000_000_000_000;
const store = await openScratch(scratchFolder(), { clock: () => now });
after(() => store.close());
const guesses = new Guesses(store);

const guess = (name: string, address: string, by = guesses, kind: GuessKind = 'password') =>
  by.attempt(kind, name, { address });
/** Seconds that somebody has to wait; 0: the guess was counted. */
const waitOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 0,
    (error: Failure) => {
      assert.equal(error.id, 'throttled');
      return error.retryAfter!;
    },
  );
const wrong = async (times: number, name: string, address: string) => {
  for (let count = 0; count < times; count++) assert.equal(await waitOf(guess(name, address)), 0);
};

test('from one network ten wrong guesses are free, then each waits twice as long, an hour at most', async () => {
  await wrong(10, 'alice', '192.0.2.1');
  const waits = [];
  for (let count = 0; count < 10; count++) {
    const seconds = await waitOf(guess('ALICE', '192.0.2.1'));
    waits.push(seconds);
    now += (seconds - 1) * 1_000_000;
    assert.ok((await waitOf(guess('alice', '192.0.2.1'))) > 0, 'not a second earlier');
    now += 1_000_000;
    assert.equal(await waitOf(guess('alice', '192.0.2.1')), 0);
  }
  assert.deepEqual(waits, [30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]);
  assert.equal(await waitOf(guess('alice', '192.0.2.2')), 0, 'another network does not wait for it');
  assert.equal(await waitOf(guess('bob', '192.0.2.1')), 0, 'nor does another account');
});

test('what is counted outlives a restart, and is forgotten after a quiet day', async () => {
  const again = new Guesses(store);
  assert.ok((await waitOf(guess('alice', '192.0.2.1', again))) > 3000);
  now += 25 * 60 * minute;
  assert.equal(await waitOf(guess('alice', '192.0.2.1', again)), 0);
  await again.forgetOld();
  const left = (await store.guesses.all()).filter(({ name }) => name.endsWith('bob'));
  assert.deepEqual(left, []);
});

test('one that was right clears what its network had guessed wrong', async () => {
  await wrong(9, 'carol', '192.0.2.3');
  await (await guess('carol', '192.0.2.3')).succeeded();
  await wrong(10, 'carol', '192.0.2.3');
  assert.equal(await waitOf(guess('carol', '192.0.2.3')), 30);
});

test('guesses from everywhere slow strangers down by a minute at most, and nobody who was in before or is signed in', async () => {
  await store.transaction(({ accounts }) => accounts.insert({ username: 'dora', role: 'owner', apiGroup: 'basic' }));
  await (await guess('dora', '192.0.2.10')).succeeded();
  await (await guess('dora', '2001:db8:7::1')).succeeded();
  for (let at = 0; at < 50; at++) await wrong(1, 'dora', `198.51.100.${at}`);
  let longest = 0;
  for (let at = 50; at < 90; at++) {
    const seconds = await waitOf(guess('dora', `198.51.100.${at}`));
    longest = Math.max(longest, seconds);
    now += seconds * 1_000_000;
    await wrong(1, 'dora', `198.51.100.${at}`);
  }
  assert.equal(longest, 60);
  assert.ok((await waitOf(guess('dora', '203.0.113.1'))) <= 60);
  assert.equal(await waitOf(guess('dora', '192.0.2.10')), 0);
  assert.equal(await waitOf(guess('dora', '2001:db8:7::2')), 0, 'of the same network');
  assert.equal(await waitOf(guesses.attempt('password', 'dora', { tokenId: 7 })), 0);
  const { items: rows } = await store.audit.page({ limit: 10 }, null);
  const told = rows.filter(({ subject }) => subject === 'dora');
  assert.deepEqual(
    told.map(({ action }) => action),
    ['guesses of a password slowed down'],
    'once',
  );
});

test('codes of a second factor are guessed at five times, and are not counted with the password', async () => {
  for (let count = 0; count < 5; count++)
    assert.equal(await waitOf(guess('eve', '192.0.2.5', guesses, 'second factor')), 0);
  assert.equal(await waitOf(guess('eve', '192.0.2.5', guesses, 'second factor')), 30);
  assert.equal(await waitOf(guess('eve', '192.0.2.5')), 0);
});
