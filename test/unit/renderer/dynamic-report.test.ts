import assert from 'node:assert/strict';
import { test } from 'node:test';
import { behaviourOf, coverageOf, readable, timelineOf } from '../../../renderer/pages/apk/dynamic-report.ts';

const genuine = {
  fileswritten: [{ name: '/data/a.xml', data: '3c6d61703e', time: 6.05, dataleak: ['TAINT_IMEI'], pid: 1, tid: 2 }],
  recvnet: [{ srchost: 'count.example', srcport: 80, data: 'HTTP/1.1 200 OK', time: 5.9 }],
  opennet: [{ desthost: 'count.example', destport: '80', time: 5 }],
  dns: [{ hostname: 'sdk.example', ip: '192.0.2.1' }],
  cryptousage: [{ algorithm: 'AES', operation: 'keyalgo', key: '1, 2', time: 1 }],
  dataleaks: [{ sink: 'Network', tags: ['TAINT_IMEI'], time: 7, path: ['La;->b()V'] }],
  enfperm: ['android.permission.READ_PHONE_STATE'],
  hashes: { md5: 'a' },
};

test('rows of a report in the original keys stand under their part, in the order of time', () => {
  const { network, files, crypto, leaks, code, rest } = behaviourOf(genuine);
  assert.deepEqual(
    network.map(({ operation, subject, time }) => [operation, subject, time]),
    [
      ['dns', 'sdk.example', null],
      ['opennet', 'count.example:80', 5],
      ['recvnet', 'count.example:80', 5.9],
    ],
  );
  assert.equal(network[0]!.data, '192.0.2.1');
  assert.deepEqual([files[0]!.subject, files[0]!.data], ['/data/a.xml', '<map>']);
  assert.deepEqual([crypto[0]!.subject, crypto[0]!.data], ['keyalgo AES', 'key: 1, 2']);
  assert.equal(code[0]!.subject, 'android.permission.READ_PHONE_STATE');
  assert.equal(rest[0]!.subject, 'md5');
  // What carries tainted data counts as a leak beside where it stands.
  assert.deepEqual(
    leaks.map(({ operation, path }) => [operation, path]),
    [
      ['fileswritten', []],
      ['dataleaks', ['La;->b()V']],
    ],
  );
});

test('a time line is made of everything with a time where the report has none of its own', () => {
  const made = timelineOf(genuine, behaviourOf(genuine));
  assert.deepEqual(
    made.map(({ time, category }) => [time, category]),
    [
      [1, 'crypto'],
      [5, 'network'],
      [5.9, 'network'],
      [6.05, 'files'],
      [7, 'leaks'],
    ],
  );
  const own = { timeline: [{ time: 2, category: 'sms', component: 'La;', summary: 'b' }, { time: 'never' }, 7] };
  assert.deepEqual(timelineOf(own, behaviourOf(own)), [{ time: 2, category: 'sms', component: 'La;', summary: 'b' }]);
});

test('a report of any shape is read without a fault', () => {
  for (const report of [
    { fileswritten: null, sendnet: 7, dns: 'a', timeline: {}, coverage: [], unmodelled: 'b', limits: null },
    { sendnet: [null, [], 'a', { desthost: {}, destport: [] }], coverage: { methods_total: 'x' } },
    { unmodelled: [{ method: 7 }, null], limits: { time: true }, dataleaks: [{ tags: 'a', path: 'b' }] },
  ]) {
    const behaviour = behaviourOf(report);
    assert.ok(Array.isArray(timelineOf(report, behaviour)));
    assert.equal(coverageOf(report).methods, null);
  }
});

test('hexadecimal is read as text only where all of it is text', () => {
  assert.equal(readable(Buffer.from('héllo\n').toString('hex')), 'héllo\n');
  assert.equal(readable('00ff10'), '00ff10');
  assert.equal(readable('abc'), 'abc');
  assert.equal(readable('beef'), 'beef');
});
