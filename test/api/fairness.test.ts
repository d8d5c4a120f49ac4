// What one caller does to the others: slow uploads, heavy questions, heavy checks. Over real sockets, told by states and counts.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
let colleague: string;
let eager: string;
before(async () => {
  workstation = await startWorkstation({ onUpload: [] });
  colleague = await workstation.analyst('colleague');
  eager = await workstation.analyst('eager', 'gold');
});
after(() => workstation[Symbol.asyncDispose]());

/** The same app with another comment of the archive. */
function variantOf(mark: string): Buffer {
  const bytes = readFileSync(realApks.unlock);
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  bytes.writeUInt16LE(mark.length, end + 20);
  return Buffer.concat([bytes.subarray(0, end + 22), Buffer.from(mark)]);
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(10);
}

interface SlowUpload {
  outgoing: ClientRequest;
  /** null: it is under way. */
  answer: { status: number; retryAfter: string | undefined } | null;
}

/** An upload of which the beginning is sent, and nothing more. */
function beginSlowly(address: string, headers: Record<string, string> = {}): SlowUpload {
  const upload: SlowUpload = { outgoing: null as unknown as ClientRequest, answer: null };
  upload.outgoing = httpRequest(address, { method: 'PUT', agent: false, headers }, (response: IncomingMessage) => {
    upload.answer = { status: response.statusCode!, retryAfter: response.headers['retry-after'] };
    response.resume();
  });
  upload.outgoing.on('error', () => undefined);
  upload.outgoing.write('PK');
  return upload;
}

test('64 slow uploads of callers without a token leave places to people with one, who get in at once', async () => {
  const link = (await workstation.ask(`/apks/${'a'.repeat(64)}/get_upload_url/`, { token: null })).body.upload_url;
  const slow = Array.from({ length: 64 }, () => beginSlowly(link));
  const refused = () => slow.flatMap(({ answer }) => answer ?? []);
  await until(() => refused().length === 40);
  assert.deepEqual(new Set(refused().map(({ status, retryAfter }) => `${status} ${retryAfter}`)), new Set(['503 5']));
  assert.equal((await workstation.upload(realApks.unlock)).status, 201);
  const own = await workstation.upload(variantOf('own'), { token: colleague });
  assert.equal(own.status, 201);
  assert.equal(slow.filter(({ answer }) => answer === null).length, 24, 'the slow ones are still there');
  for (const { outgoing } of slow) outgoing.destroy();
});

test('an account that fills all of its places for uploads leaves some to the next one, and to itself when one ends', async () => {
  const slow = Array.from({ length: 40 }, () =>
    beginSlowly(`${workstation.url}/uploads/`, { authorization: `Token ${eager}` }),
  );
  await until(() => slow.filter(({ answer }) => answer !== null).length === 8);
  const own = await workstation.upload(variantOf('beside'), { token: colleague });
  assert.equal(own.status, 201);
  const refused = await workstation.upload(variantOf('too many'), { token: eager });
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '5']);
  for (const { outgoing } of slow) outgoing.destroy();
  for (;;) {
    const again = await workstation.upload(variantOf('too many'), { token: eager });
    if (again.status === 201) break;
    assert.equal(again.status, 503);
    await sleep(20);
  }
});

/** More than all workers can have begun with before somebody else's comes. */
const many = 8;
/** Of these so many may be done by then, whichever worker starts first. */
const mostBefore = 5;

/** Rules that take a second to compile. */
const heavyRules = (mark: number) =>
  Array.from(
    { length: 4000 },
    (_, index) =>
      `rule heavy_${mark}_${index} { strings: $a = /m${mark}_${index}(a|b|c){1,200}[0-9a-f]{1,250}z/ $b = "text ${index}" wide ascii nocase condition: any of them }`,
  ).join('\n');

test("eight heavy checks of rules do not keep a colleague's check waiting", async () => {
  const check = async (token: string, rules: string) =>
    (await workstation.ask('/rulesets/validate/', { method: 'POST', token, json: { rules } })).body;
  let answered = 0;
  const heavy = Array.from({ length: many }, (_, index) => check(eager, heavyRules(index)).then(() => (answered += 1)));
  const own = await check(colleague, 'rule own { condition: true }');
  assert.deepEqual([own.is_valid, own.rules_count], [true, 1]);
  assert.ok(answered <= mostBefore, `${answered} of ${many} were answered before`);
  await Promise.all(heavy);
});

test("eight heavy searches of an APK are answered, and a colleague's question meanwhile", async () => {
  const { body: apk } = await workstation.upload(realApks.apiDemos);
  const search = (token: string, query: Record<string, string>) =>
    workstation.ask(`/apks/${apk.sha256}/code/search/?${new URLSearchParams(query)}`, { token });
  let answered = 0;
  const heavy = Array.from({ length: many }, async (_, index) => {
    const answer = await search(eager, { q: `^(.*a){${20 + index}}$`, regex: 'true' });
    answered += 1;
    return answer.status;
  });
  const own = await search(colleague, { q: 'demos' });
  assert.deepEqual([own.status, own.body.count > 0], [200, true]);
  assert.ok(answered <= mostBefore, `${answered} of ${many} were answered before`);
  assert.deepEqual(new Set(await Promise.all(heavy)), new Set([200]));
});

test('a pattern that no engine could search in linear time is refused with the reason', async () => {
  const { body: apk } = await workstation.upload(realApks.unlock);
  for (const [q, reason] of [
    ['(?=.*a)b', /looking ahead/],
    ['(a+)\\1', /references back/],
    ['a{1001}', /more than 1,000 times/],
    ['((ab?c){30}){30}', /too large/],
  ] as const) {
    const query = new URLSearchParams({ q, regex: 'true' });
    const { status, body } = await workstation.ask(`/apks/${apk.sha256}/code/search/?${query}`);
    assert.equal(status, 400);
    assert.match(body.q[0], reason);
  }
});
