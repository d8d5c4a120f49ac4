// Cases over HTTP: APKs that people look into together, with what they write down.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { methods, putApks } from '../fixtures/made-apps.ts';
import { startWorkstation, type TestAnswer, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
let made = 0;
before(async () => {
  workstation = await startWorkstation();
});
after(() => workstation[Symbol.asyncDispose]());

async function ask(path: string, json?: object, method = 'POST'): Promise<TestAnswer['body']> {
  const { status, body, text } = await workstation.ask(path, json === undefined ? {} : { method, json });
  assert.ok(status < 300, `${path}: ${status} ${text}`);
  return body;
}
const remove = async (path: string) => (await workstation.ask(path, { method: 'DELETE' })).status;

/** Puts an APK into the catalogue. @returns its SHA-256 */
async function came(packageName: string, to = workstation): Promise<string> {
  made += 1;
  const [sha256 = ''] = await putApks(to, made, [{ code: methods(made, 50), packageName }]);
  return sha256;
}
/** SHA-256 of what a search finds, in order. */
const found = async (search: string): Promise<string[]> =>
  (await ask(`/apks/?search=${encodeURIComponent(search)}`)).results
    .map(({ sha256 }: { sha256: string }) => sha256)
    .toSorted();
const apksOf = async (id: string) => (await ask(`/cases/${id}/apks/`)).results;

test('a case has APKs by their hashes or by a search, is found by its name as it changes, and each APK tells its cases', async () => {
  const first = await came('com.bank.one');
  const second = await came('com.bank.two');
  const third = await came('com.game');
  const { id, apks_count: none, people } = await ask('/cases/', { name: 'Bank fraud', note: 'asked by the bank' });
  assert.deepEqual([none, people], [0, ['owner']]);
  assert.deepEqual(await ask(`/cases/${id}/apks/`, { search: 'package:bank', note: 'same icon' }), {
    count: 2,
    added: 2,
  });
  assert.deepEqual(await ask(`/cases/${id}/apks/`, { apks: [first, third] }), { count: 2, added: 1 });
  assert.deepEqual(await found('case:"bank fraud"'), [first, second, third].toSorted());
  assert.deepEqual(await found('case:bank*'), [first, second, third].toSorted());
  assert.deepEqual(await found('-case:*'), []);
  assert.equal(await remove(`/cases/${id}/apks/${third}/`), 204);
  assert.equal(await remove(`/cases/${id}/apks/${third}/`), 404);
  assert.deepEqual(await found('case:"Bank fraud"'), [first, second].toSorted());

  await ask(`/cases/${id}/`, { name: 'Fraud', is_closed: true }, 'PATCH');
  assert.deepEqual(await found('case:"Bank fraud"'), []);
  assert.deepEqual(await found('case:fraud'), [first, second].toSorted());
  const { results } = await ask(`/apks/${second}/cases/`);
  assert.deepEqual(
    results.map(({ name, apks_count }: { name: string; apks_count: number }) => [name, apks_count]),
    [['Fraud', 2]],
  );
  const { completions } = await ask('/apks/completions/?search=case:f&position=6');
  assert.deepEqual([completions[0].text, completions[0].count], ['Fraud', 2]);
  assert.equal((await ask('/cases/?is_closed=false')).count, 0);
  assert.equal((await ask('/cases/?search=BANK&is_closed=true')).count, 1);
  const { status } = await workstation.ask('/cases/', { method: 'POST', json: { name: 'fraud' } });
  assert.equal(status, 400, 'the name is taken, in any case of letters');
  assert.equal(await remove(`/cases/${id}/`), 204);
  assert.deepEqual(await found('case:*'), []);
});

test('an APK that is not in the catalogue belongs to a case by its hash, and is found as it comes, goes and comes back', async () => {
  const hash = 'ab'.repeat(32);
  const here = await came('com.here');
  const { id } = await ask('/cases/', { name: 'By hash' });
  assert.equal((await ask(`/cases/${id}/apks/`, { apks: [hash, here] })).added, 2);
  const shown = new Map((await apksOf(id)).map((one: { sha256: string; apk: object | null }) => [one.sha256, one.apk]));
  assert.equal(shown.get(hash), null);
  assert.deepEqual(await found('case:"By hash"'), [here]);

  assert.equal(await remove(`/apks/${here}/`), 204);
  assert.deepEqual(await found('case:"By hash"'), []);
  assert.deepEqual(
    (await apksOf(id)).map(({ apk }: { apk: object | null }) => apk),
    [null, null],
  );
  const { results } = await ask('/trash/');
  await ask(`/trash/${results[0].id}/restore/`, {});
  assert.deepEqual(await found('case:"By hash"'), [here]);
});

test('notes, questions, tasks and events stand in a case by when they happened, and what is open is counted', async () => {
  await workstation.analyst('carol');
  const { id } = await ask('/cases/', { name: 'Entries' });
  const write = (entry: object) => ask(`/cases/${id}/entries/`, entry);
  await write({ kind: 'note', text: 'It came by SMS' });
  const question = await write({ kind: 'question', text: 'Who signs it?' });
  const task = await write({ kind: 'task', text: 'Ask the bank', assignee: 'carol' });
  await write({ kind: 'event', text: 'First victim', happened_at: '2026-01-02T03:04:05+01:00' });
  const { open_questions_count, open_tasks_count, people } = await ask(`/cases/${id}/`);
  assert.deepEqual([open_questions_count, open_tasks_count, people], [1, 1, ['carol', 'owner']]);
  const { results } = await ask(`/cases/${id}/entries/`);
  assert.deepEqual(
    results.map(({ text }: { text: string }) => text),
    ['Ask the bank', 'Who signs it?', 'It came by SMS', 'First victim'],
  );
  assert.equal(results[3].happened_at, '2026-01-02T02:04:05.000000+00:00');

  await ask(`/cases/${id}/entries/${question.id}/`, { answer: 'A stolen key', is_done: true }, 'PATCH');
  assert.equal(await remove(`/cases/${id}/entries/${task.id}/`), 204);
  const after = await ask(`/cases/${id}/`);
  assert.deepEqual([after.open_questions_count, after.open_tasks_count], [0, 0]);
  const [answered] = (await ask(`/cases/${id}/entries/?kind=question`)).results;
  assert.deepEqual([answered.answer, answered.is_done], ['A stolen key', true]);
  const other = await ask('/cases/', { name: 'Another' });
  const { status } = await workstation.ask(`/cases/${other.id}/entries/${question.id}/`, { method: 'DELETE' });
  assert.equal(status, 404, 'an entry is of its case alone');
});

test('a case goes whole to another workstation, which adds tags and verdicts to what it holds and says what it misses', async () => {
  await using other = await startWorkstation();
  const both = await came('com.both');
  const judged = await came('com.judged');
  const onlyHere = await came('com.only');
  const twin = async (sha256: string, packageName: string) => {
    const at = [both, judged].indexOf(sha256);
    const [same] = await putApks(other, made - 2 + at, [{ code: methods(made - 2 + at, 50), packageName }]);
    assert.equal(same, sha256);
  };
  await twin(both, 'com.both');
  await twin(judged, 'com.judged');
  for (const sha256 of [both, judged]) {
    await ask(`/apks/${sha256}/verdict/`, { verdict: 'malicious', family: 'Joker', note: 'it sends SMS' }, 'PATCH');
    await ask(`/apks/${sha256}/tags/`, { name: 'sms' });
  }
  const { id } = await ask('/cases/', { name: 'Shared', note: 'for a colleague' });
  await ask(`/cases/${id}/apks/`, { apks: [both, judged, onlyHere], note: 'from the same sender' });
  await ask(`/cases/${id}/entries/`, { kind: 'task', text: 'Find the server', assignee: 'dave' });
  const file = await ask(`/cases/${id}/file/`);

  await other.ask(`/apks/${judged}/verdict/`, { method: 'PATCH', json: { verdict: 'clean' } });
  await other.ask('/cases/', { method: 'POST', json: { name: 'shared' } });
  const { status, body } = await other.ask('/cases/import/', { method: 'POST', json: file });
  assert.equal(status, 201);
  assert.deepEqual([body.held, body.missing], [2, 1]);
  assert.deepEqual(
    [body.case.name, body.case.note, body.case.apks_count, body.case.open_tasks_count, body.case.people],
    ['Shared (2)', 'for a colleague', 3, 1, ['dave', 'owner']],
  );
  const told = async (sha256: string) => {
    const { verdict, family, note } = (await other.ask(`/apks/${sha256}/`)).body.workstation;
    return [verdict, family, note];
  };
  assert.deepEqual(await told(both), ['malicious', 'Joker', 'it sends SMS']);
  assert.deepEqual(await told(judged), ['clean', '', ''], 'what people said here holds');
  const again = await other.ask(`/cases/${body.case.id}/file/`);
  assert.deepEqual(again.body.entries, file.entries);
  assert.deepEqual(
    again.body.apks.map(({ sha256, note, added_at }: Record<string, string>) => [sha256, note, added_at]),
    file.apks.map(({ sha256, note, added_at }: Record<string, string>) => [sha256, note, added_at]),
  );
});

test('indicators of a case are those of its APKs that are here', async () => {
  const sha256 = await came('com.indicated');
  const { id } = await ask('/cases/', { name: 'Indicators' });
  await ask(`/cases/${id}/apks/`, { apks: [sha256, 'cd'.repeat(32)] });
  const { apks } = await ask(`/indicators/?format=json&case=${id}`);
  assert.deepEqual(
    apks.map((apk: { sha256: string }) => apk.sha256),
    [sha256],
  );
});
