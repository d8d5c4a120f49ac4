// Requests that no client should send, made from the OpenAPI document for every operation: whatever comes, the answer is
// JSON of the decided shape with a status of the document, never a failure of the server, never its internals.
import assert from 'node:assert/strict';
import { Agent, request as httpRequest } from 'node:http';
import { after, before, test } from 'node:test';
import { inTurn } from '../fixtures/case-sample.ts';
import { DocumentedAnswers } from '../fixtures/documented-answers.ts';
import { type DocumentedOperation, documentedOperations } from '../fixtures/documented-operations.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';
import { newApk } from '../unit/store/new-apk.ts';

interface Attack {
  operation: DocumentedOperation;
  /** Path and query as they go over the wire. */
  target: string;
  token?: string | null;
  headers?: Record<string, string>;
  body?: Buffer | undefined;
}

interface Answered {
  status: number;
  type: string;
  text: string;
}

let workstation: TestWorkstation;
let documented: DocumentedAnswers;
let operations: DocumentedOperation[];
let analyst: string;
/** Milliseconds after which a request counts as one that hangs: none takes a hundredth of it. */
const patience = 150_000;
const agent = new Agent({ keepAlive: true, maxSockets: 16 });
const held = newApk(7).sha256;

/** A stream without an end, the end of the session, and a copy of the whole folder for each request. */
const isLeftOut = ({ method, path }: DocumentedOperation) =>
  path === '/events/' || (path === '/session/' && method === 'DELETE') || (path === '/backups/' && method === 'POST');

before(async () => {
  workstation = await startWorkstation();
  await workstation.server.store.transaction(({ apks }) => apks.insert(newApk(7)));
  analyst = await workstation.analyst('analyst', 'gold');
  await workstation.ask('/limits/', {
    method: 'PATCH',
    json: { gold: { 'api-usage': '999999999/min', 'apk-detail': '999999999/min', analysts: '999999999/min' } },
  });
  const { body } = await workstation.ask('/openapi.json', { token: null });
  documented = new DocumentedAnswers(body);
  operations = documentedOperations(body).filter((operation) => !isLeftOut(operation));
});
after(async () => {
  agent.destroy();
  await workstation[Symbol.asyncDispose]();
});

function send({ operation, target, token = workstation.ownerToken, headers = {}, body }: Attack): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      {
        agent,
        port: workstation.server.port,
        method: operation.method,
        path: target,
        headers: {
          ...(token === null ? {} : { authorization: `Token ${token}` }),
          ...(body === undefined ? {} : { 'content-length': String(body.length) }),
          ...headers,
        },
      },
      (incoming) => {
        const pieces: Buffer[] = [];
        incoming.on('data', (piece: Buffer) => pieces.push(piece));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            type: incoming.headers['content-type'] ?? '',
            text: Buffer.concat(pieces).toString(),
          }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.setTimeout(patience, () => outgoing.destroy(new Error('no answer')));
    outgoing.end(body);
  });
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is wrong with an answer, as sentences. */
function faultsOf({ operation, target }: Attack, { status, type, text }: Answered): string[] {
  const faults: string[] = [];
  if (status >= 500 && status !== 503) faults.push('the server failed');
  if (/\n\s+at |node_modules|\.ts:\d+|SQLITE_|Error:/.test(text) && status >= 400) faults.push('internals are told');
  const isJson = /^application\/json(;|$)/.test(type);
  if (status >= 400 && !isJson) faults.push(`an error of the type ${type}`);
  if (!isJson) return faults;
  if (text.includes('\n')) faults.push('an answer on several lines');
  const body: unknown = text === '' ? null : JSON.parse(text);
  if (status >= 400) {
    const isDetail = isRecord(body) && Object.keys(body)[0] === 'detail' && typeof body.detail === 'string';
    const isFields =
      isRecord(body) &&
      Object.entries(body).some(([, value]) => Array.isArray(value) && value.every((one) => typeof one === 'string'));
    const isOlder = isRecord(body) && status === 406 && 'error' in body;
    if (!isDetail && !isFields && !isOlder) faults.push('an error of another shape');
  }
  // Where the address leads elsewhere, another operation has answered.
  const pathname = target.split('?')[0]!;
  const pattern = new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+').replace(/\/$/, '')}/?$`);
  if (pattern.test(pathname) && !pathname.includes('//')) {
    faults.push(...documented.faults(operation.method, pathname, status, body, true));
  }
  return faults;
}

/** Sends all, some at a time, and says what was wrong with their answers. */
async function attackAll(attacks: Iterable<Attack>): Promise<string[]> {
  const faults: string[] = [];
  const queue = attacks[Symbol.iterator]();
  const worker = async () => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) {
      const { operation, target, headers = {}, body } = next.value;
      const name = `${operation.method} ${target.slice(0, 120)} ${JSON.stringify(headers).slice(0, 100)} ${body?.subarray(0, 80).toString('latin1') ?? ''}`;
      try {
        const answered = await send(next.value);
        for (const fault of faultsOf(next.value, answered)) {
          faults.push(`${name}: ${answered.status} ${fault}: ${answered.text.slice(0, 150)}`);
        }
      } catch (error) {
        faults.push(`${name}: no answer: ${(error as Error).message}`);
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  // The first ones tell enough, and hundreds of the same nobody reads.
  return faults.slice(0, 12);
}

const filled = ({ path }: DocumentedOperation, value: string) => path.replaceAll(/\{\w+\}/g, value);
/** A value of the path behind which something stands, where that is known. */
const likely = ({ segments }: DocumentedOperation) =>
  segments.includes('sha256') ? held : segments.includes('username') ? 'analyst' : '1';

test('faulty segments of the path', async () => {
  const values = [
    ...['%00', '%', '%ff', '%c0%af', '%e2%80%ae', '..%2f..%2fetc%2fpasswd', '%2e%2e', "'%20or%201=1--", '%f0%9f%92%a9'],
    ...[
      '-1',
      '0',
      '1e9',
      '9'.repeat(40),
      '0x10',
      'null',
      'undefined',
      '__proto__',
      'constructor',
      '%0d%0aX:1',
      'a'.repeat(3000),
    ],
    ...[held.toUpperCase(), 'f'.repeat(64), 'f'.repeat(63), '0123456789abcdef'],
  ];
  const someValues = inTurn(values, 5);
  function* attacks(): Generator<Attack> {
    for (const operation of operations) {
      if (operation.segments.length === 0) continue;
      for (const value of someValues()) yield { operation, target: filled(operation, value) };
    }
  }
  assert.deepEqual(await attackAll(attacks()), []);
});

test('faulty queries: wrong types, broken escapes, huge numbers, many of one name', async () => {
  const values = [
    ...['', '%00', '%ff%fe', '%zz', '-1', '0', '1.5', '1e309', '9'.repeat(400), 'NaN', 'true', 'null', '[]', '%7b%7d'],
    ...[
      '%f0%9f%92%a9',
      "'%20or%201=1--",
      '%0d%0aSet-Cookie:x',
      'A'.repeat(4000),
      '%5b1%20TO',
      '(((',
      '%22',
      'a:b:c',
      '~',
      '*',
    ],
  ];
  const someValues = inTurn(values, 4);
  function* attacks(): Generator<Attack> {
    for (const operation of operations) {
      const base = filled(operation, likely(operation));
      for (const { name } of operation.query) {
        for (const value of someValues()) yield { operation, target: `${base}?${name}=${value}` };
        yield { operation, target: `${base}?${name}=1&${name}=x&${name}[]=2&${name}[a]=3&${name}.b=4` };
      }
      for (const { name } of inTurn(operation.query, 1)()) {
        yield { operation, target: `${base}?${`${name}=1&`.repeat(1500)}` };
      }
      yield { operation, target: `${base}?` };
      yield { operation, target: `${base}?&&==&%=%&__proto__=1&constructor.prototype=2` };
      yield { operation, target: `${base}?unheard_of=1` };
    }
  }
  assert.deepEqual(await attackAll(attacks()), []);
});

test('bodies that are not what they say, of every kind', async () => {
  const bodies: [string, string | Buffer][] = [
    ...['{', '', ' ', 'null', '7', '"x"', 'true', '[1,2]', '{"a":}', '{"a":1}}', '{,}', "{'a':1}", '\0', '[]'].map(
      (body): [string, string] => ['application/json', body],
    ),
    ['application/json', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
    ['application/json', `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`],
    ['application/json', Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])],
    ['application/json', Buffer.from('{"name":"\xff\xfe"}', 'latin1')],
    ['application/json', '{"__proto__":{"a":1},"constructor":{"prototype":{"b":2}}}'],
    ['application/json; charset=utf-16', '{}'],
    ['application/json; charset=nonsense', '{}'],
    ['application/x-www-form-urlencoded', '%ff=%ff&a=1&a=2&__proto__.x=1&=&&%'],
    ['application/x-www-form-urlencoded', Buffer.from([0, 255, 38, 61, 0])],
    ['multipart/form-data', 'x'],
    ['multipart/form-data; boundary=', 'x'],
    ['multipart/form-data; boundary=x', '--x\r\nnonsense'],
    ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data\r\n\r\n\r\n--x--\r\n'],
    ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="\0"\r\n\r\n\xff\r\n--x--\r\n'],
    [`multipart/form-data; boundary=${'x'.repeat(500)}`, 'x'],
    ['text/plain', 'words'],
    ['application/xml', '<a/>'],
    ['', '{"a":1'],
    ['nonsense', 'x'],
    ['*/*', 'x'],
  ];
  const someBodies = inTurn(bodies, 6);
  const someEncodings = inTurn(['gzip', 'deflate', 'br', 'compress', 'nonsense'], 1);
  function* attacks(): Generator<Attack> {
    for (const operation of operations) {
      if (['GET', 'DELETE'].includes(operation.method) && operation.bodyTypes.length === 0) continue;
      const target = filled(operation, likely(operation));
      for (const [type, text] of someBodies()) {
        const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
        yield { operation, target, headers, body: Buffer.from(text) };
      }
      for (const encoding of someEncodings()) {
        const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
        yield { operation, target, headers, body: Buffer.from('not compressed') };
      }
    }
  }
  assert.deepEqual(await attackAll(attacks()), []);
});

test('fields of every wrong type, in JSON and in forms', async () => {
  const raw = [
    ...['null', '-1', '1.5', '1e400', '123456789012345678901234567890', '[]', '{}', '[[[]]]', '[null]', '{"$ne":1}'],
    ...['""', '"\\u0000"', '"\\ud800"', '"\\u202e"', '"\u{1f4a9}"', '"-"', `"${'x'.repeat(100_000)}"`],
  ];
  const inForms = ['', '%00', '%ff', '%ed%a0%80', '-1', '1e400', 'x'.repeat(50_000)];
  const someRaw = inTurn(raw, 3);
  const someInForms = inTurn(inForms, 1);
  function* attacks(): Generator<Attack> {
    for (const operation of operations) {
      const target = filled(operation, likely(operation));
      // The same fields are what both generations share: a value is tried where it comes first.
      for (const field of operation.fields) {
        for (const value of someRaw()) {
          const body = Buffer.from(`{${JSON.stringify(field)}:${value}}`);
          yield { operation, target, headers: { 'content-type': 'application/json' }, body };
        }
        for (const value of someInForms()) {
          const headers = { 'content-type': 'application/x-www-form-urlencoded' };
          yield {
            operation,
            target,
            headers,
            body: Buffer.from(`${field}=${value}&${field}.a.b.c.d.e=1&${field}=${value}`),
          };
        }
      }
      if (operation.fields.length > 0) {
        const all = `{${operation.fields.map((field) => `${JSON.stringify(field)}:{"a":[1,{"b":null}]}`).join()}}`;
        yield { operation, target, headers: { 'content-type': 'application/json' }, body: Buffer.from(all) };
      }
    }
  }
  assert.deepEqual(await attackAll(attacks()), []);
});

test('bodies of 10 MB', async () => {
  const size = 10_000_000;
  const kinds: [string, Buffer][] = [
    ['application/json', Buffer.from(`{"name":"${'x'.repeat(size)}"}`)],
    ['application/x-www-form-urlencoded', Buffer.from(`name=${'x'.repeat(size)}`)],
    [
      'multipart/form-data; boundary=b',
      Buffer.from(`--b\r\nContent-Disposition: form-data; name="name"\r\n\r\n${'x'.repeat(size)}\r\n--b--\r\n`),
    ],
  ];
  function* attacks(): Generator<Attack> {
    for (const [index, operation] of operations.filter(({ bodyTypes }) => bodyTypes.length > 0).entries()) {
      const [type, body] = kinds[index % kinds.length]!;
      yield { operation, target: filled(operation, likely(operation)), headers: { 'content-type': type }, body };
    }
  }
  assert.deepEqual(await attackAll(attacks()), []);
});

test('headers: faulty tokens, hosts, ranges, types, too many and too long', async () => {
  const faultyHeaders: Record<string, string>[] = [
    ...['Token', 'Token ', 'Token a b', `Token ${'f'.repeat(5000)}`, 'Bearer x', 'Basic x', '\xff', 'Token \xe9'].map(
      (authorization) => ({ authorization }),
    ),
    ...['a b', 'x/y', '@', 'x'.repeat(300), ':', '[', 'a:b:c', 'evil.example'].map((host) => ({ host })),
    { range: 'bytes=9-1,x', 'if-range': '"x"', 'if-none-match': '*', 'accept-encoding': 'x', accept: 'text/html;q=x' },
    { 'x-large': 'x'.repeat(20_000) },
    { cookie: 'a=b; '.repeat(500), 'x-forwarded-for': "'", 'x-http-method-override': 'DELETE', expect: 'nothing' },
    { 'content-type': 'application/json', 'content-length': '0' },
  ];
  const someHeaders = inTurn(faultyHeaders, 4);
  function* attacks(): Generator<Attack> {
    for (const operation of operations) {
      const target = filled(operation, likely(operation));
      for (const headers of someHeaders()) yield { operation, target, token: null, headers };
    }
  }
  assert.deepEqual(await attackAll(attacks()), []);
});

test('every operation is asked by an analyst, by nobody, with a wrong token and by methods that nobody knows', async () => {
  const someMethods = inTurn(['OPTIONS', 'HEAD', 'TRACE', 'PROPFIND', 'LOCK', 'REPORT'], 3);
  function* attacks(): Generator<Attack> {
    for (const operation of operations) {
      const target = filled(operation, likely(operation));
      for (const token of [analyst, null, '0'.repeat(40)]) yield { operation, target, token };
      for (const method of someMethods()) {
        yield { operation: { ...operation, method }, target };
      }
    }
  }
  const faults = await attackAll(attacks());
  // HEAD has no body to have a shape, and OPTIONS none to have.
  assert.deepEqual(
    faults.filter((fault) => !/^(HEAD|OPTIONS) .*(of another shape|has no JSON)/.test(fault)),
    [],
  );
  assert.equal((await workstation.ask('/health/', { token: null })).status, 200);
  assert.deepEqual(
    workstation.logged.filter(({ level }) => level === 'error'),
    [],
  );
});

/** What needs more than a request to be met, or depends on the time of day, and has tests of its own. */
const seenElsewhere = [
  // A file that is carried and is no app, in children.test.ts.
  'POST /apks/{sha256}/children/{child}/promote/ 415',
  // Its address is a number, which nothing else is taken for: in apk-contents.test.ts.
  'GET /apks/{sha256}/native/code/ 404',
  'GET /apks/{sha256}/code/at/ 404',
  'POST /retrohunts/ 404',
  // A task that is not there is gone (410): in lab.test.ts.
  'POST /lab/tasks/{ticket}/answer/ 404',
  // Of an APK, a ruleset or a hunt that is not there: in indicators.test.ts.
  'GET /indicators/ 404',
  // Of a case that is not there: in group-pages.test.ts.
  'GET /pages/ 404',
  'POST /retrohunts/estimate/ 404',
  // From a family that is gone: in rule-proposals.test.ts.
  'POST /rule_proposals/ 404',
  // A device that is not among those of a server: in devices.test.ts.
  'GET /devices/{serial}/ 404',
  'GET /devices/{serial}/packages/ 404',
  'POST /devices/{serial}/import/ 404',
  'POST /session/ 429',
  'GET /feed/apks/ 404',
  'GET /feed/analyses/ 404',
  'GET /feed/detected/ 404',
  // By codes and tokens of machines, which this test has none of: in lab.test.ts; 429 where too many are under way.
  ...['POST /lab/join/', 'POST /lab/heartbeat/'].flatMap((name) => [`${name} 401`, `${name} 429`]),
  ...['GET /lab/queue/', 'POST /lab/drain/', 'POST /lab/tasks/{ticket}/answer/'].map((name) => `${name} 429`),
  ...['', 'file/'].flatMap((rest) => [404, 429].map((status) => `GET /lab/tasks/{ticket}/${rest} ${status}`)),
  // By a link that outlives its backup or picture.
  'GET /backups/{name}/ 404',
  'GET /avatars/{username}/ 404',
  // Where the interface was built without its papers.
  ...['', 'notices/', 'bill_of_materials/'].map((paper) => `GET /about/${paper} 404`),
  // Links of callers without a token, after the owner has closed them.
  ...['POST', 'PUT'].map((method) => `${method} /uploads/{sha256}/ 401`),
  // Without a token there is no limit but the number of requests under way.
  ...[
    '',
    'feed/{id}/{name}/',
    'downloads/{name}/',
    'icons/{sha256}/',
    'avatars/{username}/',
    'ca.crt/',
    'backups/{name}/',
  ].map((path) => `GET /${path} 429`),
];

test('what the document promises of every operation of a kind is met: no token, a limit, no such thing, a body that is too large or of no known type', async () => {
  const throttled = await workstation.analyst('throttled', 'bronze');
  // What is refused for its fields is not looked for.
  const acceptable = ({ path }: DocumentedOperation) => {
    // Votes and entries of cases have kinds of their own.
    const kind = path.includes('/code/') ? 'name' : path.includes('/entries/') ? 'note' : 'positive';
    const state = path.startsWith('/imports/') ? 'stopped' : 'on';
    const flags = { is_trusted: true, is_enabled: true, accepted: true, is_on: true, state };
    const chosen = { apks: ['f'.repeat(64)], left_out: [] };
    const said = { text: 'words', kind, verdict: 'malicious', symbol: 'La/B;' };
    return Buffer.from(JSON.stringify({ ...said, ...flags, ...chosen }));
  };
  await workstation.ask('/limits/', { method: 'PATCH', json: { bronze: { 'api-usage': '0/min' } } });
  function* attacks(): Generator<Attack> {
    for (const operation of operations) {
      const target = filled(operation, likely(operation));
      yield { operation, target, token: throttled };
      if (operation.bodyTypes.length === 0) {
        if (operation.statuses.includes(404)) yield { operation, target: filled(operation, 'nobody') };
        continue;
      }
      yield { operation, target, headers: { 'content-type': 'text/plain' }, body: Buffer.from('words') };
      const headers = { 'content-type': 'application/json' };
      for (const field of operation.fields) {
        for (const value of ['-', '', null])
          yield { operation, target, headers, body: Buffer.from(JSON.stringify({ [field]: value })) };
      }
      for (const value of ['f'.repeat(64), '999999', 'nobody'])
        yield { operation, target: filled(operation, value), headers, body: acceptable(operation) };
    }
  }
  assert.deepEqual(await attackAll(attacks()), []);
  // A file may be larger than a form, and what it is, is found in its bytes.
  const isFile = ({ bodyTypes }: DocumentedOperation) => bodyTypes.includes('application/octet-stream');
  const unseen = operations.flatMap((operation) =>
    operation.statuses
      .filter((status) => [401, 404, 429].includes(status) || ([413, 415].includes(status) && !isFile(operation)))
      .map((status) => `${operation.method} ${operation.path} ${status}`)
      .filter((name) => !documented.seen.has(name) && !seenElsewhere.includes(name)),
  );
  assert.deepEqual(unseen, []);
});
