import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RefusalRecords } from '../../../server/services/refusal-records.ts';
import type { NewAuditRecord } from '../../../server/store/repositories/audit-repository.ts';

const hour = 3_600_000_000;
const refusal = (told: Partial<NewAuditRecord> = {}): NewAuditRecord => ({
  username: '',
  address: '192.0.2.1',
  action: 'POST /session',
  subject: 'alice',
  status: 401,
  ...told,
});

/** The records that were made, each with how many refusals belong to it. */
function recordsOf(refusals: Iterable<NewAuditRecord>, now: (at: number) => number = () => 0) {
  const records = new RefusalRecords<{ told: NewAuditRecord; count: number }>();
  const made = new Set<{ told: NewAuditRecord; count: number }>();
  let at = 0;
  for (const one of refusals) {
    const { record } = records.recordOf(one, now(at++), (told) => ({ told, count: 0 }));
    record.count += 1;
    made.add(record);
  }
  return [...made];
}

test('refusals of one kind are one record; another address, action, subject or answer is another', () => {
  const others = [{}, { address: '192.0.2.2' }, { action: 'POST /rulesets' }, { subject: 'bob' }, { status: 429 }];
  const records = recordsOf([...others, ...others, ...others].map((told) => refusal(told)));
  assert.deepEqual(
    records.map(({ count }) => count),
    [3, 3, 3, 3, 3],
  );
});

test('an hour of the clock has its own records', () => {
  assert.equal(recordsOf([refusal(), refusal(), refusal()], (at) => at * (hour / 2)).length, 2);
});

test('addresses of one IPv6 network are told as that network', () => {
  const [record, ...more] = recordsOf([1, 2, 3].map((at) => refusal({ address: `2001:db8:1:2::${at}` })));
  assert.deepEqual([record!.told.address, record!.count, more.length], ['2001:db8:1:2::/64', 3, 0]);
});

test('of one caller with ever new subjects some are told and the rest is counted', () => {
  const records = recordsOf(Array.from({ length: 5000 }, (_, at) => refusal({ subject: `name ${at}` })));
  assert.equal(records.length, 21);
  assert.equal(records.at(-1)!.told.subject, '');
  assert.equal(records.at(-1)!.count, 4980);
});

test('of ever new callers some are told and the rest is counted, whatever else they change', () => {
  const records = recordsOf(
    Array.from({ length: 50_000 }, (_, at) =>
      refusal({ address: `2001:db8:${(at >> 4).toString(16)}:${(at & 15).toString(16)}::1`, subject: `name ${at}` }),
    ),
  );
  assert.equal(records.length, 501);
  assert.deepEqual([records.at(-1)!.told.address, records.at(-1)!.told.subject], ['', '']);
  assert.equal(
    records.reduce((sum, { count }) => sum + count, 0),
    50_000,
  );
});

test('a crowd of strangers takes no room from those who are known by name', () => {
  const crowd = Array.from({ length: 2000 }, (_, at) => refusal({ address: `198.51.${at >> 8}.${at & 255}` }));
  const records = recordsOf([
    ...crowd,
    refusal({ username: 'mallory', action: 'GET /settings', subject: '', status: 403 }),
  ]);
  const { told } = records.at(-1)!;
  assert.deepEqual([told.username, told.action, told.address], ['mallory', 'GET /settings', '192.0.2.1']);
});
