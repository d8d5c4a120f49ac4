import assert from 'node:assert/strict';
import { Agent, request as httpRequest } from 'node:http';
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
    socket.setTimeout(10_000, () => socket.destroy(new Error('no answer')));
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
    ['POST', '/app/', 'GET, HEAD'],
  ];
  for (const [method, path, allow] of cases) {
    const answer = await workstation.ask(path, { method });
    assert.equal(answer.status, 405, `${method} ${path}`);
    assert.equal(answer.headers.get('allow'), allow);
    assert.equal(answer.body.detail, `Method "${method}" not allowed.`);
  }
  const options = await workstation.ask('/apks/', { method: 'OPTIONS' });
  assert.equal(options.status, 204);
  assert.equal(options.headers.get('allow'), 'GET, HEAD, OPTIONS');
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
  const apk = await store.apks.insert({ sha256: hash, sha1: 'b'.repeat(40), md5: 'b'.repeat(32), size: 1 });
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
  await store.apks.remove(apk.id);
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

test('a body that is not what it says it is, is a 400', async () => {
  const send = (type: string, body: string) =>
    workstation.ask('/account/', { method: 'PATCH', headers: { 'content-type': type }, body });
  const json = await send('application/json', '{"first_name": ');
  assert.equal(json.status, 400);
  assert.deepEqual(json.body, { detail: 'The body cannot be read: it is not valid JSON.' });
  const form = await send('multipart/form-data; boundary=x', '--x\r\nnonsense');
  assert.equal(form.status, 400);
  assert.ok('detail' in form.body);
  assert.equal((await send('multipart/form-data', 'x')).status, 400);
  const list = await send('application/json', '[1, 2]');
  assert.equal(list.status, 400);
  assert.ok('non_field_errors' in list.body);
  assert.equal((await send('application/pdf', 'x')).status, 415);
});

test('JSON is read without a type and under the types of its formats, forms as forms', async () => {
  const send = async (type: string | null, text: string) => {
    // Bytes, unlike a text, are sent without a type.
    const headers: Record<string, string> = type === null ? {} : { 'content-type': type };
    const answer = await workstation.ask('/account/', { method: 'PATCH', headers, body: Buffer.from(text) });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.first_name;
  };
  assert.equal(await send(null, '{"first_name": "Untyped"}'), 'Untyped');
  assert.equal(await send('application/vnd.x+json', '{"first_name": "Of a format"}'), 'Of a format');
  assert.equal(await send('Application/JSON; charset=UTF-8', '{"first_name": "Ünder"}'), 'Ünder');
  assert.equal(await send('application/x-www-form-urlencoded', 'first_name=Form'), 'Form');
});

test('JSON that is no UTF-8 is a 400 and changes nothing; a charset that is not read is named', async () => {
  const send = (type: string, body: Buffer<ArrayBuffer>) =>
    workstation.ask('/account/', { method: 'PATCH', headers: { 'content-type': type }, body });
  const broken = await send('application/json', Buffer.from('{"first_name": "caf\xe9"}', 'latin1'));
  assert.equal(broken.status, 400);
  assert.deepEqual(broken.body, { detail: 'The body cannot be read: it is not valid UTF-8.' });
  assert.doesNotMatch((await workstation.ask('/account/')).body.first_name, /caf/);
  const foreign = await send('application/json; charset=ebcdic', Buffer.from('{}'));
  assert.equal(foreign.status, 415);
  assert.deepEqual(foreign.body, { detail: 'Unsupported media type "charset=ebcdic" in request.' });
});

test('a body that cannot be decompressed, and a part of a form without a name, are answered at once', async () => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const compressed = await workstation.ask('/account/', { method: 'PATCH', headers, body: 'not gzip' });
  assert.equal(compressed.status, 400);
  assert.ok('detail' in compressed.body);
  const form = { 'content-type': 'multipart/form-data; boundary=x' };
  const body = '--x\r\nContent-Disposition: form-data\r\n\r\nvalue\r\n--x--\r\n';
  assert.equal((await workstation.ask('/account/', { method: 'PATCH', headers: form, body })).status, 200);
});

test('a connection serves the next request after a form that was too large', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (path: string, type: string, body: string) =>
    new Promise<number>((resolve, reject) => {
      const headers = { authorization: `Token ${workstation.ownerToken}`, 'content-type': type };
      const { port } = workstation.server;
      const outgoing = httpRequest({ agent, port, method: 'PATCH', path, headers }, (incoming) => {
        incoming.resume().on('end', () => resolve(incoming.statusCode ?? 0));
      });
      outgoing.setTimeout(5_000, () => outgoing.destroy(new Error('no answer')));
      outgoing.on('error', reject).end(body);
    });
  const large = `--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n${'x'.repeat(10_000_000)}\r\n--x--\r\n`;
  for (let round = 0; round < 3; round++) {
    assert.equal(await send('/account/', 'multipart/form-data; boundary=x', large), 413);
    assert.equal(await send('/account/', 'application/json', '{}'), 200);
  }
  agent.destroy();
});

test('a body over the limit is a 413', async () => {
  const answer = await workstation.ask('/account/', { method: 'PATCH', json: { first_name: 'x'.repeat(9_000_000) } });
  assert.equal(answer.status, 413);
  assert.ok('detail' in answer.body);
});

test('JSON, urlencoded and multipart bodies change the same fields, dotted names included', async () => {
  const form = new FormData();
  form.set('profile.biography', 'by multipart');
  form.set('settings.email_new_follower', 'True');
  const multipart = await workstation.ask('/account/', { method: 'PATCH', body: form });
  assert.equal(multipart.status, 200, multipart.text);
  assert.equal(multipart.body.profile.biography, 'by multipart');
  assert.equal(multipart.body.settings.email_new_follower, true);
  const body = new URLSearchParams({ 'profile.occupation': 'analyst', 'settings.email_new_follower': 'false' });
  const encoded = await workstation.ask('/account/', { method: 'PUT', body });
  assert.equal(encoded.body.profile.occupation, 'analyst');
  assert.equal(encoded.body.profile.biography, 'by multipart');
  assert.equal(encoded.body.settings.email_new_follower, false);
  const json = await workstation.ask('/account/', { method: 'PATCH', json: { profile: { biography: 'by JSON' } } });
  assert.equal(json.body.profile.biography, 'by JSON');
  assert.equal(json.body.profile.occupation, 'analyst');
});

test('a null character in any text of a body is a field error, named by its place', async () => {
  const refusals: [string, object, string][] = [
    ['PATCH /account/', { first_name: 'A\0da' }, 'first_name'],
    ['PATCH /account/', { profile: { biography: '\0' } }, 'profile.biography'],
    ['POST /account/tokens/', { name: 'a\0' }, 'name'],
    ['POST /account/searches/', { name: 'a\0b', search: 'x' }, 'name'],
    ['POST /account/searches/', { name: 'a', search: 'x\0y' }, 'search'],
    ['POST /rulesets/validate/', { rules: 'rule a { condition: true } //\0' }, 'rules'],
    ['POST /session/', { username: 'owner\0', password: 'x' }, 'username'],
    ['PATCH /settings/', { allowed_hosts: ['a', 'b\0'] }, 'allowed_hosts.1'],
  ];
  for (const [operation, json, field] of refusals) {
    const [method, path] = operation.split(' ') as [string, string];
    const { status, body } = await workstation.ask(path, { method, json });
    assert.deepEqual([status, Object.keys(body)], [400, [field]], operation);
  }
  const { body } = await workstation.ask('/account/', {
    method: 'PATCH',
    json: { first_name: 'A\0da', last_name: '' },
  });
  assert.deepEqual(body, { first_name: ['Null characters are not allowed.'] });
});

test('names that reach into a prototype change nothing', async () => {
  const send = (type: string, body: string) =>
    workstation.ask('/account/', { method: 'PATCH', headers: { 'content-type': type }, body });
  await send('application/json', '{"__proto__": {"polluted": true}, "profile": {"__proto__": {"polluted": true}}}');
  await send('application/x-www-form-urlencoded', '__proto__.polluted=1&constructor.prototype.polluted=1');
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
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
