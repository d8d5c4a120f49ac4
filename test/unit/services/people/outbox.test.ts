import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Outbox, singleLine } from '../../../../server/services/people/outbox.ts';
import type { Store } from '../../../../server/store/store.ts';
import { startMailServer } from '../../../fixtures/mail-server.ts';
import { openScratch, scratchFolder } from '../../store/scratch-store.ts';

const logged: { message: string; details: object }[] = [];
const log = { error: (details: object, message: string) => void logged.push({ details, message }) };
const folder = scratchFolder();
let store: Store = await openScratch(folder);
after(() => store.close());
const { id: accountId } = await store.transaction(({ accounts }) =>
  accounts.insert({ username: 'ada', role: 'owner', apiGroup: 'workstation' }),
);
/** Microseconds. */
let now = Date.now() * 1000 + 1_000_000_000;
const minute = 60_000_000;

const email = { recipient: 'ada@example.org', subject: 'Hello', body: 'Words.\n' };
const put = (outbox: Outbox, mail = email) => store.transaction((inside) => outbox.add(accountId, mail, inside));
const configure = async (settings: Record<string, unknown>) => {
  for (const [key, value] of Object.entries(settings))
    await store.transaction(({ settings }) => settings.write(key, value));
};
const waiting = () => store.emails.due(Number.MAX_SAFE_INTEGER, 100, Number.MAX_SAFE_INTEGER);

test('without a mail server in the settings, or an address, nothing is kept', async () => {
  const outbox = new Outbox(store, log, () => now);
  await put(outbox);
  await configure({ smtp_host: '127.0.0.1', smtp_port: 1 });
  await put(outbox, { ...email, recipient: '' });
  assert.deepEqual(await waiting(), []);
});

test('an e-mail is sent to the server of the settings, with its log-in and its sender, and then forgotten', async () => {
  const server = await startMailServer();
  const outbox = new Outbox(store, log, () => now);
  await configure({
    smtp_port: server.port,
    smtp_user: 'lab',
    smtp_password: 'right',
    smtp_from: 'Lab <lab@example.org>',
  });
  await put(outbox);
  await outbox.deliver();
  const [mail] = server.received;
  assert.equal(mail!.from, 'lab@example.org');
  assert.deepEqual(mail!.to, ['ada@example.org']);
  assert.equal(mail!.user, 'lab');
  assert.match(mail!.message, /^From: Lab <lab@example\.org>\r\nTo: ada@example\.org\r\nSubject: Hello\r\n/m);
  assert.match(mail!.message, /\r\nContent-Type: text\/plain; charset=utf-8\r\n/);
  assert.deepEqual(await waiting(), []);
  await outbox.deliver();
  assert.equal(server.received.length, 1);
  await server.close();
});

test('what the server does not take is tried again, later and later, over a restart too, under the same id', async () => {
  let refuse = true;
  const server = await startMailServer({
    onRcptTo: (_address, _session, callback) =>
      refuse ? callback(Object.assign(new Error('Try later'), { responseCode: 451 })) : callback(),
  });
  const first = new Outbox(store, log, () => now);
  await configure({ smtp_port: server.port });
  await put(first);
  const { messageId } = (await waiting())[0]!;
  await first.deliver();
  assert.equal((await waiting())[0]!.nextAttemptAt, now + minute);
  await first.deliver();
  assert.equal((await waiting())[0]!.attempts, 1, 'not before its time');
  now += minute;
  await first.deliver();
  assert.equal((await waiting())[0]!.nextAttemptAt, now + 2 * minute);
  assert.match((await waiting())[0]!.lastError!, /Try later/);
  await first.close();
  await store.close();
  store = await openScratch(folder);
  refuse = false;
  now += 2 * minute;
  await new Outbox(store, log, () => now).deliver();
  assert.equal(server.received.length, 1);
  assert.ok(server.received[0]!.message.includes(`Message-ID: ${messageId}`));
  assert.deepEqual(await waiting(), []);
  await server.close();
});

test('an unreachable server and a wrong password leave the e-mail waiting, an unknown recipient ends it', async () => {
  const server = await startMailServer({
    onRcptTo: (_address, _session, callback) =>
      callback(Object.assign(new Error('No such user'), { responseCode: 550 })),
  });
  const outbox = new Outbox(store, log, () => now);
  await put(outbox);
  await configure({ smtp_port: 1 });
  await outbox.deliver();
  assert.equal((await waiting())[0]!.attempts, 1);
  now += minute;
  await configure({ smtp_port: server.port, smtp_password: 'wrong' });
  await outbox.deliver();
  assert.equal((await waiting())[0]!.attempts, 2);
  now += 2 * minute;
  await configure({ smtp_password: 'right' });
  await outbox.deliver();
  assert.deepEqual(await waiting(), []);
  assert.equal(logged.at(-1)!.message, 'an e-mail was given up');
  await server.close();
});

test('a server that never takes an e-mail is given up after some attempts', async () => {
  const outbox = new Outbox(store, log, () => now);
  await configure({ smtp_port: 1 });
  await put(outbox);
  const began = now;
  let attempts = 0;
  for (let left = await waiting(); left.length > 0; left = await waiting()) {
    now = Math.max(now, left[0]!.nextAttemptAt);
    await outbox.deliver();
    attempts += 1;
  }
  assert.equal(attempts, 12);
  assert.ok(now - began > 20 * 60 * minute && now - began < 48 * 60 * minute);
});

test('a hostile name in a subject adds no header and hides nothing', async () => {
  const server = await startMailServer();
  const outbox = new Outbox(store, log, () => now);
  await configure({ smtp_port: server.port });
  const subject = 'App\r\nBcc: eve@example.org\r\n\r\n<script>\u202Egpj.exe\u0000\u2028';
  await put(outbox, { ...email, subject, body: '.\r\nMAIL FROM:<eve@example.org>\r\n.\r\n' });
  await outbox.deliver();
  assert.equal(server.received.length, 1);
  const { message, to } = server.received[0]!;
  assert.deepEqual(to, ['ada@example.org']);
  const headers = message.slice(0, message.indexOf('\r\n\r\n'));
  assert.doesNotMatch(headers, /^Bcc:/im);
  assert.match(headers.replace(/\r\n\s+/g, ' '), /^Subject: App Bcc: eve@example\.org <script> gpj\.exe$/m);
  await server.close();
});

test('a line for a header has no control, format or separator character and an end', () => {
  assert.equal(singleLine(' a\r\n\tb\u200Bc\u0085\u2029 '), 'a b c');
  assert.equal(singleLine('\uD800x'), 'x');
  assert.equal([...singleLine('😀'.repeat(500), 10)].length, 10);
});
