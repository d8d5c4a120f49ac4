// Retrohunts over HTTP on a real workstation with real workers and real APKs.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { retrohuntSchema } from '../../server/contract/rules/retrohunt.ts';
import { startMailServer } from '../fixtures/mail-server.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
let ada: string;
let ben: string;
const apks = [realApks.unlock, realApks.unicodeIme, realApks.uiautomator2Test, realApks.minicap, realApks.settings];
const sha256Of = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

before(async () => {
  workstation = await startWorkstation({ onUpload: ['static', 'yara'] });
  ada = await workstation.analyst('ada', 'workstation');
  ben = await workstation.analyst('ben');
  for (const apk of apks) await workstation.upload(apk);
  await workstation.server.idle();
});
after(() => workstation[Symbol.asyncDispose]());

const ask = (path: string, method = 'GET', json?: unknown, token = ada) =>
  workstation.ask(path, { method, token, ...(json === undefined ? {} : { json }) });

async function makeRuleset(name: string, rules: string, other: object = {}) {
  const { body, status, text } = await ask('/rulesets/', 'POST', { name, rules, status: 'disabled', ...other });
  assert.equal(status, 201, text);
  return body.id as string;
}
async function begun(path: string, json: object) {
  const { status, body, text } = await ask(path, 'POST', json);
  assert.equal(status, 201, text);
  return retrohuntSchema.parse(body);
}
async function ended(hunt: { id: string; job: { id: string } }) {
  await workstation.jobEnd(hunt.job.id);
  return retrohuntSchema.parse((await ask(`/retrohunts/${hunt.id}/`)).body);
}
type Matches = { apk: { sha256: string }; rules_matched: unknown[]; is_new?: boolean }[];
const matchesOf = async (ruleset: string) =>
  new Map(
    ((await ask(`/rulesets/${ruleset}/matches/?page_size=100`)).body.results as Matches).map((match) => [
      match.apk.sha256,
      match.rules_matched,
    ]),
  );
const notifications = async (type: string) => (await ask(`/notifications/?type=${type}`)).body;

/** Bytes of the APK, of files inside it, reports, several rules at once, and one that matches nothing. */
const rules = `
import "androguard"
import "file"
private global rule large_enough { condition: filesize > 0 }
rule dex : code { meta: kind = "dex" strings: $dex = "dex\\n035" condition: $dex at 0 }
rule report { condition: androguard.package_name(/appium/) and file.size > 1000 }
rule native { strings: $elf = { 7f 45 4c 46 } condition: $elf at 0 }
rule no_permission { condition: not androguard.permission(/INTERNET/) and uint32(0) == 0x04034b50 }
rule never { condition: androguard.service("nothing.Here") }
`;

test('a hunt finds exactly what scanning each APK by itself finds, and says so as it goes', async () => {
  const alone = await makeRuleset('Alone', rules, { status: 'enabled' });
  for (const apk of apks) await workstation.jobEnd((await ask(`/apks/${sha256Of(apk)}/analyze_yara/`)).body.id);
  const expected = await matchesOf(alone);
  assert.ok(expected.size >= 4);
  await ask(`/rulesets/${alone}/`, 'DELETE');

  const id = await makeRuleset('Hunting', rules);
  const hunt = await begun(`/rulesets/${id}/retrohunt/`, {});
  assert.deepEqual([hunt.apks_count, hunt.search, hunt.rulesets.length], [apks.length, '', 1]);
  const done = await ended(hunt);
  assert.deepEqual([done.status, done.progress, done.scanned_count, done.failed_count], ['done', 1, apks.length, 0]);
  assert.deepEqual(await matchesOf(id), expected);
  assert.deepEqual([done.matches_count, done.new_matches_count], [expected.size, expected.size]);
  assert.deepEqual([done.rulesets[0]!.status, done.rulesets[0]!.matches_count], ['done', expected.size]);
  const { body } = await ask(`/retrohunts/${hunt.id}/matches/`);
  assert.deepEqual(new Map((body.results as Matches).map((one) => [one.apk.sha256, one.rules_matched])), expected);
  assert.ok((body.results as Matches).every(({ is_new }) => is_new));
  const job = (await ask(`/jobs/${hunt.job.id}/`)).body;
  assert.deepEqual([job.kind, job.status, job.result_url], ['retrohunt', 'done', done.url]);
  assert.equal((await ask('/retrohunts/')).body.results[0].id, hunt.id);
  assert.equal((await ask(`/retrohunts/?ruleset=${id}`)).body.count, 1);
  assert.equal((await ask('/retrohunts/?ruleset=0123456789abcdef')).body.count, 0);
});

test('the author hears of a hunt once, whatever it found, and of no match that was there before', async () => {
  const before = (await notifications('ruleset_matched')).count;
  const id = await makeRuleset('Summary', 'rule a { condition: uint16(0) == 0x4b50 }');
  const first = await ended(await begun(`/rulesets/${id}/retrohunt/`, {}));
  assert.equal(first.matches_count, apks.length);
  const told = await notifications('ruleset_matched');
  assert.equal(told.count, before + 1);
  const [summary] = told.results;
  assert.deepEqual([summary.apk, summary.match, summary.ruleset.id], [null, null, id]);
  assert.equal(summary.job.result_url, first.url);
  const again = await ended(await begun(`/rulesets/${id}/retrohunt/`, {}));
  assert.deepEqual([again.matches_count, again.new_matches_count], [apks.length, 0]);
  assert.equal((await notifications('ruleset_matched')).count, before + 1);
  assert.equal((await notifications('analysis_completed')).results[0].job.result_url, again.url);
});

test('a hunt of many rulesets is one e-mail, which says what each found, and none where nothing is new', async (t) => {
  const server = await startMailServer();
  t.after(() => server.close());
  const mail = { smtp_host: '127.0.0.1', smtp_port: server.port, public_url: 'https://apk.example.org' };
  const settings = { email_ruleset_matched: true };
  await workstation.ask('/settings/', { method: 'PATCH', json: mail });
  await ask('/account/', 'PATCH', { email: 'ada@example.org', settings });
  const found = [
    await makeRuleset('First\r\nBcc: eve@example.org', 'rule a { condition: uint16(0) == 0x4b50 }'),
    await makeRuleset('Second', 'rule a { strings: $a = "dex\\n035" condition: $a at 0 }'),
  ];
  const quiet = await makeRuleset('Quiet', 'rule a { condition: uint16(0) == 0x4b50 }', { is_notifier: false });
  const none = await makeRuleset('None', 'rule a { condition: false }');
  const hunt = { rulesets: [...found, quiet, none] };
  await ended(await begun('/retrohunts/', hunt));
  while (server.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  await ended(await begun('/retrohunts/', hunt));
  await ask('/account/', 'PATCH', { settings: { email_ruleset_matched: false } });
  const alone = await makeRuleset('Unwanted', 'rule a { condition: uint16(0) == 0x4b50 }');
  await ended(await begun(`/rulesets/${alone}/retrohunt/`, {}));
  await workstation.server.idle();
  assert.equal(server.received.length, 1);
  const { to, message: sent } = server.received[0]!;
  const message = sent.replaceAll('=\r\n', '');
  assert.deepEqual(to, ['ada@example.org']);
  assert.match(message, /^Subject: A retrohunt of 2 of your rulesets found APKs\r$/m);
  assert.match(message, new RegExp(`^First.*: new matches ${apks.length}, changed ones 0`, 'm'));
  assert.match(message, /^Second: new matches \d, changed ones 0/m);
  assert.doesNotMatch(message, /Quiet|None|^Bcc:/m);
  assert.match(message, /https:\/\/apk\.example\.org\/app\/#\/rulesets/);
});

test('several rulesets hunt together, only in the APKs that a search finds; matches that no longer hold are removed', async () => {
  const one = await makeRuleset('One', 'rule one { condition: uint16(0) == 0x4b50 }');
  const two = await makeRuleset('Two', 'rule two { condition: uint16(0) == 0x4b50 }');
  const hunt = await ended(await begun('/retrohunts/', { rulesets: [one, two, one], search: 'app:unlock' }));
  assert.deepEqual([hunt.apks_count, hunt.scanned_count, hunt.search, hunt.rulesets.length], [1, 1, 'app:unlock', 2]);
  assert.deepEqual([...(await matchesOf(one)).keys()], [sha256Of(realApks.unlock)]);
  assert.deepEqual([...(await matchesOf(two)).keys()], [sha256Of(realApks.unlock)]);
  await ask(`/rulesets/${one}/`, 'PATCH', { rules: 'rule one { condition: false }' });
  await ended(await begun(`/rulesets/${one}/retrohunt/`, {}));
  assert.equal((await matchesOf(one)).size, 0);
  const { body } = await ask(`/apks/${sha256Of(realApks.unlock)}/`);
  assert.equal(typeof body.matches_count, 'number');
});

test('an APK that cannot be scanned is named and stops nothing', async () => {
  const id = await makeRuleset('Fails', 'rule a { condition: uint16(0) == 0x4b50 }');
  const sha256 = sha256Of(realApks.minicap);
  const { files } = workstation.server.store;
  const { path } = files.fileReference(sha256) as { path: string };
  const bytes = readFileSync(path);
  rmSync(path);
  try {
    const hunt = await ended(await begun(`/rulesets/${id}/retrohunt/`, {}));
    assert.deepEqual([hunt.status, hunt.scanned_count, hunt.failed_count], ['partial', apks.length, 1]);
    const { body } = await ask(`/retrohunts/${hunt.id}/failures/`);
    assert.deepEqual([body.count, body.results[0].apk.sha256, body.results[0].code], [1, sha256, 'file-missing']);
    assert.equal((await matchesOf(id)).size, apks.length - 1);
  } finally {
    writeFileSync(path, bytes);
    await workstation.server.store.transaction(({ apks }) => apks.noteFileState(sha256, 'ok'));
  }
});

/** Keeps hunts from beginning with an APK. @returns how to let them go on */
function holdHunts(t: TestContext): () => void {
  const { catalogue } = workstation.server.services;
  const { promise, resolve } = Promise.withResolvers<void>();
  const page = catalogue.page.bind(catalogue);
  t.mock.method(catalogue, 'page', async (request: Parameters<typeof page>[0]) => {
    if (request.olderThan !== undefined) await promise;
    return page(request);
  });
  return resolve;
}

test('a hunt is seen and ended by its analyst; what it found stays', async (t) => {
  const goOn = holdHunts(t);
  const id = await makeRuleset('Cancelled', 'rule a { condition: uint16(0) == 0x4b50 }');
  const hunt = await begun(`/rulesets/${id}/retrohunt/`, {});
  assert.equal((await ask(`/retrohunts/${hunt.id}/`, 'GET', undefined, ben)).status, 404);
  assert.equal((await ask(`/retrohunts/${hunt.id}/cancel/`, 'POST', {}, ben)).status, 404);
  const { body } = await ask(`/retrohunts/${hunt.id}/cancel/`, 'POST', {});
  assert.deepEqual([body.status, body.error_code, body.rulesets[0].status], ['failed', 'cancelled', 'stopped']);
  goOn();
  await workstation.server.idle();
  const later = (await ask(`/retrohunts/${hunt.id}/`)).body;
  assert.equal((await matchesOf(id)).size, later.matches_count);
});

test('APKs whose analysis is still to come are hunted with their reports', async () => {
  const bytes = [1, 2, 3, 4].map((number) =>
    Buffer.concat([readFileSync(realApks.unlock), Buffer.from(`came ${number}`)]),
  );
  const report = 'import "androguard" rule a { condition: androguard.package_name("io.appium.unlock") }';
  const id = await makeRuleset('Early', report);
  for (const one of bytes) await workstation.upload(one);
  const hunt = await ended(await begun(`/rulesets/${id}/retrohunt/`, {}));
  const matching = new Set((await matchesOf(id)).keys());
  assert.equal(hunt.status, 'done');
  await workstation.server.idle();
  for (const one of bytes) {
    const sha256 = createHash('sha256').update(one).digest('hex');
    assert.ok(matching.has(sha256));
    await workstation.ask(`/apks/${sha256}/`, { method: 'DELETE' });
  }
});

test('the author hears of what a hunt found before it was cancelled', async () => {
  const before = (await notifications('ruleset_matched')).count;
  const id = await makeRuleset('Half', 'rule a { condition: uint16(0) == 0x4b50 }');
  const hunt = await begun(`/rulesets/${id}/retrohunt/`, {});
  while ((await ask(`/retrohunts/${hunt.id}/`)).body.matches_count === 0);
  await ask(`/retrohunts/${hunt.id}/cancel/`, 'POST', {});
  await workstation.server.idle();
  const told = await notifications('ruleset_matched');
  assert.equal(told.count, before + 1);
  assert.deepEqual([told.results[0].ruleset.id, told.results[0].match], [id, null]);
});

test('only authors hunt, and experts with public rulesets; what cannot hunt is refused', async () => {
  const mine = await makeRuleset('Mine', 'rule a { condition: false }');
  const open = await makeRuleset('Open', 'rule a { condition: false }', { is_public: true });
  const empty = await makeRuleset('Empty', '');
  const hunt = (id: string, token: string, json = {}) => ask(`/rulesets/${id}/retrohunt/`, 'POST', json, token);
  assert.equal((await hunt(mine, ben)).status, 404);
  assert.equal((await hunt(open, ben)).status, 403);
  assert.equal((await hunt(open, workstation.ownerToken)).status, 201);
  assert.equal((await hunt(empty, ada)).status, 400);
  assert.equal((await hunt(mine, ada, { search: 'size:(' })).status, 400);
  assert.equal((await ask('/retrohunts/', 'POST', { rulesets: [] })).status, 400);
  assert.equal((await ask('/retrohunts/', 'POST', { rulesets: ['0123456789abcdef'] })).status, 404);
  await workstation.server.idle();
});

test('a hunt whose ruleset is changed ends, and stores nothing of the old text', async (t) => {
  const goOn = holdHunts(t);
  const id = await makeRuleset('Changes', 'rule old { condition: uint16(0) == 0x4b50 }');
  const hunt = await begun(`/rulesets/${id}/retrohunt/`, {});
  await ask(`/rulesets/${id}/`, 'PATCH', { rules: 'rule young { condition: uint16(0) == 0x4b50 }' });
  goOn();
  const done = await ended(hunt);
  assert.deepEqual([done.status, done.error_code, done.rulesets[0]!.status], ['failed', 'rules-changed', 'changed']);
});

test('a ruleset that is deleted in the middle of its hunt leaves nothing behind', async () => {
  const rules = 'rule a { condition: uint16(0) == 0x4b50 }';
  const counts = async () => {
    const found = await Promise.all(apks.map((apk) => ask(`/apks/${sha256Of(apk)}/`)));
    return found.map(({ body }) => body.matches_count);
  };
  const before = await counts();
  const id = await makeRuleset('Deleted', rules, { is_public: true });
  const hunt = await begun(`/rulesets/${id}/retrohunt/`, {});
  while ((await ask(`/retrohunts/${hunt.id}/`)).body.scanned_count === 0) await new Promise(setImmediate);
  assert.equal((await ask(`/rulesets/${id}/`, 'DELETE')).status, 204);
  const done = await ended(hunt);
  assert.deepEqual(done.rulesets, []);
  assert.ok(['done', 'failed'].includes(done.status));
  assert.deepEqual(await counts(), before);
});

test('many rulesets are compiled once for the whole hunt, and nothing of that is left', async () => {
  const ids = await Promise.all(
    Array.from({ length: 24 }, (_, index) =>
      makeRuleset(`Many ${index}`, `rule r${index} { condition: uint16(0) == 0x4b50 and filesize > ${index} }`),
    ),
  );
  const hunt = await ended(await begun('/retrohunts/', { rulesets: ids }));
  assert.deepEqual([hunt.status, hunt.matches_count], ['done', ids.length * apks.length]);
  assert.deepEqual(
    readdirSync(join(workstation.dataDir, 'cache', 'compiled-rules')).filter((name) => name.startsWith('retrohunt')),
    [],
  );
});

test('events tell of the hunt while it runs', async () => {
  const id = await makeRuleset('Events', 'rule a { condition: uint16(0) == 0x4b50 }');
  const abort = new AbortController();
  const headers = { authorization: `Token ${ada}` };
  const response = await fetch(`${workstation.url}/events/`, { headers, signal: abort.signal });
  const decoder = new TextDecoder();
  const seen: { id: string; status: string; scanned_count: number }[] = [];
  const reading = (async () => {
    let text = '';
    for await (const chunk of response.body!) {
      text += decoder.decode(chunk, { stream: true });
      const parts = text.split('\n\n');
      text = parts.pop()!;
      for (const part of parts) {
        if (part.startsWith('event: retrohunt\n')) seen.push(JSON.parse(part.slice(part.indexOf('data: ') + 6)));
      }
      if (seen.at(-1)?.status === 'done') return;
    }
  })();
  const hunt = await begun(`/rulesets/${id}/retrohunt/`, {});
  await reading;
  abort.abort();
  assert.ok(seen.every((event) => event.id === hunt.id));
  assert.ok(seen.some(({ status }) => status === 'running'));
  assert.equal(seen.at(-1)!.scanned_count, apks.length);
});
