import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  phone,
  systemFiles,
  systemProperties,
  withLuhnDigit,
} from '../../../../../server/engine/dynamic/world/device.ts';
import { Internet, parseHttpRequest } from '../../../../../server/engine/dynamic/world/internet.ts';
import { Prompts } from '../../../../../server/engine/dynamic/world/prompts.ts';

const passesLuhn = (digits: string): boolean => withLuhnDigit(digits.slice(0, -1)) === digits;

test('the numbers of phone and SIM have valid check digits', () => {
  // 49015420323751 with its check digit 8 is the example of 3GPP TS 23.003, annex B.
  assert.equal(withLuhnDigit('49015420323751'), '490154203237518');
  assert.ok(passesLuhn(phone.imei));
  assert.ok(passesLuhn(phone.iccid));
  assert.ok(phone.imsi.startsWith(phone.networkOperator));
});

test('nothing of an emulator shows', () => {
  const everything = JSON.stringify([phone, systemProperties, systemFiles]).toLowerCase();
  for (const mark of ['goldfish', 'qemu', 'generic', 'ranchu', 'vbox', 'genymotion', 'sdk_gphone', '15555215554']) {
    assert.ok(!everything.includes(mark), mark);
  }
});

test('a name has the same public address every time, and the address its name', () => {
  const internet = new Internet();
  const address = internet.resolve('c2.example.org');
  assert.equal(new Internet().resolve('C2.example.org'), address);
  assert.equal(internet.nameOf(address), 'c2.example.org');
  assert.equal(internet.resolve('10.0.0.7'), '10.0.0.7');
  assert.notEqual(internet.resolve('other.example.org'), address);
});

test('configured answers come before the plausible ones', () => {
  const internet = new Internet([{ host: '.example.org', path: '/gate', status: 403, body: 'no' }]);
  const ask = (host: string, path: string) =>
    internet.answer({ scheme: 'http', host, port: 80, path, method: 'GET', headers: [], body: new Uint8Array(0) });
  assert.equal(ask('a.example.org', '/gate.php').status, 403);
  assert.equal(ask('a.example.org', '/').status, 200);
  assert.equal(JSON.parse(Buffer.from(ask('b.example.com', '/api/tasks').body).toString()).status, 'ok');
  assert.equal(ask('www.example.com', '/generate_204').status, 204);
});

test('a page that an app reads as JSON is JSON the next time, with the names that it has missed', () => {
  const internet = new Internet();
  const ask = () =>
    internet
      .answer({
        scheme: 'http',
        host: 'a.example.org',
        port: 80,
        path: '/p?n=1',
        method: 'GET',
        headers: [],
        body: new Uint8Array(0),
      })
      .body.toString();
  internet.readAsJson(ask().replaceAll('\n', ''), 'list');
  assert.ok(Array.isArray(JSON.parse(ask())));
  internet.json.missed('cmd', 'text');
  internet.json.missed('link', 'text');
  internet.json.missed('steps', 'list');
  const [first] = JSON.parse(ask()) as { cmd: string; link: string; steps: unknown[] }[];
  assert.equal(first?.cmd, 'ok');
  assert.ok(first.link.startsWith('http://'));
  assert.equal(first.steps.length, 1);
});

test('answers of simulated servers stay small, however many names an app looks for in vain', () => {
  const internet = new Internet();
  for (let index = 0; index < 1_000; index++) internet.json.missed(`list ${index}`, 'list');
  const values = Array.from({ length: 17 }, (_, index) => `order ${index}`);
  assert.ok(JSON.stringify(internet.json.answer('object', values, 'ok')).length < 100_000);
});

test('they stay small, too, where their texts are read as JSON again, and names and texts are long', () => {
  const prompts = new Prompts();
  const internet = new Internet([], prompts);
  prompts.tell('ok');
  for (let index = 0; index < 16; index++) prompts.compared('ok', `${'order '.repeat(30)}${index}`);
  for (let index = 0; index < 24; index++) {
    internet.json.missed(`${'name'.repeat(45)}${index}`, index < 3 ? 'list' : index < 6 ? 'object' : 'text');
  }
  internet.json.read('a.example.org/p', 'list');
  internet.json.read('texts of a.example.org/p', 'object');
  const request = { scheme: 'http', host: 'a.example.org', port: 80, path: '/p', method: 'GET', headers: [] } as const;
  assert.ok(internet.answer({ ...request, body: new Uint8Array(0) }).body.length < 200_000);
});

test('a request over a plain socket is read once it is whole', () => {
  const whole = 'POST /x HTTP/1.1\r\nHost: a.example.org\r\nContent-Length: 3\r\n\r\nabc';
  assert.equal(parseHttpRequest(Buffer.from(whole.slice(0, -1)), 'a', 80), null);
  const request = parseHttpRequest(Buffer.from(whole), '1.2.3.4', 80);
  assert.equal(request?.host, 'a.example.org');
  assert.equal(Buffer.from(request!.body).toString(), 'abc');
  assert.equal(parseHttpRequest(Buffer.from('\u0000\u0001 binary'), 'a', 4444), null);
});

test('a list that is asked for page by page comes to an end, and is there again after it', () => {
  const internet = new Internet();
  const page = (number: number): unknown[] => {
    const path = `/list.json?page=${number}`;
    const body = new Uint8Array(0);
    const request = { scheme: 'http' as const, host: 'h.example', port: 80, path, method: 'GET', headers: [], body };
    return JSON.parse(Buffer.from(internet.answer(request).body).toString());
  };
  internet.json.read('h.example/list.json', 'list');
  const lengths = Array.from({ length: 13 }, (_, number) => page(number).length);
  assert.equal(lengths.indexOf(0), 11);
  assert.ok(lengths[12]! > 0);
  for (let number = 20; number < 31; number++) page(number);
  assert.ok(page(30).length > 0);
});

test('who sends JSON or asks for it is answered in JSON', () => {
  const typeFor = (headers: readonly (readonly [string, string])[], body = '') =>
    new Internet()
      .answer({
        ...{ scheme: 'http', host: 'node.example.org', port: 8332, path: '/' },
        ...{ method: 'POST', headers, body: Buffer.from(body) },
      })
      .headers.find(([name]) => name === 'Content-Type')?.[1];
  assert.match(typeFor([], '{"method":"getinfo"}')!, /json/);
  assert.match(typeFor([['accept', 'application/json']])!, /json/);
  assert.match(typeFor([['Accept', 'text/html']], 'a=1')!, /html/);
});
