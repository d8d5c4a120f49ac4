// Who asks through proxies: real ones, each listening and asking from an address of its own.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

interface Proxy {
  url: string;
  server: Server;
}

let workstation: TestWorkstation;
/** `edge` stands before `inner`, which stands before the workstation. */
let edge: Proxy;
let inner: Proxy;

/** Asks from an address of this machine's loopback network; a header with several values is sent as several lines. */
const send = async (
  from: string,
  url: string,
  { method = 'GET', headers = {}, body = '' }: { method?: string; headers?: object; body?: string } = {},
): Promise<{ status: number; text: string; headers: IncomingMessage['headers'] }> => {
  const asked = request(url, { method, headers: { ...headers }, localAddress: from, agent: false });
  asked.end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  let text = '';
  for await (const piece of answer) text += piece;
  return { status: answer.statusCode!, text, headers: answer.headers };
};

/** A proxy as administrators set one up: it writes whom it was asked by behind what it was told. */
async function startProxy(address: string, target: string, headers: Record<string, string> = {}): Promise<Proxy> {
  const server = createServer(async (incoming, outgoing) => {
    let body = '';
    for await (const piece of incoming) body += piece;
    const told = incoming.headers['x-forwarded-for'];
    const forwarded = [...(told === undefined ? [] : [told]), incoming.socket.remoteAddress].join(', ');
    const sent = { ...incoming.headers, 'x-forwarded-for': forwarded, ...headers };
    const answer = await send(address, `${target}${incoming.url}`, { method: incoming.method!, headers: sent, body });
    outgoing.writeHead(answer.status, answer.headers).end(answer.text);
  }).listen(0, address);
  await once(server, 'listening');
  return { server, url: `http://${address}:${(server.address() as AddressInfo).port}` };
}

before(async () => {
  workstation = await startWorkstation();
  inner = await startProxy('127.0.0.3', workstation.url);
  edge = await startProxy('127.0.0.2', inner.url, { 'x-forwarded-proto': 'https' });
});
after(async () => {
  edge.server.close();
  inner.server.close();
  await workstation[Symbol.asyncDispose]();
});

const trust = (proxies: string[] | null) =>
  workstation.ask('/settings/', { method: 'PATCH', json: { trusted_proxies: proxies } });

/** Whom the audit log names for something that was refused. */
async function namedFor(from: string, url: string, headers: object = {}): Promise<string> {
  const id = randomUUID();
  const { status } = await send(from, `${url}/rulesets/${id}/`, { method: 'DELETE', headers });
  assert.equal(status, 401);
  const { results } = (await workstation.ask('/audit/')).body;
  return results.find(({ subject }: { subject: string }) => subject === id).address;
}

test('while no proxy is named, whoever connects is who asks, whatever the headers say', async () => {
  const spoofed = { 'X-Forwarded-For': '203.0.113.9', Forwarded: 'for=203.0.113.9', 'X-Real-IP': '203.0.113.9' };
  assert.equal(await namedFor('127.0.0.9', workstation.url, spoofed), '127.0.0.9');
  assert.equal(await namedFor('127.0.0.9', edge.url), '127.0.0.3');
});

test('of a named proxy the person before it is known, of a chain as far as it is named', async () => {
  await trust(['127.0.0.3']);
  assert.equal(await namedFor('127.0.0.9', inner.url), '127.0.0.9');
  assert.equal(await namedFor('127.0.0.9', edge.url), '127.0.0.2', 'the edge is not named: it is who asks');
  await trust(['127.0.0.2/31']);
  assert.equal(await namedFor('127.0.0.9', edge.url), '127.0.0.9');
  await trust(null);
});

test('what the person made up before the first proxy is overlooked, in one line or several', async () => {
  await trust(['127.0.0.2', '127.0.0.3']);
  for (const made of [['203.0.113.9'], ['127.0.0.2'], ['203.0.113.9', '127.0.0.3'], ['nonsense, , ::'], ['']]) {
    assert.equal(await namedFor('127.0.0.9', edge.url, { 'X-Forwarded-For': made }), '127.0.0.9', String(made));
  }
  const made = { 'X-Forwarded-For': '203.0.113.9, 127.0.0.2', Forwarded: 'for=203.0.113.9' };
  assert.equal(await namedFor('127.0.0.9', workstation.url, made), '127.0.0.9', 'past the proxies nobody is believed');
  await trust(null);
});

test('a named proxy that says nothing useful is who asks', async () => {
  await trust(['127.0.0.3']);
  for (const told of ['unknown', '', '203.0.113.9, _hidden']) {
    assert.equal(await namedFor('127.0.0.3', workstation.url, { 'X-Forwarded-For': told }), '127.0.0.3', told);
  }
  const told = { 'X-Forwarded-For': '[2001:db8::7]:4711' };
  assert.match(await namedFor('127.0.0.3', workstation.url, told), /^2001:db8/);
  await trust(null);
});

test('guesses of one person behind a proxy keep nobody else behind it out', async () => {
  await trust(['127.0.0.2', '127.0.0.3']);
  const json = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ login_code: 'a guess' });
  const guess = async (from: string) =>
    (await send(from, `${edge.url}/session/`, { method: 'POST', headers: json, body })).status;
  for (let count = 0; count < 10; count++) assert.equal(await guess('127.0.0.20'), 401);
  assert.equal(await guess('127.0.0.20'), 429);
  assert.equal(await guess('127.0.0.21'), 401);
  await trust(null);
});

test('links begin with the scheme that a named proxy, or one on this machine, was asked by', async () => {
  const linked = async (url: string, headers: object = {}) =>
    JSON.parse((await send('127.0.0.9', `${url}/`, { headers })).text).apks.split(':')[0];
  assert.equal(await linked(edge.url), 'https');
  assert.equal(await linked(inner.url), 'http');
  await trust(['127.0.0.2', '127.0.0.3']);
  assert.equal(await linked(edge.url), 'https');
  assert.equal(await linked(inner.url), 'http');
  assert.equal(await linked(inner.url, { 'X-Forwarded-Proto': 'https, http' }), 'http', 'the last is the inner one’s');
  await trust(null);
});

test('only addresses and networks can be named', async () => {
  for (const wrong of ['proxy.example', '10.0.0.0/33', '127.0.0.1:80', '', '*', '10.0.0/8']) {
    const { status, body } = await trust([wrong]);
    assert.equal(status, 400, wrong);
    assert.ok(Object.keys(body)[0]!.startsWith('trusted_proxies'), wrong);
  }
  for (const right of ['10.0.0.0/8', '::1', 'fd00::/8', '192.168.1.1'])
    assert.equal((await trust([right])).status, 200);
  await trust(null);
});
