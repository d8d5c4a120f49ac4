import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { SignedLinks } from '../../../server/services/signed-links.ts';

const start = 1_700_000_000_000_000;
let now = start;
const links = new SignedLinks(Buffer.alloc(32, 1), () => now);
const idOf = (work: () => void): string => {
  try {
    work();
  } catch (error) {
    return (error as { id: string }).id;
  }
  return 'accepted';
};

test('a link is valid for its time: downloads 3 minutes, uploads and packages an hour, icons for ever', () => {
  const ends = { download: 180, upload: 3600, feed: 3600 } as const;
  for (const purpose of ['download', 'upload', 'feed'] as const) {
    now = start;
    const link = links.sign(purpose, 'a');
    const check = (seconds: number) => {
      now = start + seconds * 1_000_000;
      return idOf(() => links.check(purpose, 'a', link));
    };
    assert.equal(check(0), 'accepted');
    assert.equal(check(ends[purpose] - 1), 'accepted');
    assert.equal(check(ends[purpose]), 'link-lapsed');
  }
  const icon = links.sign('icon', 'a');
  now = start * 2;
  assert.equal('expires' in icon, false);
  assert.equal(
    idOf(() => links.check('icon', 'a', icon)),
    'accepted',
  );
});

test('a link for another purpose, subject, time or installation is wrong, lapsed or not', () => {
  const link = links.sign('download', 'a');
  assert.equal(
    idOf(() => links.check('upload', 'a', link)),
    'wrong-signature',
  );
  assert.equal(
    idOf(() => links.check('download', 'b', link)),
    'wrong-signature',
  );
  assert.equal(
    idOf(() => links.check('download', 'a', { ...link, expires: '9999999999' })),
    'wrong-signature',
  );
  const other = new SignedLinks(Buffer.alloc(32, 2));
  assert.equal(
    idOf(() => other.check('download', 'a', link)),
    'wrong-signature',
  );
  assert.equal(
    idOf(() => links.check('download', 'a', {})),
    'wrong-signature',
  );
  assert.equal(
    idOf(() => links.check('download', 'a', { ...link, signature: 'x' })),
    'wrong-signature',
  );
});

test('a link in a package of the feed downloads for 7 days', () => {
  now = start;
  const link = links.signForFeed('a');
  const check = (seconds: number) => {
    now = start + seconds * 1_000_000;
    return idOf(() => links.check('download', 'a', link));
  };
  assert.equal(check(7 * 86_400 - 1), 'accepted');
  assert.equal(check(7 * 86_400), 'link-lapsed');
});

test('a signature is the HMAC with SHA-256 of what the link is for, whatever the length of the secret', () => {
  for (const length of [1, 32, 64, 65, 200]) {
    const key = Buffer.alloc(length, 7);
    const expected = createHmac('sha256', key).update('icon\nabc\n').digest('base64url');
    assert.equal(new SignedLinks(key).sign('icon', 'abc').signature, expected);
  }
});
