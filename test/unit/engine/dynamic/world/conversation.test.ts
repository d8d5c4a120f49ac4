import assert from 'node:assert/strict';
import { test } from 'node:test';
import { javaModels } from '../../../../../server/engine/dynamic/java/models.ts';
import { createMachine } from '../../../../../server/engine/dynamic/machine/machine.ts';
import { Conversation } from '../../../../../server/engine/dynamic/world/conversation.ts';
import { Internet } from '../../../../../server/engine/dynamic/world/internet.ts';

function talk() {
  const machine = createMachine({ dexFiles: [], models: [javaModels] });
  const plan = { internet: new Internet(), host: 'h.example.org', port: 4444 };
  const conversation = new Conversation({ ...plan, remoteAddress: '203.0.113.5', localPort: 40_000 });
  return {
    send: (text: string) => conversation.send(machine, Buffer.from(text, 'latin1'), 0),
    receive: () => {
      const received = conversation.receive(machine, 1_000);
      return received === null ? null : Buffer.from(received.data).toString();
    },
  };
}

test('an app that speaks in lines is answered in lines, once its line is at its end', () => {
  const { send, receive } = talk();
  send('hello ');
  send('there\n');
  assert.equal(receive(), 'hello\n');
});

test('what is no text, and a line without its end, are taken silently, after which the server hangs up', () => {
  for (const words of [['\x00\xff\n'], ['\x01', 'and a line\n'], ['half a line'], ['\n']]) {
    const { send, receive } = talk();
    for (const each of words) send(each);
    assert.equal(receive(), null);
  }
});

test('an app that reads on and on makes nobody look at what it sent each time', () => {
  const { send, receive } = talk();
  send(`\x00${'a'.repeat(900_000)}\n`);
  const before = process.cpuUsage().user;
  for (let round = 0; round < 5_000; round++) receive();
  assert.ok(process.cpuUsage().user - before < 1_000_000);
});
