import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { listen } from '../../../server/api/http-server.ts';
import { RequestLine } from '../../../server/api/request-line.ts';

function work(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}
const request = (url: string, destroyed = false) => ({ url, socket: { destroyed } }) as unknown as IncomingMessage;
const response = () => new EventEmitter() as ServerResponse;

test('requests begin in the order in which they came, and others have their turn in between', async () => {
  const begun: string[] = [];
  const line = new RequestLine(({ url }) => {
    begun.push(url!);
    work(3);
  });
  const names = Array.from({ length: 12 }, (_, at) => `/${at}`);
  for (const name of names.slice(0, 8)) line.enter(request(name), response());
  await nextTurn();
  const first = begun.length;
  assert.ok(first >= 1 && first < 8, `${first} at once`);
  for (const name of names.slice(8)) line.enter(request(name), response());
  while (begun.length < names.length) await nextTurn();
  assert.deepEqual(begun, names);
});

test('while clients connect one request begins in each turn', async () => {
  let begun = 0;
  const line = new RequestLine(() => {
    begun += 1;
  });
  for (let at = 0; at < 3; at++) line.enter(request(`/${at}`), response());
  line.noteConnection();
  await nextTurn();
  assert.equal(begun, 1);
  await nextTurn();
  await nextTurn();
  assert.equal(begun, 3);
});

test('a request whose connection is broken does not begin', async () => {
  const begun: string[] = [];
  const line = new RequestLine(({ url }) => void begun.push(url!));
  line.enter(request('/gone', true), response());
  line.enter(request('/there'), response());
  while (begun.length === 0) await nextTurn();
  assert.deepEqual(begun, ['/there']);
});

test('of a crowd a few are under way at a time, and each that is over lets in the next', async () => {
  const answers: ServerResponse[] = [];
  const line = new RequestLine((_request, answer) => void answers.push(answer));
  for (let at = 0; at < 40; at++) line.enter(request(`/${at}`), response());
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  const first = answers.length;
  assert.ok(first > 1 && first < 40, `${first} at once`);
  answers[0]!.emit('close');
  await nextTurn();
  await nextTurn();
  assert.equal(answers.length, first + 1);
  for (let at = 1; answers.length < 40; at++) {
    answers[at]!.emit('close');
    await nextTurn();
  }
});

test('requests that never end do not hold up the others for ever', async () => {
  const begun: string[] = [];
  const line = new RequestLine(({ url }) => void begun.push(url!));
  for (let at = 0; at < 60; at++) line.enter(request(`/stream/${at}`), response());
  line.enter(request('/short'), response());
  while (!begun.includes('/short')) await pause(5);
});

test('all of a crowd are connected before the first ones are served again and again', async () => {
  const clients = 100;
  const server = await listen(
    (_request, answer) => {
      work(1);
      answer.end('done');
    },
    '127.0.0.1',
    0,
  );
  const sockets: Socket[] = [];
  let rounds = 0;
  // Each asks again as soon as it has its answer, so that the server is never idle.
  const firstAnswers = Array.from({ length: clients }, () => {
    const socket = connect(server.port, '127.0.0.1');
    sockets.push(socket);
    return new Promise<number>((resolve) => {
      const ask = () => socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
      socket.on('connect', ask);
      socket.on('data', () => {
        rounds += 1;
        resolve(rounds);
        ask();
      });
    });
  });
  const answered = await Promise.all(firstAnswers);
  for (const socket of sockets) socket.destroy();
  await server.close();
  const last = Math.max(...answered);
  assert.ok(last < clients * 4, `${last} answers were given before every client had one`);
});
