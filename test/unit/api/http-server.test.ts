// The HTTP server by itself: connections that break off, that are closed on one side, and its own end.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, createServer, get, type RequestListener, Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Connections } from '../../../server/api/connections.ts';
import { type HttpServer, listen } from '../../../server/api/http-server.ts';

/** Answers `/slow` after what any client waits for that has closed its side, everything else soon. */
const answerLate: RequestListener = (request, response) => {
  if (request.url === '/slow')
    response.once('close', () => gone.push(response.writableFinished ? 'answered' : 'given up'));
  setTimeout(() => response.end(`answer to ${request.url}`), request.url === '/slow' ? 3_000 : 100);
};
const gone: string[] = [];

let server: HttpServer;
before(async () => {
  server = await listen(answerLate, '127.0.0.1', 0);
});
after(() => server.close());

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(5);
}

/** Sends the bytes, closes its side, and reads until the server closes the other. */
async function sendAndClose(bytes: string): Promise<string> {
  const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.end(bytes);
  await once(socket, 'close');
  return received;
}

test('whoever closes his side of the connection behind a request still reads the answer', async () => {
  for (const head of [
    'GET / HTTP/1.0\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\n',
  ]) {
    assert.match(await sendAndClose(`${head}\r\n`), /^HTTP\/1\.1 200 .*answer to \/$/s);
  }
});

test('what takes long is given up where the client has left as browsers do, and not behind his last request', async () => {
  const left = await sendAndClose('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
  const waited = await sendAndClose('GET /slow HTTP/1.0\r\n\r\n');
  assert.deepEqual({ left, gone }, { left: '', gone: ['given up', 'answered'] });
  assert.match(waited, /answer to \/slow$/);
});

test('requests sent behind each other on a connection begin one after the other', async () => {
  const begun: string[] = [];
  const answers: (() => void)[] = [];
  const other = await listen(
    (request, response) => {
      begun.push(request.url!);
      answers.push(() => response.end(request.url));
    },
    '127.0.0.1',
    0,
  );
  const socket = connect(other.port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.write(['/1', '/2', '/3'].map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
  for (let count = 1; count <= 3; count++) {
    await until(() => begun.length >= count);
    // Time for the next one to begin wrongly.
    await wait(50);
    assert.equal(begun.length, count);
    answers.shift()!();
  }
  await until(() => received.endsWith('/3'));
  assert.deepEqual(begun, ['/1', '/2', '/3']);
  assert.deepEqual(received.match(/\/\d$|\/\d(?=HTTP)/g), ['/1', '/2', '/3']);
  socket.destroy();
  await other.close();
});

test('of too many connections the longest silent one makes room, and none that waits for its answer', async (t) => {
  const answers: (() => void)[] = [];
  const connections = new Connections((request, response) => {
    answers.push(() => response.end(`answer to ${request.url}`));
  }, 3);
  const bounded = createServer(connections.take).listen(0, '127.0.0.1');
  connections.bound(bounded);
  t.after(() => bounded.close());
  await once(bounded, 'listening');
  const { port } = bounded.address() as AddressInfo;
  const ended: string[] = [];
  const open = async (name: string) => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.on('close', () => ended.push(name));
    t.after(() => socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  const asking = await open('asking');
  asking.write('GET /first HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => answers.length > 0);
  for (const name of ['silent', 'silent too', 'third', 'fourth']) await open(name);
  await until(() => ended.length === 2);
  answers[0]!();
  const [answer] = (await once(asking, 'data')) as [Buffer];
  assert.match(answer.toString(), /answer to \/first$/);
  assert.deepEqual(ended, ['silent', 'silent too']);
  // Silent for less long than the others by now.
  await open('fifth');
  await until(() => ended.length === 3);
  assert.deepEqual(ended, ['silent', 'silent too', 'third']);
});

test('a request that breaks off is told so, and what is wrong with any other', async () => {
  const refused = async (bytes: string) => JSON.parse((await sendAndClose(bytes)).split('\r\n\r\n')[1]!).detail;
  assert.equal(await refused('GET /cut HT'), 'Malformed request: it ended before it was whole.');
  assert.equal(
    await refused('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 30\r\n\r\nabc'),
    'Malformed request: it ended before it was whole.',
  );
  assert.match(
    await refused('GET / HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n'),
    /^Malformed request: Invalid header value/,
  );
});

test('the server ends with the last answer, and cuts off none of the connections that are left', async (t) => {
  const asked = Promise.withResolvers<void>();
  const other = await listen(
    (request, response) => {
      asked.resolve();
      answerLate(request, response);
    },
    '127.0.0.1',
    0,
  );
  const agent = new Agent({ keepAlive: true });
  const answered = new Promise<void>((resolve, reject) => {
    get(`${other.url}/`, { agent }, (response) => response.resume().once('end', resolve)).once('error', reject);
  });
  await asked.promise;
  const cutOff = t.mock.method(Server.prototype, 'closeAllConnections');
  await Promise.all([other.close(), answered]);
  assert.equal(cutOff.mock.callCount(), 0);
  agent.destroy();
});
