import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../../../server/services/failure.ts';
import { AnonymousLimits } from '../../../../server/services/people/anonymous-limits.ts';

test('one address asks for so many upload links a minute without a token, another for its own', async () => {
  const limits = new AnonymousLimits();
  for (let index = 0; index < 120; index += 1) await limits.countUploadLink('192.0.2.1');
  await assert.rejects(limits.countUploadLink('192.0.2.1'), (error: Failure) => {
    assert.ok(error instanceof Failure);
    assert.equal(error.id, 'throttled');
    assert.match(error.message, /^Request was throttled. Expected available in [1-9]\d* seconds\.$/);
    return true;
  });
  await limits.countUploadLink('192.0.2.2');
});

test('programs on this machine have no limit on upload links', async () => {
  const limits = new AnonymousLimits();
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
    for (let index = 0; index < 150; index += 1) await limits.countUploadLink(address);
  }
});
