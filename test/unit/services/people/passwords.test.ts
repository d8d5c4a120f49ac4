import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  generatePassword,
  hashOneTimePassword,
  hashPassword,
  isLapsedHash,
  isOneTimeHash,
  isPassword,
} from '../../../../server/services/people/passwords.ts';

test('a hash knows its password and no other, in whatever form of Unicode it is typed', async () => {
  const hash = await hashPassword('caf\u00e9 au lait');
  assert.equal(await isPassword('cafe\u0301 au lait', hash), true);
  assert.equal(await isPassword('cafe au lait', hash), false);
  assert.doesNotMatch(hash, /caf/);
  assert.equal(isOneTimeHash(hash), false);
});

test('a hash takes what is recommended unless another cost is asked for, and tells its cost', async () => {
  assert.match(await hashPassword('one'), /^scrypt\$15\$8\$3\$/);
  const cheap = await hashPassword('one', { log2N: 10, r: 8, p: 1 });
  assert.match(cheap, /^scrypt\$10\$8\$1\$/);
  assert.equal(await isPassword('one', cheap), true);
});

test('two hashes of one password differ', async () => {
  assert.notEqual(await hashPassword('same'), await hashPassword('same'));
});

test('where there is no password nothing opens, and it is worked for as long', async () => {
  assert.equal(await isPassword('anything', null), false);
});

test('a one-time password is known as one', async () => {
  const password = generatePassword();
  assert.match(password, /^[A-Za-z2-9]{5}(-[A-Za-z2-9]{5}){3}$/);
  const hash = await hashOneTimePassword(password, 1);
  assert.equal(isOneTimeHash(hash), true);
  assert.equal(await isPassword(password, hash), true);
  const ofEarlierVersion = `once:${await hashPassword(password)}`;
  assert.equal(isOneTimeHash(ofEarlierVersion), true);
  assert.equal(await isPassword(password, ofEarlierVersion), true);
});

test('a one-time password is over after seven days, and one that a clock of the future has made at once', async () => {
  const day = 86_400_000_000;
  const madeAt = 1_700_000_000_000_000;
  const hash = await hashOneTimePassword('one', madeAt);
  assert.equal(isLapsedHash(hash, madeAt + 7 * day - 1), false);
  assert.equal(isLapsedHash(hash, madeAt + 7 * day), true);
  assert.equal(isLapsedHash(hash, madeAt - 365 * day), true);
  for (const lasting of [null, await hashPassword('one'), `once:${await hashPassword('one')}`]) {
    assert.equal(isLapsedHash(lasting, madeAt), false);
  }
});
