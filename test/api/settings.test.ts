import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { limitTableSchema, settingsSchema } from '../../server/contract/workstation/settings.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
before(async () => {
  workstation = await startWorkstation();
});
after(() => workstation[Symbol.asyncDispose]());

const change = (path: string, json: object) => workstation.ask(path, { method: 'PATCH', json });

test('the owner reads and changes settings, what is absent keeps its value, null is the default', async () => {
  const before = settingsSchema.strict().parse((await workstation.ask('/settings/')).body);
  assert.equal(before.anonymous_upload, true);
  const changed = await change('/settings/', { anonymous_upload: false, smtp_host: 'mail.example.org' });
  assert.equal(changed.status, 200, changed.text);
  assert.deepEqual(changed.body, { ...before, anonymous_upload: false, smtp_host: 'mail.example.org' });
  const back = await change('/settings/', { anonymous_upload: null, smtp_host: null });
  assert.deepEqual(back.body, before);
});

test('the password of the mail server can be set and is never shown', async () => {
  const set = await change('/settings/', { smtp_password: 'hidden words' });
  assert.equal(set.body.is_smtp_password_set, true);
  assert.doesNotMatch(set.text, /hidden words/);
  const again = await workstation.ask('/settings/', { method: 'PUT', json: set.body });
  assert.equal(again.body.is_smtp_password_set, true, 'a record sent back as it came keeps the password');
  assert.equal((await change('/settings/', { smtp_password: '' })).body.is_smtp_password_set, false);
});

test('a setting out of its range is a field error, and nothing of the request is kept', async () => {
  const cases: [string, unknown][] = [
    ['smtp_port', 70_000],
    ['smtp_port', 'many'],
    ['upload_max_bytes', 0],
    ['public_url', 'ftp://x'],
    ['public_url', 'nowhere'],
    ['smtp_from', 'a@b\r\nBcc: c@d'],
    ['smtp_host', 'a b'],
    ['anonymous_upload', 'perhaps'],
  ];
  for (const [name, value] of cases) {
    const wrong = await change('/settings/', { [name]: value, smtp_user: 'kept?' });
    assert.equal(wrong.status, 400, name);
    assert.deepEqual(Object.keys(wrong.body), [name]);
  }
  assert.equal((await workstation.ask('/settings/')).body.smtp_user, '');
});

test('the owner edits the table of limits, which holds from the next request on', async () => {
  const table = limitTableSchema.parse((await workstation.ask('/limits/')).body);
  assert.equal(table.basic['apk-detail'], '60/min');
  assert.equal(table.silver.analysts, '500/min');
  const token = await workstation.analyst('measured');
  const changed = await change('/limits/', { basic: { 'apk-detail': '2/day' } });
  assert.equal(changed.status, 200, changed.text);
  assert.equal(changed.body.basic['apk-detail'], '2/day');
  assert.equal(changed.body.basic['apk-search'], '500/day');
  const path = `/apks/${'e'.repeat(64)}/`;
  const statuses = [];
  for (let count = 0; count < 3; count++) statuses.push((await workstation.ask(path, { token })).status);
  assert.deepEqual(statuses, [404, 404, 429]);
  const statistics = await workstation.ask('/account/statistics/', { token });
  assert.deepEqual(statistics.body.rate_limits['apk-detail'], { limit: '2/day', used: 2 });
  for (const json of [{ basic: { 'apk-detail': 'few' } }, { basic: { other: '1/day' } }, { other: {} }, []]) {
    assert.equal((await change('/limits/', json)).status, 400, JSON.stringify(json));
  }
});

test('nobody but the owner reads or changes settings and limits', async () => {
  const token = await workstation.analyst('curious', 'workstation');
  for (const path of ['/settings/', '/limits/']) {
    assert.equal((await workstation.ask(path, { token: null })).status, 401);
    assert.equal((await workstation.ask(path, { token })).status, 403);
    assert.equal((await workstation.ask(path, { token, method: 'PATCH', json: {} })).status, 403);
  }
});
