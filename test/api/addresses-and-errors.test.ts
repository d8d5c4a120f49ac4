import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
before(async () => {
  workstation = await startWorkstation();
});
after(() => workstation[Symbol.asyncDispose]());

/** Sends bytes as they are and reads the whole answer. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(workstation.server.port, '127.0.0.1', () => socket.write(text));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
    socket.on('error', reject);
    socket.setTimeout(60_000, () => socket.destroy(new Error('no answer')));
  });
}

test('an address answers alike with, without and with doubled slashes, and never redirects', async () => {
  const answers = await Promise.all(
    ['/account/', '/account', '//account//', '/account//?x=1'].map((path) => workstation.ask(path)),
  );
  for (const answer of answers) {
    assert.equal(answer.status, 200);
    assert.equal(answer.body.username, 'owner');
  }
  assert.equal((await workstation.ask('/account//statistics')).status, 200);
});

test('an absolute request target is served by its path', async () => {
  const answer = await raw('GET http://localhost/health/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  assert.match(answer, /^HTTP\/1\.1 200 /);
});

test('an unknown address is a 404 whose first and only key is detail, on one line', async () => {
  for (const path of ['/nothing/', '/apks/x/y/z/', '/apks/%ff/', '/apks/%zz', '/../../etc/passwd', '/__proto__/']) {
    const answer = await workstation.ask(path);
    assert.equal(answer.status, 404, path);
    assert.equal(answer.text, '{"detail":"Not found."}');
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  }
});

test('a malformed sha256 in a path is a 404', async () => {
  for (const name of ['x', 'A'.repeat(63), `${'a'.repeat(63)}g`, '..%2f..%2fetc%2fpasswd', '%00', "'%20or%201=1"]) {
    for (const rest of ['', '/analysis', '/download', '/get_upload_url', '/analyze_static', '/manifest', '/files']) {
      assert.equal((await workstation.ask(`/apks/${name}${rest}`)).status, 404, name + rest);
    }
  }
});

test('a method that is not served is a 405 naming those that are', async () => {
  const cases: [string, string, string][] = [
    ['DELETE', '/apks/', 'GET, HEAD, OPTIONS'],
    ['POST', `/apks/${'a'.repeat(64)}/analysis/`, 'GET, HEAD, OPTIONS'],
    ['GET', '/session/', 'POST, DELETE, OPTIONS'],
    ['PUT', '/health/', 'GET, HEAD, OPTIONS'],
    ['POST', '/app/', 'GET, HEAD, OPTIONS'],
    ['PUT', '/openapi.json', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/docs/', 'GET, HEAD, OPTIONS'],
  ];
  for (const [method, path, allow] of cases) {
    const answer = await workstation.ask(path, { method });
    assert.equal(answer.status, 405, `${method} ${path}`);
    assert.equal(answer.headers.get('allow'), allow);
    assert.equal(answer.body.detail, `Method "${method}" not allowed.`);
  }
  for (const path of ['/apks/', '/app/', '/docs/', '/openapi.json']) {
    const options = await workstation.ask(path, { method: 'OPTIONS' });
    assert.equal(options.status, 204, path);
    assert.equal(options.headers.get('allow'), 'GET, HEAD, OPTIONS');
  }
});

test('without a token what needs one is a 401 that says how to authenticate', async () => {
  for (const path of ['/apks/', '/account/', '/jobs/', '/analysts', '/events/', `/apks/${'a'.repeat(64)}/`]) {
    const answer = await workstation.ask(path, { token: null });
    assert.equal(answer.status, 401, path);
    assert.equal(answer.headers.get('www-authenticate'), 'Token');
    assert.deepEqual(answer.body, { detail: 'Authentication credentials were not provided.' });
  }
  const upload = await workstation.ask('/uploads/', { method: 'POST', token: null, body: 'x' });
  assert.equal(upload.status, 401);
});

test('an unknown token is a 401, also where none is needed', async () => {
  for (const value of [`Token ${'0'.repeat(40)}`, 'Token', 'Token a b', `token ${'f'.repeat(40)}`]) {
    for (const path of ['/account/', `/apks/${'a'.repeat(64)}/get_upload_url/`]) {
      const answer = await workstation.ask(path, { headers: { authorization: value } });
      assert.equal(answer.status, 401, value);
      assert.equal(answer.body.detail, 'Invalid token.');
    }
  }
});

test('an Authorization of another scheme counts as anonymous', async () => {
  const headers = { authorization: 'Basic b3duZXI6eA==' };
  assert.equal((await workstation.ask(`/apks/${'a'.repeat(64)}/get_upload_url/`, { headers })).status, 200);
  const answer = await workstation.ask('/account/', { headers });
  assert.equal(answer.body.detail, 'Authentication credentials were not provided.');
});

test('the scheme of a token is known in any case', async () => {
  const headers = { authorization: `TOKEN ${workstation.ownerToken}` };
  assert.equal((await workstation.ask('/account/', { headers })).status, 200);
});

test('HEAD asks what GET would say; where GET acts it is not served, and nothing happens', async () => {
  const hash = 'b'.repeat(64);
  const { store } = workstation.server;
  const apk = await store.transaction(({ apks }) =>
    apks.insert({ sha256: hash, sha1: 'b'.repeat(40), md5: 'b'.repeat(32), size: 1 }),
  );
  await workstation.analyst('Headed');
  const acts = ['vote_positive', 'vote_negative', 'analyze_static', 'analyze_yara', 'analyze_antivirus'];
  const paths = [...acts.map((act) => `/apks/${hash}/${act}/`), '/analysts/Headed/follow', '/analysts/Headed/unfollow'];
  for (const path of [...paths, `/legacy/apks/${hash}/analyze`, '/legacy/analysts/Headed/follow']) {
    const { status, headers, text } = await workstation.ask(path, { method: 'HEAD' });
    assert.equal(status, 405, path);
    assert.equal(headers.get('allow'), 'GET, POST, OPTIONS');
    assert.equal(text, '');
  }
  assert.deepEqual([(await store.apks.findById(apk.id))?.votesCount, await store.jobs.count({})], [0, 0]);
  assert.equal((await workstation.ask('/analysts/Headed')).body.total_followers, 0);
  const head = await workstation.ask(`/apks/${hash}/`, { method: 'HEAD' });
  assert.deepEqual([head.status, head.text], [200, '']);
  await store.transaction(({ apks }) => apks.remove(apk.id));
});

test('page_size that is no positive integer is a field error; a large one is taken as 100', async () => {
  for (const value of ['0', '-1', 'x', '', '1.5', '1e2', '%00']) {
    const answer = await workstation.ask(`/apks/?page_size=${value}`);
    assert.equal(answer.status, 400, value);
    assert.deepEqual(Object.keys(answer.body), ['page_size']);
  }
  for (const value of ['100000', '9'.repeat(18), '9'.repeat(400)]) {
    assert.equal((await workstation.ask(`/apks/?page_size=${value}`)).status, 200, value);
  }
});

test('an empty page number is the first page', async () => {
  const first = await workstation.ask('/analysts/?page=');
  assert.equal(first.status, 200);
  assert.deepEqual(first.body, (await workstation.ask('/analysts/?page=1')).body);
});

test('a cursor that this installation did not make is a 400; an empty one is the first page', async () => {
  for (const value of ['x', 'A'.repeat(24), 'A'.repeat(5000), '%00', '../..']) {
    const answer = await workstation.ask(`/apks/?cursor=${value}`);
    assert.equal(answer.status, 400, value);
    assert.deepEqual(answer.body, { detail: 'Invalid cursor.' });
  }
  assert.equal((await workstation.ask('/apks/?cursor=')).status, 200);
});

test('every answer carries an id of its request, and none says what the server runs on', async () => {
  const answer = await workstation.ask('/health/');
  assert.match(answer.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
  assert.equal(answer.headers.get('x-powered-by'), null);
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(answer.headers.get('access-control-allow-origin'), null);
});

test('a failure of the server is a 500 with the id under which its log has the details', async () => {
  const { catalogue } = workstation.server.services;
  const original = catalogue.get;
  catalogue.get = () => Promise.reject(new Error('secret /etc/shadow'));
  const answer = await workstation.ask(`/apks/${'a'.repeat(64)}/`);
  catalogue.get = original;
  assert.equal(answer.status, 500);
  assert.deepEqual(Object.keys(answer.body), ['detail']);
  assert.doesNotMatch(answer.text, /secret|shadow/);
  const requestId = answer.headers.get('x-request-id');
  const record = workstation.logged.find(({ level, details }) => level === 'error' && 'requestId' in details);
  assert.equal((record!.details as { requestId: string }).requestId, requestId);
});

test('a full disk is told as such, and so is one that can only be read', async () => {
  const { accounts } = workstation.server.services;
  const original = accounts.createToken;
  for (const code of ['ENOSPC', 'SQLITE_FULL', 'EROFS']) {
    accounts.createToken = () => Promise.reject(Object.assign(new Error('secret /mnt/disk'), { code }));
    const { status, body } = await workstation.ask('/account/tokens/', { method: 'POST', json: {} });
    assert.equal(status, 507);
    assert.match(body.detail, code === 'EROFS' ? /: it can only be read\./ : /: the disk is full\./);
    assert.ok(
      workstation.logged.some(({ level, details }) => level === 'error' && JSON.stringify(details).includes(code)),
    );
  }
  accounts.createToken = original;
});

test('a damaged database is told as such, with what to do, and its log has the details', async () => {
  const { catalogue } = workstation.server.services;
  const original = catalogue.get;
  const damage = Object.assign(new Error('database disk image is malformed'), { code: 'SQLITE_CORRUPT' });
  catalogue.get = () => Promise.reject(damage);
  const { status, body } = await workstation.ask(`/apks/${'a'.repeat(64)}/`);
  catalogue.get = original;
  assert.equal(status, 503);
  assert.match(body.detail, /database is damaged.*restores a backup/);
  assert.ok(workstation.logged.some(({ details }) => 'err' in details && details.err === damage));
});

test('on a full disk everything can be read', async () => {
  const { tokens } = workstation.server.store;
  const original = tokens.touch;
  tokens.touch = () => Promise.reject(Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' }));
  const { status } = await workstation.ask('/account/');
  tokens.touch = original;
  assert.equal(status, 200);
});

test('pages of other sites send nothing that counts, and read as little as ever', async () => {
  const logIn = (site: string) =>
    fetch(`${workstation.url}/session/`, {
      method: 'POST',
      headers: { 'sec-fetch-site': site, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'username=owner&password=wrong',
    });
  for (const site of ['cross-site', 'same-site']) {
    const answer = await logIn(site);
    assert.equal(answer.status, 403);
    assert.match(await answer.text(), /^\{"detail":"Pages of other sites/);
  }
  for (const site of ['same-origin', 'none']) assert.equal((await logIn(site)).status, 401);
  const read = await fetch(`${workstation.url}/health/`, { headers: { 'sec-fetch-site': 'cross-site' } });
  assert.equal(read.status, 200);
  assert.equal(read.headers.get('access-control-allow-origin'), null);
});

test('addresses in answers are those under which the client reached the server', async () => {
  const ask = (host: string) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const headers = { host, authorization: `Token ${workstation.ownerToken}` };
      const outgoing = httpRequest({ port: workstation.server.port, path: '/account/', headers }, (incoming) => {
        let text = '';
        incoming.on('data', (chunk) => {
          text += chunk;
        });
        incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, text }));
      });
      outgoing.on('error', reject);
      outgoing.end();
    });
  await workstation.ask('/settings/', { method: 'PATCH', json: { allowed_hosts: ['lab.local'] } });
  for (const host of ['lab.local:8465', '[::1]:99', '192.168.7.7']) {
    assert.equal(JSON.parse((await ask(host)).text).url, `http://${host}/analysts/owner/`);
  }
  for (const host of ['evil"host', 'a b', 'user@host', 'host/path']) {
    const answer = await ask(host);
    assert.equal(answer.status, 400, host);
    assert.ok('detail' in JSON.parse(answer.text));
  }
});

test('headers past the limit are a 431, and bytes that are not HTTP a 400, as JSON', async () => {
  const huge = await raw(`GET / HTTP/1.1\r\nHost: localhost\r\nX-Large: ${'x'.repeat(40_000)}\r\n\r\n`);
  assert.match(huge, /^HTTP\/1\.1 431 /);
  assert.match(huge, /\{"detail":"[^"]+"\}$/);
  const nonsense = await raw('\x16\x03\x01\x02\x00\x01\x00\r\n\r\n');
  assert.match(nonsense, /^HTTP\/1\.1 400 /);
  assert.match(nonsense, /\{"detail":"[^"]+"\}$/);
});

test('a request of HTTP/1.1 without a Host header is a 400, as JSON', async () => {
  const answer = await raw('GET /health/ HTTP/1.1\r\nConnection: close\r\n\r\n');
  assert.match(answer, /^HTTP\/1\.1 400 /);
  assert.match(answer, /\{"detail":"[^"]+"\}$/);
});

test('a request with several Host headers is a 400', async () => {
  const answer = await raw(
    'GET /health/ HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: elsewhere.example\r\nConnection: close\r\n\r\n',
  );
  assert.match(answer, /^HTTP\/1\.1 400 .*several Host headers/s);
  const absolute = await raw('GET http://127.0.0.1/health/ HTTP/1.0\r\n\r\n');
  assert.match(absolute, /^HTTP\/1\.1 200 /);
});

test('a request of HTTP/1.0 without a Host header is answered with the address of the connection', async () => {
  const answer = await raw(`GET /account/ HTTP/1.0\r\nAuthorization: Token ${workstation.ownerToken}\r\n\r\n`);
  assert.ok(answer.includes(`http://127.0.0.1:${workstation.server.port}/analysts/owner/`), answer);
});

test('a browser at the top is sent to the user interface, any other client gets the addresses', async () => {
  const browser = await workstation.ask('/', { token: null, headers: { accept: 'text/html,*/*;q=0.8' } });
  assert.equal(browser.status, 302);
  assert.equal(browser.headers.get('location'), '/app/');
  const program = await workstation.ask('/', { token: null });
  assert.equal(program.status, 200);
  assert.equal(program.body.apks, `${workstation.url}/apks/`);
});

test('the state of the server is open to everybody and names no secret', async () => {
  const { status, body } = await workstation.ask('/health/', { token: null });
  assert.equal(status, 200);
  assert.equal(body.status, 'ok');
  assert.equal(body.database, 'ok');
  assert.deepEqual(body.jobs, { queued: 0, running: 0 });
  assert.ok(body.analyses.includes('static'));
});

test('pages of the user interface may load their own scripts only', async () => {
  const answer = await workstation.ask('/app/', { token: null });
  const policy = answer.headers.get('content-security-policy') ?? '';
  assert.match(policy, /script-src 'self'(;|$)/);
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
  const missing = await workstation.ask('/app/assets/nothing.js', { token: null });
  assert.equal(missing.status, 404);
  assert.ok('detail' in missing.body);
  assert.equal((await workstation.ask('/app/..%2f..%2fpackage.json', { token: null })).status, 404);
});

test('the OpenAPI document names every address, with references that resolve', async () => {
  const { body, status } = await workstation.ask('/openapi.json', { token: null });
  assert.equal(status, 200);
  assert.equal(body.openapi, '3.1.0');
  assert.ok(body.paths['/apks/{sha256}/analysis/'].get);
  assert.ok(body.paths['/uploads/'].post.requestBody.content['multipart/form-data']);
  for (const [, reference] of JSON.stringify(body).matchAll(/"\$ref":"([^"]+)"/g)) {
    assert.match(reference!, /^#\//);
    const target = reference!
      .slice(2)
      .split('/')
      .reduce((at, key) => at?.[key], body);
    assert.notEqual(target, undefined, reference);
  }
});

test('hostile strings in a request stay data in the log', async () => {
  const path = '/apks/%0a%7b%22level%22:%22error%22%7d';
  await workstation.ask(path);
  const record = workstation.logged.at(-1) ?? { details: {} };
  assert.ok(!JSON.stringify(record).includes('\n'));
});
