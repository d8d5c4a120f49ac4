import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  behaviourOf,
  coverageOf,
  lanesOf,
  timelineOf,
  wordsOf,
} from '../../../renderer/pages/apk/dynamic/dynamic-report.ts';
import { readable, taintName } from '../../../renderer/pages/apk/dynamic/entry-details.ts';

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

test('what was decrypted and sent is shown as the text that it is', () => {
  const hex = (text: string) => Buffer.from(text).toString('hex');
  const cipher = { operation: 'decryption', algorithm: 'AES', key: '0123456789abcdef', data: '01ff02' };
  const { crypto, network } = behaviourOf({
    cryptousage: [{ ...cipher, result: hex('http://gate.example/') }],
    sendnet: [{ desthost: '10.0.2.2', destport: 8888, data: hex('user=ada&pass=secret') }],
  });
  assert.deepEqual(
    [crypto[0]!.subject, crypto[0]!.data],
    ['decryption AES', 'key: 0123456789abcdef\ncipher text: 01ff02\nplain text: http://gate.example/'],
  );
  assert.deepEqual([network[0]!.subject, network[0]!.data], ['10.0.2.2:8888', 'user=ada&pass=secret']);
});

test('a cipher shows its key as hex and as text, its mode, its IV and what went in and came out', () => {
  const hex = (text: string) => Buffer.from(text).toString('hex');
  const { crypto } = behaviourOf({
    cryptousage: [
      {
        operation: 'encryption',
        algorithm: 'AES/CBC/PKCS5Padding',
        key: [...Buffer.from('0123456789abcdef')].join(', '),
        key_hex: hex('0123456789abcdef'),
        mode: 'CBC',
        iv: '00ff'.repeat(8),
        data: 'to be hidden',
        result: 'e9a1'.repeat(8),
        time: 1,
        count: 3,
        last: 65,
      },
    ],
  });
  assert.deepEqual(crypto[0]!.data.split('\n'), [
    `key: ${hex('0123456789abcdef')}`,
    'key as text: 0123456789abcdef',
    'mode: CBC',
    `IV: ${'00ff'.repeat(8)}`,
    'plain text: to be hidden',
    `cipher text: ${'e9a1'.repeat(8)}`,
    '3 times, last at 00:01:05',
  ]);
});

test('a request is shown with its answer, which is said to be made up', () => {
  const { network } = behaviourOf({
    http: [
      {
        method: 'POST',
        url: 'https://c2.example/gate',
        request: { head: 'POST /gate HTTP/1.1\r\nHost: c2.example\r\n\r\n', body: 'id=7' },
        answer: { status: 200, head: 'HTTP/1.1 200 OK\r\n\r\n', body: '{"cmd":"sms"}' },
        time: 2,
      },
    ],
  });
  assert.deepEqual(
    [network[0]!.subject, ...network[0]!.data.split('\n')],
    [
      'POST https://c2.example/gate',
      'POST /gate HTTP/1.1',
      'Host: c2.example',
      'id=7',
      '— answer, made up by the simulated internet —',
      'HTTP/1.1 200 OK',
      '{"cmd":"sms"}',
    ],
  );
});

test('each kind of event has a lane, where they are too many the last for all others, and leaks their own in any case', () => {
  const eventsOf = (categories: string[]) =>
    categories.map((category, time) => ({ time, category, component: '', summary: '', count: 1 }));
  assert.deepEqual(lanesOf(eventsOf(['file', 'leak', 'file'])), ['file', 'leak']);
  const many = Array.from({ length: 30 }, (_, index) => `kind ${index}`);
  assert.deepEqual(lanesOf(eventsOf(many.slice(0, 24))), many.slice(0, 24));
  assert.deepEqual(lanesOf(eventsOf(['', ...many])), [...many.slice(0, 23), '']);
  assert.deepEqual(lanesOf(eventsOf([...many, 'leak'])), [...many.slice(0, 22), 'leak', '']);
});

test('what happened is told without the component that it happened to, which is named beside it', () => {
  const told = (component: string, summary: string) =>
    wordsOf({ time: 0, category: 'component', component, summary, count: 1 });
  assert.equal(told('a.B', 'started the activity a.B'), 'started the activity');
  assert.equal(told('a.B', 'started the activity xa.B'), 'started the activity xa.B');
  assert.equal(told('a.B', 'a.B'), 'a.B');
  assert.equal(told('', 'read a file '), 'read a file ');
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
      [7, 'leak'],
    ],
  );
  const own = { timeline: [{ time: 2, category: 'sms', component: 'La;', summary: 'b' }, { time: 'never' }, 7] };
  assert.deepEqual(timelineOf(own, behaviourOf(own)), [
    { time: 2, category: 'sms', component: 'La;', summary: 'b', count: 1 },
  ]);
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

test('logs and crashes, leaks with their target and methods that were not reached are told apart', () => {
  const report = {
    log: [{ level: 'DEBUG', tag: 'Main', message: 'here', time: 1 }],
    crashes: [{ time: 2, component: 'a.B', exception: 'java.lang.Error: no', at: 'a.B.c' }],
    commands: [{ command: 'su -c id', time: 3 }],
    enfperm: [{ permission: 'android.permission.SEND_SMS', time: 4 }],
    dataleaks: [
      { sink: 'Socket.write', kind: 'network', target: 'c2.example', tags: ['TAINT_IMEI'], implicit: false, count: 1 },
      { sink: 'Log.d', kind: 'log', target: '', tags: ['TAINT_SMS'], implicit: true, count: 3 },
    ],
    coverage: { unreached: [{ method: 'a.B.c', api: 'SmsManager.send', reached_by: 'nothing calls it' }, 'a.B.d'] },
    engine: { version: 1, instructions: 900, wall_ms: 20, virtual_seconds: 6.5 },
  };
  const { log, leaks, code, rest } = behaviourOf(report);
  assert.deepEqual(
    log.map(({ operation, subject }) => [operation, subject]),
    [
      ['log', 'here'],
      ['crashes', 'java.lang.Error: no'],
    ],
  );
  assert.deepEqual(
    code.map(({ subject }) => subject),
    ['su -c id', 'android.permission.SEND_SMS'],
  );
  assert.deepEqual(
    leaks.map(({ subject, data }) => [subject, data]),
    [
      ['Socket.write → c2.example', 'network'],
      ['Log.d', 'implicit: only control flow depends on the data\nlog\n×3'],
    ],
  );
  assert.deepEqual(rest, []);
  const { unreached, effort } = coverageOf(report);
  assert.deepEqual(unreached, [
    { method: 'a.B.c', why: 'SmsManager.send · nothing calls it' },
    { method: 'a.B.d', why: '' },
  ]);
  assert.deepEqual(effort, { instructions: 900, took: 20, lived: 6.5 });
});

test('each sensitive call says what it was made on and with, or why it was not made', () => {
  const call = { method: 'La/B;->m()V', address: 4, api: 'java.net.URL.openConnection' };
  const { calls, own } = coverageOf({
    coverage: {
      own: { methods_total: 4, methods_executed: 3, instructions_total: 40, instructions_executed: 20 },
      sensitive_calls: [
        {
          ...call,
          state: 'observed',
          values: [{ on: 'http://c2.example', arguments: [] }, { arguments: ['a', '1'] }],
          reason: '',
        },
        { ...call, state: 'unreached', values: [], reason: 'dead: nothing calls a.B.m' },
        {
          ...call,
          state: 'solved',
          values: [{ arguments: ['a'] }],
          inputs: [{ source: 'android.os.Build.MODEL', value: 'Nexus' }],
          reason: 'branch: went another way',
        },
        { ...call, state: 'forced', values: [{ arguments: ['a', 'b'], made_up: [1] }], reason: '' },
        'not a call',
      ],
    },
  });
  assert.deepEqual(
    calls?.map(({ state, note }) => [state, note]),
    [
      ['observed', 'http://c2.example ()\n(a, 1)'],
      ['unreached', 'dead: nothing calls a.B.m'],
      ['solved', '(a)\nif android.os.Build.MODEL is "Nexus"\nnot by itself: branch: went another way'],
      ['forced', '(a, b) made up: argument 2'],
    ],
  );
  assert.deepEqual(own, { methods: [3, 4], instructions: [20, 40] });
});

test('sources of leaked data are said as people say them, also in the words of an event', () => {
  assert.deepEqual(['TAINT_PASSWORD', 'TAINT_IMEI', 'TAINT_CALL_LOG', 'TAINT_MIC', 'TAINT_SOME_DAY'].map(taintName), [
    'password',
    'IMEI',
    'call log',
    'microphone',
    'some day',
  ]);
  const event = {
    time: 1,
    count: 1,
    category: 'leak',
    component: '',
    summary: 'TAINT_SMS, TAINT_PASSWORD to Socket c2.example',
  };
  assert.equal(wordsOf(event), 'SMS, password to Socket c2.example');
  assert.equal(wordsOf({ ...event, category: 'file' }), event.summary);
});
