import assert from 'node:assert/strict';
import { test } from 'node:test';
import { javaModels } from '../../../../../server/engine/dynamic/java/models.ts';
import { createMachine } from '../../../../../server/engine/dynamic/machine/machine.ts';
import { recorderOf } from '../../../../../server/engine/dynamic/report/recorder.ts';
import { Conversation } from '../../../../../server/engine/dynamic/world/conversation.ts';
import { Internet } from '../../../../../server/engine/dynamic/world/internet.ts';

function talk() {
  const machine = createMachine({ dexFiles: [], models: [javaModels] });
  const plan = { internet: new Internet(), host: 'h.example.org', port: 4444 };
  const conversation = new Conversation({ ...plan, remoteAddress: '203.0.113.5', localPort: 40_000 });
  return {
    send: (text: string) => conversation.send(machine, Buffer.from(text, 'latin1'), 0),
    receive: (maximum = 1_000) => {
      const received = conversation.receive(machine, maximum);
      return received === null ? null : Buffer.from(received.data).toString('latin1');
    },
    close: () => conversation.close(machine),
    sent: () => recorderOf(machine).notes.sendnet.map(({ data }) => Buffer.from(data).toString('latin1')),
  };
}

/** A conversation in frames of a WebSocket, whose opening and first message were read. */
function talkInFrames() {
  const talking = talk();
  talking.send('GET /live HTTP/1.1\r\nUpgrade: websocket\r\nSec-WebSocket-Key: a\r\n\r\n');
  assert.match(talking.receive()!, /^HTTP\/1\.1 101 .*\x81\x05hello$/s);
  return talking;
}

test('an app that speaks in lines is answered in lines, once its line is at its end', () => {
  const { send, receive } = talk();
  send('hello ');
  send('there\n');
  assert.equal(receive(), 'hello\n');
});

test('a server answers nothing to binary data and to a line without an end, and then closes the connection', () => {
  for (const words of [['\x00\xff\n'], ['\x01', 'and a line\n'], ['half a line'], ['\n']]) {
    const { send, receive } = talk();
    for (const each of words) send(each);
    assert.equal(receive(), null);
  }
});

test('what an app has sent is not parsed again at each of its reads', () => {
  const { send, receive } = talk();
  send(`\x00${'a'.repeat(900_000)}\n`);
  const before = process.cpuUsage().user;
  for (let round = 0; round < 5_000; round++) receive();
  assert.ok(process.cpuUsage().user - before < 1_000_000);
});

test('pings of a WebSocket come back, however many are sent at once', () => {
  const { send, receive } = talkInFrames();
  send('\x89\x00'.repeat(500_000));
  assert.equal(receive(2_000_000), '\x8a\x00'.repeat(500_000));
});

test('a server sends a bounded amount to an app that reads nothing', () => {
  const { send, receive } = talkInFrames();
  for (let round = 0; round < 20; round++) send(`\x89\x7f\0\0\0\0\0\x01\x86\xa0${'a'.repeat(100_000)}`);
  let length = 0;
  for (let said = receive(); said !== null; said = receive()) length += said.length;
  assert.equal(length, 10 * 100_010);
});

test('what an app sends in frames that never end is reported as it was sent', () => {
  const { send, receive, close, sent } = talkInFrames();
  send('\x81\x7f\0\0\0\0\x7f\0\0\0secret\n');
  assert.equal(receive(), null);
  send('a'.repeat(1 << 20));
  close();
  assert.deepEqual(
    sent()
      .slice(1)
      .map((each) => each.slice(-7)),
    ['aaaaaaa', 'secret\n'],
  );
});
