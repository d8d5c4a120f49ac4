// YARA on incoming APKs, over HTTP on a real workstation with real workers.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
let ada: string;
before(async () => {
  workstation = await startWorkstation({ onUpload: ['static', 'yara'] });
  ada = await workstation.analyst('ada');
});
after(() => workstation[Symbol.asyncDispose]());

const sha256Of = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
const apkOf = async (path: string) => (await workstation.ask(`/apks/${sha256Of(path)}/`, { token: ada })).body;
const makeRuleset = async (rules: string) =>
  (await workstation.ask('/rulesets/', { method: 'POST', token: ada, json: { name: 'Hunt', is_public: true, rules } }))
    .body;

/** Rules that see the APK's own bytes, a file inside it, and the reports. */
const hunting = `
import "androguard"
rule by_report { condition: androguard.package_name("io.appium.unlock") and androguard.number_of_activities > 0 }
rule by_dex { strings: $dex = "dex\\n035" condition: $dex at 0 }
rule never { condition: androguard.permission(/NO_SUCH_PERMISSION/) }
`;

test('an APK that comes in while no ruleset is active counts as scanned after its static analysis', async () => {
  await workstation.upload(realApks.unicodeIme);
  await workstation.server.idle();
  const { last_yara_analysis_at, matches_count } = await apkOf(realApks.unicodeIme);
  assert.equal(typeof last_yara_analysis_at, 'string');
  assert.equal(matches_count, 0);
});

test('an APK that comes in is scanned with the active rulesets, and the author is told of the match', async () => {
  const ruleset = await makeRuleset(hunting);
  await workstation.upload(realApks.unlock);
  await workstation.server.idle();
  const { body } = await workstation.ask(`/apks/${sha256Of(realApks.unlock)}/matches/`, { token: ada });
  assert.equal(body.count, 1);
  const [match] = body.results;
  assert.equal(match.ruleset.id, ruleset.id);
  const rules: { name: string; file: string }[] = match.rules_matched;
  assert.deepEqual(
    rules.filter(({ name }) => name === 'by_dex').map(({ file }) => file),
    ['classes.dex'],
  );
  assert.ok(rules.some(({ name, file }) => name === 'by_report' && file === ''));
  assert.ok(!rules.some(({ name }) => name === 'never'));
  const told = await workstation.ask('/notifications/?type=ruleset_matched', { token: ada });
  assert.deepEqual(
    told.body.results.map((notification: { match: { id: string } }) => notification.match.id),
    [match.id],
  );
});

test('a scan on demand finds what came in before the rules did, and takes back what no longer holds', async () => {
  const ruleset = await makeRuleset('import "androguard" rule ime { condition: androguard.service(/UnicodeIME/) }');
  const analyze = () => workstation.ask(`/apks/${sha256Of(realApks.unicodeIme)}/analyze_yara/`, { token: ada });
  const found = async () => (await workstation.ask(`/rulesets/${ruleset.id}/matches/`, { token: ada })).body.count;
  const { status, body } = await analyze();
  assert.deepEqual([status, body.kind], [200, 'yara']);
  assert.equal((await workstation.jobEnd(body.id)).status, 'done');
  assert.equal(await found(), 1);
  await workstation.ask(`/rulesets/${ruleset.id}/`, {
    method: 'PATCH',
    token: ada,
    json: { rules: 'rule nothing { condition: false }' },
  });
  await workstation.jobEnd((await analyze()).body.id);
  assert.equal(await found(), 0);
});

test('authors hear of a match after each scan that somebody asked for, and not where their rules no longer match or are off', async () => {
  const rules = (name: string, more = '') =>
    `import "androguard" rule ${name} { condition: androguard.service(/UnicodeIME/) ${more} }`;
  const ruleset = await makeRuleset(rules('again'));
  const toldAfter = async (changes?: object) => {
    if (changes !== undefined) {
      await workstation.ask(`/rulesets/${ruleset.id}/`, { method: 'PATCH', token: ada, json: changes });
    }
    const asked = await workstation.ask(`/apks/${sha256Of(realApks.unicodeIme)}/analyze_yara/`);
    await workstation.jobEnd(asked.body.id);
    const { results } = (await workstation.ask('/notifications/?type=ruleset_matched', { token: ada })).body;
    return results.filter((one: { ruleset: { id: string } }) => one.ruleset.id === ruleset.id).length;
  };
  assert.deepEqual([await toldAfter(), await toldAfter()], [1, 2]);
  assert.equal(await toldAfter({ rules: rules('again', 'and filesize > 0') }), 3);
  assert.deepEqual([await toldAfter({ status: 'disabled' }), await toldAfter({ status: 'enabled' })], [3, 4]);
  assert.equal(await toldAfter({ rules: 'rule never { condition: false }' }), 4);
  assert.equal(await toldAfter({ rules: rules('otherwise') }), 5);
});

test('rules that match everywhere are capped, and the match says how much there was', async () => {
  await workstation.upload(realApks.minicap);
  const apk = sha256Of(realApks.minicap);
  const rules = Array.from({ length: 40 }, (_, index) => `rule r${index} { condition: true }`).join('\n');
  const ruleset = await makeRuleset(rules);
  await workstation.jobEnd((await workstation.ask(`/apks/${apk}/analyze_yara/`, { token: ada })).body.id);
  const { body } = await workstation.ask(`/rulesets/${ruleset.id}/matches/`, { token: ada });
  const [match] = body.results;
  assert.equal(match.rules_matched.length, 500);
  assert.ok(match.rules_count > 500 && match.rules_count % 40 === 0, `${match.rules_count}`);
});

test('those who may see a ruleset hear of its matches as they are found', async () => {
  const ben = await workstation.analyst('ben');
  const json = { name: 'Secret', rules: 'rule secret { condition: uint16(0) == 0x4b50 }' };
  await workstation.ask('/rulesets/', { method: 'POST', token: ada, json });
  await makeRuleset('rule open { condition: uint16(0) == 0x4b50 }');
  const abort = new AbortController();
  const heard = await Promise.all(
    [ada, ben].map(async (token) => {
      const headers = { authorization: `Token ${token}` };
      const response = await fetch(`${workstation.url}/events/`, { headers, signal: abort.signal });
      const names: string[] = [];
      const reading = (async () => {
        let text = '';
        for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
          const parts = (text + chunk).split('\n\n');
          text = parts.pop()!;
          for (const part of parts.filter((one) => one.startsWith('event: match\n'))) {
            names.push(JSON.parse(part.slice(part.indexOf('data: ') + 6)).rules_matched[0].name);
          }
        }
      })().catch(() => undefined);
      return { names, reading };
    }),
  );
  const apk = sha256Of(realApks.unicodeIme);
  await workstation.jobEnd((await workstation.ask(`/apks/${apk}/analyze_yara/`, { token: ada })).body.id);
  const [adas, bens] = heard.map(({ names }) => names) as [string[], string[]];
  const hasHeardAll = () => adas.includes('secret') && adas.includes('open') && bens.includes('open');
  while (!hasHeardAll()) await new Promise((resolve) => setTimeout(resolve, 20));
  abort.abort();
  await Promise.all(heard.map(({ reading }) => reading));
  assert.ok(!bens.includes('secret'));
});
