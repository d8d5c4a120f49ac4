import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { apkDetailSchema } from '../../server/contract/catalogue/apk.ts';
import { castVoteSchema, voteListSchema } from '../../server/contract/people/vote.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';
import { newApk } from '../unit/store/new-apk.ts';

let workstation: TestWorkstation;
const tokens: string[] = [];
before(async () => {
  workstation = await startWorkstation();
  for (const name of ['ada', 'ben', 'cleo', 'dora']) tokens.push(await workstation.analyst(name));
});
after(() => workstation[Symbol.asyncDispose]());

let number = 0;
let path = '';
beforeEach(async () => {
  number += 1;
  const { sha256 } = await workstation.server.store.transaction(({ apks }) => apks.insert(newApk(number)));
  path = `/apks/${sha256}`;
});

const vote = (token: string, kind = 'negative', method = 'GET') =>
  workstation.ask(`${path}/vote_${kind}/`, { token, method });
const detail = async () => apkDetailSchema.parse((await workstation.ask(`${path}/`)).body);

test('a vote by GET or POST answers itself and the new rating, and is listed with its analyst', async () => {
  const first = await vote(tokens[0]!, 'positive');
  assert.equal(first.status, 200, first.text);
  assert.equal(castVoteSchema.parse(first.body).rating, 1);
  const second = await vote(tokens[1]!, 'negative', 'POST');
  assert.deepEqual([second.body.analyst, second.body.kind, second.body.rating], ['ben', 'negative', 0]);
  const list = voteListSchema.parse((await workstation.ask(`${path}/votes/?page_size=1`)).body);
  assert.equal(list.count, 2);
  assert.equal(list.results[0]!.analyst, 'ben');
  const further = voteListSchema.parse((await workstation.ask(list.next!)).body);
  assert.deepEqual(
    further.results.map(({ analyst, kind }) => [analyst, kind]),
    [['ada', 'positive']],
  );
  const { rating, votes_count: count } = await detail();
  assert.deepEqual([rating, count], [0, 2]);
});

test('an analyst votes once on an APK, even with many votes at once, and cannot change it', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => vote(tokens[0]!)));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array(7).fill(409)]);
  const again = await vote(tokens[0]!, 'positive');
  assert.equal(again.status, 409);
  assert.match(again.body.detail, /cannot be changed/);
  assert.equal((await detail()).rating, -1);
});

test('three negative votes make the detection of the community, a positive one ends it', async () => {
  await vote(tokens[0]!);
  await vote(tokens[1]!);
  assert.equal((await detail()).is_detected, false);
  await vote(tokens[2]!);
  const detected = await detail();
  assert.equal(detected.is_detected, true);
  assert.equal(detected.detections.length, 1);
  const { source, information } = detected.detections[0]!;
  assert.deepEqual({ source, information }, { source: 'community', information: { community_rating: -3 } });
  await vote(tokens[3]!);
  const worse = (await detail()).detections[0]!;
  assert.equal(worse.information.community_rating, -4);
  assert.equal(worse.created_at, detected.detections[0]!.created_at);
  assert.notEqual(worse.updated_at, detected.detections[0]!.updated_at);
});

test('a detection ends with the rating that made it, and the threshold is a setting', async () => {
  const { store } = workstation.server;
  await store.transaction(({ settings }) => settings.write('detection_rating', -1));
  await vote(tokens[0]!);
  assert.equal((await detail()).is_detected, true);
  await vote(tokens[1]!, 'positive');
  const { is_detected: isDetected, detections } = await detail();
  assert.deepEqual([isDetected, detections], [false, []]);
  await store.transaction(({ settings }) => settings.write('detection_rating', undefined));
});

test('what an antivirus says is a detection until it says nothing any more', async () => {
  const { services, store } = workstation.server;
  const apk = (await store.apks.findBySha256(path.slice(6)))!;
  const finding = { signature: 'Andr.Test', score: null, tags: ['test'], additionalInformation: { engine: 1 } };
  await services.detections.recordAntivirus(apk, 'ClamAV', finding);
  const { is_detected: isDetected, detections } = await detail();
  assert.equal(isDetected, true);
  const { first_detection_at: first, ...information } = detections[0]!.information;
  assert.match(String(first), /^\d{4}-/);
  assert.equal(detections[0]!.source, 'ClamAV');
  assert.deepEqual(information, {
    signature: 'Andr.Test',
    score: null,
    tags: ['test'],
    additional_information: { engine: 1 },
  });
  await services.detections.recordAntivirus(apk, 'ClamAV', null);
  assert.equal((await detail()).is_detected, false);
});

test('voting needs a token and an APK', async () => {
  assert.equal((await workstation.ask(`${path}/vote_positive/`, { token: null })).status, 401);
  assert.equal((await workstation.ask(`/apks/${'e'.repeat(64)}/vote_positive/`)).status, 404);
  assert.equal((await workstation.ask(`/apks/${'e'.repeat(64)}/votes/`)).status, 404);
});

test('a tag is put on an APK once, whoever puts it, and is taken away by its name', async () => {
  const tag = (name: unknown) => workstation.ask(`${path}/tags/`, { method: 'POST', json: { name } });
  assert.deepEqual((await tag(' banking trojan ')).body, { name: 'banking trojan', tags: ['banking trojan'] });
  const again = await tag('banking trojan');
  assert.equal(again.status, 201);
  assert.deepEqual((await tag('a/b')).body.tags, ['a/b', 'banking trojan']);
  for (const wrong of ['', '  ', 'a,b', 'x\ny', 'x'.repeat(51), '.', ' .. ', '...', 5, undefined]) {
    const answer = await tag(wrong);
    assert.equal(answer.status, 400);
    assert.deepEqual(Object.keys(answer.body), ['name']);
  }
  const remove = (name: string) =>
    workstation.ask(`${path}/tags/${encodeURIComponent(name)}/`, { method: 'DELETE', token: tokens[0]! });
  assert.equal((await remove('a/b')).status, 204);
  assert.equal((await remove('a/b')).status, 404);
  assert.deepEqual((await detail()).tags, ['banking trojan']);
});
