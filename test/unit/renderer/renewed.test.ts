import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { renewed } from '../../../renderer/api/renewed.ts';

test('what changes while it is asked for the first time is asked for again', async () => {
  const client = new QueryClient();
  const queryKey = ['search', 'one'];
  const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()] as const;
  let asked = 0;
  const observer = new QueryObserver(client, { queryKey, queryFn: () => answers[asked++]!.promise });
  const stop = observer.subscribe(() => undefined);
  const change = renewed(client, ['search']);
  answers[0].resolve('running');
  answers[1].resolve('done');
  await change;
  assert.deepEqual([asked, observer.getCurrentResult().data], [2, 'done']);
  stop();
  client.clear();
});
