import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timestamp, timestampOrNull, unixSeconds } from '../../../server/api/presenters/presenting.ts';

test('a time has six digits below the second and an offset', () => {
  assert.equal(timestamp(1_642_149_661_648_728), '2022-01-14T08:41:01.648728+00:00');
  assert.equal(timestamp(1_642_149_661_000_001), '2022-01-14T08:41:01.000001+00:00');
  assert.equal(timestamp(0), '1970-01-01T00:00:00.000000+00:00');
  assert.equal(timestampOrNull(null), null);
  assert.equal(unixSeconds(1_642_149_661_999_999), 1_642_149_661);
});
