// Bodies of requests: JSON, forms, what is neither, what is too much.
import assert from 'node:assert/strict';
import { Agent, request as httpRequest } from 'node:http';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
before(async () => {
  workstation = await startWorkstation();
});
after(() => workstation[Symbol.asyncDispose]());

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

test('a form with a file behind its end is answered at once, and so is an upload', async () => {
  const file =
    'Content-Disposition: form-data; name="file"; filename="a.apk"\r\nContent-Type: application/zip\r\n\r\nPK';
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const body = `--x--\r\n\r\n--x\r\n\r\n--x\r\n${file}`;
  assert.equal((await workstation.ask('/account/', { method: 'PATCH', headers, body })).status, 400);
  assert.equal((await workstation.ask('/uploads/', { method: 'POST', headers, body })).status, 400);
});

test('packed JSON and urlencoded forms are unpacked; a packed form of parts is a 415 that says so', async () => {
  const send = (type: string, body: string) => {
    const headers = { 'content-type': type, 'content-encoding': 'gzip' };
    return workstation.ask('/account/', { method: 'PATCH', headers, body: gzipSync(body) });
  };
  assert.equal((await send('application/json', '{"first_name": "Packed"}')).body.first_name, 'Packed');
  assert.equal((await send('application/x-www-form-urlencoded', 'first_name=Again')).body.first_name, 'Again');
  const refused = await send('multipart/form-data; boundary=x', '--x--');
  assert.equal(refused.status, 415);
  assert.deepEqual(refused.body, { detail: 'Unsupported media type "Content-Encoding: gzip" in request.' });
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
      outgoing.setTimeout(60_000, () => outgoing.destroy(new Error('no answer')));
      outgoing.on('error', reject).end(body);
    });
  const large = `--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n${'x'.repeat(10_000_000)}\r\n--x--\r\n`;
  for (let round = 0; round < 3; round++) {
    assert.equal(await send('/account/', 'multipart/form-data; boundary=x', large), 413);
    assert.equal(await send('/account/', 'application/json', '{}'), 200);
  }
  agent.destroy();
});

test('a caller without a token may only send small bodies, which are held in memory', async () => {
  const logIn = (password: string) =>
    workstation.ask('/session/', { method: 'POST', token: null, json: { username: 'owner', password } });
  assert.equal((await logIn('x'.repeat(70_000))).status, 413);
  assert.equal((await logIn('x'.repeat(500))).status, 401);
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
