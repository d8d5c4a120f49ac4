import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { AnsweringThread } from '../../../../server/store/sqlite/answering-thread.ts';
import { scratchFolder } from '../scratch-store.ts';

const program = new URL('../../../../server/store/sqlite/reader-worker.ts', import.meta.url);

const path = join(scratchFolder(), 'some.db');
const thread = new AnsweringThread(program, path);
after(() => thread.close());
const ask = (sql: string, signal?: AbortSignal) => thread.ask<unknown[]>({ sql, parameters: [] }, signal);

test('a thread that ended fails all that wait for it, and is started again with the next question', async () => {
  const failed = await Promise.allSettled([ask('select 1 as one'), ask('select 2 as two')]);
  assert.deepEqual(
    failed.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  new SqliteDatabase(path).exec('create table some (id integer)').close();
  assert.deepEqual(await ask('select 1 as one'), [{ one: 1 }]);
});

test('what a question did wrong is told to whoever asked by its code, and to nobody else', async () => {
  const answers = await Promise.allSettled([ask('select 1 as one'), ask('no sql'), ask('select 3 as three')]);
  assert.deepEqual(
    answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : answer.reason.code)),
    [[{ one: 1 }], 'SQLITE_ERROR', [{ three: 3 }]],
  );
});

test('who gives up hears of it at once, before or after the question was asked', async () => {
  const given = AbortSignal.abort(new Error('given up'));
  await assert.rejects(ask('select 1', given), { message: 'given up' });
  const giving = new AbortController();
  const asked = ask('select 2', giving.signal);
  giving.abort(new Error('not wanted'));
  await assert.rejects(asked, { message: 'not wanted' });
  assert.deepEqual(await ask('select 3 as three'), [{ three: 3 }]);
});
