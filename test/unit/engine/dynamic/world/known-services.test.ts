import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Internet } from '../../../../../server/engine/dynamic/world/internet.ts';

function answerOf(internet: Internet, host: string, path: string): string {
  const request = {
    scheme: 'https' as const,
    host,
    port: 443,
    path,
    method: 'GET',
    headers: [],
    body: new Uint8Array(0),
  };
  return Buffer.from(internet.answer(request).body).toString();
}

test('a bot of Telegram is written to by somebody, and what it says arrives', () => {
  const internet = new Internet();
  const { ok, result } = JSON.parse(answerOf(internet, 'api.telegram.org', '/bot1:a/getUpdates?offset=3'));
  assert.equal(ok, true);
  assert.equal(result[0].message.text, 'hello');
  assert.equal(typeof result[0].message.chat.id, 'number');
  assert.equal(JSON.parse(answerOf(internet, 'api.telegram.org', '/bot1:a/sendMessage')).result.from.is_bot, true);
});

test('what an app looks for beside what a known service says is there as well', () => {
  const internet = new Internet();
  internet.readAsJson(answerOf(internet, 'ip-api.com', '/json'), 'object');
  internet.json.missed('verdict', 'number');
  const found = JSON.parse(answerOf(internet, 'ip-api.com', '/json'));
  assert.deepEqual([found.countryCode, found.verdict], ['DE', 1]);
});

test('services that tell a phone its address agree about it', () => {
  const internet = new Internet();
  const address = answerOf(internet, 'api.ipify.org', '/');
  assert.match(address, /^\d+(\.\d+){3}$/);
  assert.equal(JSON.parse(answerOf(internet, 'api.ipify.org', '/?format=json')).ip, address);
  assert.equal(JSON.parse(answerOf(internet, 'ipinfo.io', '/json')).ip, address);
});
