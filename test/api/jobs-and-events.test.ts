import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { jobListSchema, jobSchema } from '../../server/contract/jobs/job.ts';
import { eventSchemas } from '../../server/contract/people/event.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
let sha256: string;
before(async () => {
  workstation = await startWorkstation();
  sha256 = (await workstation.upload(realApks.unlock)).body.sha256;
  await workstation.server.idle();
});
after(() => workstation[Symbol.asyncDispose]());

interface ReceivedEvent {
  name: keyof typeof eventSchemas;
  // biome-ignore lint/suspicious/noExplicitAny: what the server tells
  data: any;
}

/** Listens to the event stream until it is told to stop. */
async function listen(token = workstation.ownerToken) {
  const abort = new AbortController();
  const headers = { authorization: `Token ${token}` };
  const response = await fetch(`${workstation.url}/events/`, { headers, signal: abort.signal });
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
  const received: ReceivedEvent[] = [];
  const reading = (async () => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body!) {
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) {
        const match = /^event: (\w+)\ndata: (.*)$/.exec(block);
        if (match !== null) received.push({ name: match[1] as ReceivedEvent['name'], data: JSON.parse(match[2]!) });
      }
    }
  })().catch((error: unknown) => assert.equal((error as Error).name, 'AbortError'));
  return {
    received,
    async until(isThere: (event: ReceivedEvent) => boolean): Promise<void> {
      while (!received.some(isThere)) await new Promise((resolve) => setTimeout(resolve, 25));
    },
    /** Resolves when the server has ended the stream. */
    ended: reading,
    async stop() {
      abort.abort();
      await reading;
    },
  };
}

test('the jobs of an upload and of a request are listed, with their states as filters', async () => {
  const all = await workstation.ask('/jobs/');
  const { results, count } = jobListSchema.parse(all.body);
  assert.ok(count >= 1);
  const job = results.find(({ kind }) => kind === 'static')!;
  assert.equal(job.status, 'done');
  assert.equal(job.apk?.sha256, sha256);
  assert.deepEqual((await workstation.ask(`/jobs/${job.id}`)).body, job);
  assert.equal((await workstation.ask('/jobs/?status=failed')).body.count, 0);
  assert.equal((await workstation.ask('/jobs/?status=active')).body.count, 0);
  assert.equal((await workstation.ask(`/jobs/?apk=${sha256}`)).body.count, count);
  assert.deepEqual(Object.keys((await workstation.ask('/jobs/?status=x')).body), ['status']);
});

test('an analyst sees his own jobs only, others are a 404', async () => {
  const token = await workstation.analyst('own');
  assert.equal((await workstation.ask('/jobs/', { token })).body.count, 0);
  const { body: list } = await workstation.ask('/jobs/');
  const foreign = list.results[0].id;
  assert.equal((await workstation.ask(`/jobs/${foreign}/`, { token })).status, 404);
  assert.equal((await workstation.ask(`/jobs/${foreign}/cancel/`, { method: 'POST', token })).status, 404);
  const asked = await workstation.ask(`/apks/${sha256}/analyze_static/`, { token });
  assert.equal((await workstation.ask(`/jobs/${asked.body.id}/`, { token })).status, 200);
  assert.equal((await workstation.ask('/jobs/', { token })).body.count, 1);
  await workstation.server.idle();
  const over = await workstation.ask(`/jobs/${asked.body.id}/cancel/`, { method: 'POST', token });
  assert.deepEqual([over.status, over.body.status], [200, 'done'], 'what is over cannot be cancelled');
  assert.deepEqual((await workstation.ask(`/jobs/${asked.body.id}/`, { token })).body, over.body);
  for (const id of ['x', 'A'.repeat(16), (await workstation.ask(`/apks/${sha256}/`)).body.id]) {
    assert.equal((await workstation.ask(`/jobs/${id}/`)).status, 404);
  }
});

test('a cancelled job has failed, with the reason', async () => {
  const big = await workstation.upload(realApks.uiautomator2Server);
  assert.equal(big.status, 201);
  const { body: asked } = await workstation.ask(`/apks/${big.body.sha256}/analyze_static/`);
  const cancelled = await workstation.ask(`/jobs/${asked.id}/cancel/`, { method: 'POST' });
  assert.equal(cancelled.status, 200);
  const job = await workstation.jobEnd(asked.id);
  assert.equal(job.status, 'failed');
  assert.equal(job.error_code, 'cancelled');
  assert.ok(job.error);
  assert.equal((await workstation.ask(`/apks/${big.body.sha256}/`)).body.is_static_analyzed, false);
  await workstation.ask(`/apks/${big.body.sha256}/`, { method: 'DELETE' });
});

test('events tell of new APKs and of the progress of jobs, in the shapes of the contract', async () => {
  const stream = await listen();
  const uploaded = await workstation.upload(realApks.unicodeIme);
  assert.equal(uploaded.status, 201);
  const isOf = (data: { apk?: { sha256: string } }) => data.apk?.sha256 === uploaded.body.sha256;
  await stream.until(({ name, data }) => name === 'job' && isOf(data) && data.status === 'done');
  await stream.until(({ name, data }) => name === 'apk_updated' && data.is_static_analyzed);
  const names = stream.received.map(({ name }) => name);
  assert.equal(names[0], 'hello');
  assert.ok(names.includes('apk_created'));
  for (const { name, data } of stream.received) eventSchemas[name].parse(data);
  await workstation.ask(`/apks/${uploaded.body.sha256}/`, { method: 'DELETE' });
  await stream.until(({ name, data }) => name === 'apk_deleted' && data.sha256 === uploaded.body.sha256);
  await stream.stop();
});

test("an analyst is not told of others' jobs", async () => {
  const token = await workstation.analyst('listener');
  const stream = await listen(token);
  const foreign = await workstation.ask(`/apks/${sha256}/analyze_static/`);
  await workstation.jobEnd(foreign.body.id);
  const own = await workstation.ask(`/apks/${sha256}/analyze_static/`, { token });
  await stream.until(({ name, data }) => name === 'job' && data.id === own.body.id && data.status === 'done');
  const told = stream.received.filter(({ name }) => name === 'job').map(({ data }) => jobSchema.parse(data).id);
  assert.deepEqual([...new Set(told)], [own.body.id]);
  await stream.stop();
});

test('revoking a token ends the event streams that it opened', async () => {
  const token = await workstation.analyst('leaver');
  const stream = await listen(token);
  await stream.until(({ name }) => name === 'hello');
  const { body: tokens } = await workstation.ask('/account/tokens/', { token });
  const gone = await workstation.ask(tokens.results[0].url, { method: 'DELETE', token });
  assert.equal(gone.status, 204);
  await workstation.ask(`/apks/${sha256}/tags/`, { method: 'POST', json: { name: 'untold' } });
  await stream.ended;
  assert.deepEqual(
    stream.received.map(({ name }) => name),
    ['hello'],
  );
});

test('a stream that is closed drops the events that it has not sent yet', async () => {
  const { accounts, events } = workstation.server.services;
  const token = await workstation.analyst('displaced');
  const account = (await accounts.find('displaced'))!;
  const stream = await listen(token);
  await stream.until(({ name }) => name === 'hello');
  for (let index = 0; index < 20; index++) events.publish({ name: 'apk_deleted', sha256 });
  const stopOthers = Array.from({ length: 32 }, () =>
    events.subscribe(
      account,
      () => undefined,
      () => undefined,
    ),
  );
  await stream.ended;
  for (const stop of stopOthers) stop();
  assert.equal((await workstation.ask('/health/')).status, 200);
});

test('the server ends while event streams are open, and closes them first', async () => {
  const other = await startWorkstation();
  const headers = { authorization: `Token ${other.ownerToken}` };
  const response = await fetch(`${other.url}/events/`, { headers });
  const [, told] = await Promise.all([other[Symbol.asyncDispose](), response.text()]);
  assert.match(told, /^event: hello\n/);
});

test('an analyst listens as often as windows are useful: the stream that has run longest makes room for one too many', async () => {
  const token = await workstation.analyst('listening_analyst');
  const first = await listen(token);
  const others = [];
  for (let count = 0; count < 32; count++) others.push(await listen(token));
  // Its reading ends by itself.
  await first.ended;
  const last = others.at(-1)!;
  await last.until(({ name }) => name === 'hello');
  for (const other of others) await other.stop();
});

test('the event stream of the desktop shell is never closed to make room for another', async () => {
  const { accounts, events } = workstation.server.services;
  await workstation.analyst('sharing_with_the_shell');
  const account = (await accounts.find('sharing_with_the_shell'))!;
  const heard: string[] = [];
  const ended: number[] = [];
  const stops = [events.subscribe(account, ({ name }) => heard.push(name), null)];
  for (let index = 0; index < 34; index++) {
    stops.push(
      events.subscribe(
        account,
        () => undefined,
        () => ended.push(index),
      ),
    );
  }
  events.publish({ name: 'apk_deleted', sha256 });
  for (const stop of stops) stop();
  assert.deepEqual({ heard, ended }, { heard: ['apk_deleted'], ended: [0, 1] });
});
