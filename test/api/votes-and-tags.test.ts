import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type Apk, apkDetailSchema } from '../../server/contract/catalogue/apk.ts';
import { verdictHistorySchema } from '../../server/contract/catalogue/verdict.ts';
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

const say = (json: object, token = tokens[0]!, method = 'PUT') =>
  workstation.ask(`${path}/verdict/`, { method, json, token });
const standing = async () => (await workstation.ask(`${path}/verdict/`)).body;
const history = async (query = '') =>
  verdictHistorySchema.parse((await workstation.ask(`${path}/verdicts/${query}`)).body);
const found = async (search: string) =>
  (await workstation.ask(`/apks/?search=${encodeURIComponent(search)}`)).body.results.map((apk: Apk) => apk.sha256);

test('before anybody said what an APK is, it is unknown', async () => {
  const none = { verdict: 'unknown', family: '', note: '', analyst: null, created_at: null };
  assert.deepEqual(await standing(), none);
  assert.equal((await history()).count, 0);
  assert.equal((await detail()).workstation.verdict, 'unknown');
});

test('the verdict of one analyst holds at once, beside the rating, until another one says otherwise', async () => {
  await vote(tokens[1]!, 'positive');
  const { status, body } = await say({ verdict: 'malicious', family: ' Joker ', note: 'dials 0900' });
  assert.equal(status, 200);
  const { created_at: at, ...word } = body;
  assert.match(at, /^\d{4}-/);
  assert.deepEqual(word, { verdict: 'malicious', family: 'Joker', note: 'dials 0900', analyst: 'ada' });
  const judged = await detail();
  assert.deepEqual(
    [
      judged.workstation.verdict,
      judged.workstation.family,
      judged.workstation.note,
      judged.rating,
      judged.is_detected,
      judged.is_trusted,
    ],
    ['malicious', 'Joker', 'dials 0900', 1, false, false],
  );
  await say({ verdict: 'clean' }, tokens[1]!);
  const { verdict, family, note, analyst } = await standing();
  assert.deepEqual({ verdict, family, note, analyst }, { verdict: 'clean', family: '', note: '', analyst: 'ben' });
  assert.deepEqual(
    (await history()).results.map((one) => [one.analyst, one.verdict, one.family, one.note]),
    [
      ['ben', 'clean', '', ''],
      ['ada', 'malicious', 'Joker', 'dials 0900'],
    ],
  );
});

test('what is left out of a verdict keeps its value, and saying the same again says nothing new', async () => {
  await say({ verdict: 'malicious', family: 'Joker', note: 'first' });
  await say({ verdict: 'suspicious' }, tokens[0]!, 'PATCH');
  assert.deepEqual([(await standing()).family, (await standing()).note], ['Joker', '']);
  await say({ family: 'Harly' }, tokens[0]!, 'PATCH');
  const { verdict, family } = await standing();
  assert.deepEqual([verdict, family], ['suspicious', 'Harly']);
  await say({ verdict: 'suspicious', family: 'Harly' });
  assert.equal((await history()).count, 3);
  await say({ verdict: 'suspicious', family: 'Harly' }, tokens[1]!);
  const first = await history('?page_size=1');
  assert.deepEqual([first.count, first.results[0]!.analyst], [4, 'ben']);
  const further = await workstation.ask(first.next!);
  assert.equal(further.body.results[0].analyst, 'ada');
  await say({ verdict: 'unknown' });
  assert.deepEqual([(await standing()).verdict, (await standing()).family], ['unknown', '']);
});

test('a verdict is one of four words, of an APK that is there, said by somebody with an account', async () => {
  for (const [json, field] of [
    [{ verdict: 'evil' }, 'verdict'],
    [{ verdict: 'malicious', family: 'x'.repeat(101) }, 'family'],
    [{ verdict: 'malicious', family: 'a\nb' }, 'family'],
    [{ verdict: 'malicious', note: 'x'.repeat(2001) }, 'note'],
  ] as const) {
    const answer = await say(json);
    assert.equal(answer.status, 400, JSON.stringify(json));
    assert.deepEqual(Object.keys(answer.body), [field]);
  }
  assert.equal((await history()).count, 0);
  const unknown = `/apks/${'e'.repeat(64)}`;
  for (const address of ['verdict', 'verdicts'])
    assert.equal((await workstation.ask(`${unknown}/${address}/`)).status, 404);
  const guest = { method: 'PUT', json: { verdict: 'clean' }, token: null };
  assert.equal((await workstation.ask(`${path}/verdict/`, guest)).status, 401);
});

test('APKs are found by verdict, and by family in any case, in full or by its beginning', async () => {
  const sha256 = path.slice(6);
  assert.ok((await found('verdict:unknown')).includes(sha256));
  await say({ verdict: 'malicious', family: 'SpyNote Pro' });
  assert.ok(!(await found('verdict:unknown')).includes(sha256));
  for (const search of ['verdict:malicious family:"spynote pro"', 'family:spyn*', 'verdict:* family:* family:SPY*'])
    assert.deepEqual(await found(search), [sha256], search);
  assert.deepEqual(await found('family:spyn'), []);
  const wrong = await workstation.ask('/apks/?search=verdict:evil');
  assert.deepEqual([wrong.status, wrong.body.position], [400, 8]);
  const offered = await workstation.ask('/apks/completions/?search=family:spy');
  assert.deepEqual(
    offered.body.completions.map(({ text, count }: { text: string; count: number }) => [text, count]),
    [['"SpyNote Pro"', 1]],
  );
});

test('many APKs are judged at once, each with its own history', async () => {
  const { sha256: other } = await workstation.server.store.transaction(({ apks }) => apks.insert(newApk(5000)));
  const sha256 = [path.slice(6), other];
  const order = { action: 'judge', verdict: 'suspicious', family: 'Bulky', note: 'all of one signer', sha256 };
  const bulk = (json: object, token = tokens[0]!) => workstation.ask('/apks/bulk/', { method: 'POST', json, token });
  assert.equal((await bulk(order)).body.done, 2);
  assert.deepEqual((await found('family:bulky')).toSorted(), sha256.toSorted());
  assert.deepEqual([(await standing()).note, (await history()).count], ['all of one signer', 1]);
  const { body } = await bulk({ action: 'judge', verdict: 'clean', search: 'family:bulky' });
  assert.equal((await workstation.jobEnd(body.job.id)).status, 'done');
  assert.deepEqual(await found('family:bulky'), []);
  assert.equal((await history()).count, 2);
  for (const wrong of [
    { action: 'judge', sha256 },
    { action: 'trust', verdict: 'clean', sha256 },
  ])
    assert.deepEqual(Object.keys((await bulk(wrong)).body), ['verdict']);
});

const dismiss = (json: object, token = tokens[0]!) => workstation.ask('/dismissals/', { method: 'POST', json, token });
const held = async (apk = path) =>
  (await workstation.ask(`${apk}/dismissals/`)).body.results.map(({ reason }: { reason: string }) => reason);
const undo = (id: string, token = tokens[1]!) => workstation.ask(`/dismissals/${id}/`, { method: 'DELETE', token });

test('a finding is dismissed for an APK, a signer, a library or everywhere, and holds where it is meant', async () => {
  const { store } = workstation.server;
  const [mine, others, unsigned] = await store.transaction(async ({ apks, signers }) => {
    const ensure = (digit: string) => signers.ensure({ sha256: digit.repeat(64), sha1: digit.repeat(40) });
    const [one, two] = [await ensure('a'), await ensure('b')];
    return [
      await apks.insert({ ...newApk(6001), signerId: one.id }),
      await apks.insert({ ...newApk(6002), signerId: two.id }),
      await apks.insert(newApk(6003)),
    ];
  });
  const about = { finding: 'code-runs-commands' };
  const ofApk = await dismiss({ ...about, scope: 'apk', apk: mine.sha256, where: 'La/B;->c()V', reason: 'of apk' });
  assert.equal(ofApk.status, 201, ofApk.text);
  assert.deepEqual(
    [ofApk.body.apk.sha256, ofApk.body.where, ofApk.body.analyst, ofApk.body.undone_by],
    [mine.sha256, 'La/B;->c()V', 'ada', null],
  );
  const ofSigner = await dismiss({ ...about, scope: 'signer', apk: mine.sha256, reason: 'of signer' });
  assert.equal(ofSigner.body.signer.sha256, 'a'.repeat(64));
  const ofLibrary = await dismiss({ ...about, scope: 'library', library: 'com.ads', reason: 'of library' });
  const ofAll = await dismiss({ ...about, scope: 'everywhere', reason: 'everywhere' });
  assert.deepEqual(await held(`/apks/${mine.sha256}`), ['of apk', 'of signer', 'of library', 'everywhere']);
  for (const { sha256 } of [others, unsigned])
    assert.deepEqual(await held(`/apks/${sha256}`), ['of library', 'everywhere']);

  const listed = await workstation.ask('/dismissals/?is_undone=false&page_size=2');
  assert.deepEqual(
    [listed.body.count, listed.body.results.map(({ reason }: { reason: string }) => reason)],
    [4, ['everywhere', 'of library']],
  );
  for (const { body } of [ofApk, ofSigner, ofLibrary, ofAll]) assert.equal((await undo(body.id)).status, 204);
  assert.deepEqual(await held(`/apks/${mine.sha256}`), []);
  const undone = await workstation.ask(`/dismissals/${ofSigner.body.id}/`);
  assert.deepEqual([undone.body.analyst, undone.body.undone_by, undone.body.reason], ['ada', 'ben', 'of signer']);
  assert.equal((await undo(ofSigner.body.id, tokens[2]!)).status, 204);
  assert.equal((await workstation.ask(`/dismissals/${ofSigner.body.id}/`)).body.undone_by, 'ben');
  assert.equal((await workstation.ask('/dismissals/?is_undone=true')).body.count, 4);
});

test('a dismissal says what, where and why, and names what is there', async () => {
  const everywhere = { finding: 'code-x', scope: 'everywhere', reason: 'why' };
  const unknown = 'e'.repeat(64);
  for (const [json, field] of [
    [{ ...everywhere, reason: ' ' }, 'reason'],
    [{ ...everywhere, finding: undefined }, 'finding'],
    [{ ...everywhere, finding: 'Not a code' }, 'finding'],
    [{ ...everywhere, scope: 'planet' }, 'scope'],
    [{ ...everywhere, scope: 'apk' }, 'apk'],
    [{ ...everywhere, scope: 'apk', apk: unknown }, 'apk'],
    [{ ...everywhere, scope: 'signer' }, 'signer'],
    [{ ...everywhere, scope: 'signer', signer: unknown }, 'signer'],
    [{ ...everywhere, scope: 'signer', apk: path.slice(6) }, 'apk'],
    [{ ...everywhere, scope: 'library' }, 'library'],
    [{ ...everywhere, library: 'com.ads' }, 'library'],
    [{ ...everywhere, where: 'La/B;' }, 'where'],
    [{ ...everywhere, finding: undefined, rule: 'steals' }, 'finding'],
    [{ ...everywhere, finding: undefined, ruleset: '0000000000000000', rule: 'steals' }, 'ruleset'],
  ] as const) {
    const answer = await dismiss(json);
    assert.deepEqual([answer.status, Object.keys(answer.body)[0]], [400, field], JSON.stringify(json));
  }
  assert.equal((await undo('0000000000000000')).status, 404);
  assert.equal((await workstation.ask(`/apks/${unknown}/dismissals/`)).status, 404);
});

test("a rule's match is dismissed by whoever sees its ruleset, and others do not hear of a private one", async () => {
  const ruleset = async (is_public: boolean) =>
    (await workstation.ask('/rulesets/', { method: 'POST', json: { name: 'Rules', is_public }, token: tokens[0]! }))
      .body.id;
  const [open, closed] = [await ruleset(true), await ruleset(false)];
  const about = { rule: 'steals', scope: 'everywhere' };
  const seen = await dismiss({ ...about, ruleset: open, reason: 'open' }, tokens[1]!);
  assert.deepEqual([seen.status, seen.body.ruleset.name, seen.body.rule], [201, 'Rules', 'steals']);
  const own = await dismiss({ ...about, ruleset: closed, reason: 'closed' });
  assert.equal(own.status, 201);
  assert.deepEqual(Object.keys((await dismiss({ ...about, ruleset: closed, reason: 'no' }, tokens[1]!)).body), [
    'ruleset',
  ]);
  const reasons = async (token: string) =>
    (await workstation.ask(`${path}/dismissals/`, { token })).body.results.map(
      ({ reason }: { reason: string }) => reason,
    );
  assert.deepEqual(await reasons(tokens[0]!), ['open', 'closed']);
  assert.deepEqual(await reasons(tokens[1]!), ['open']);
  assert.equal((await undo(own.body.id)).status, 404);
  await workstation.ask(`/rulesets/${open}/`, { method: 'DELETE', token: tokens[0]! });
  assert.deepEqual(await reasons(tokens[0]!), ['closed']);
});
