// Pages about a search, a family, a case and two APKs for people: one file that opens anywhere, in which nothing runs or loads.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { methods, putApks, version } from '../fixtures/made-apps.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

const hostile = '"><script>alert(1)</script><img src=http://a.b/c onerror=alert(2)>\u202e';
let workstation: TestWorkstation;
let apks: string[];
before(async () => {
  workstation = await startWorkstation({ onUpload: ['static'] });
  const code = methods(1, 300);
  apks = await putApks(workstation, 1, [
    { code: version(code, 1, 0.05), app: hostile, packageName: 'com.evil.one' },
    { code: version(code, 2, 0.05), app: 'Torch', packageName: 'com.evil.two' },
  ]);
  await workstation.server.store.transaction(async (inside) => {
    for (const sha256 of apks) {
      const { id } = (await inside.apks.findBySha256(sha256))!;
      const terms = [{ field: 'network.hosts', text: 'control.example' }];
      await inside.search.replaceTerms(['network.hosts'], [{ apkId: id, terms }]);
    }
  });
  for (const sha256 of apks)
    await workstation.ask(`/apks/${sha256}/verdict/`, {
      method: 'PATCH',
      json: { verdict: 'malicious', family: 'Joker', note: hostile },
    });
});
after(() => workstation[Symbol.asyncDispose]());

async function pageOf(path: string, name: RegExp): Promise<string> {
  const { status, headers, text } = await workstation.ask(path);
  assert.equal(status, 200, text);
  assert.match(headers.get('Content-Type')!, /^text\/html/);
  assert.match(headers.get('Content-Disposition')!, name);
  assert.match(text, /content="default-src &#39;none&#39;|content="default-src 'none'/);
  assert.doesNotMatch(text, /<script|<img src=http|\u202e/);
  return text;
}
const headings = (page: string) => [...page.matchAll(/<h2>([^<:]*)/g)].map(([, heading]) => heading);

test('a page about a search tells its APKs, what was said of them and defanged indicators, each once', async () => {
  const page = await pageOf('/pages/?search=package:evil&tlp=red', /^attachment; filename="search_report\.html"$/);
  assert.deepEqual(headings(page), ['Verdicts', 'APKs', 'Indicators']);
  assert.match(page, /malicious, Joker<\/td><td>2</);
  assert.equal(page.match(/control\[\.\]example/g)?.length, 1);
  assert.equal(page.match(/TLP:RED/g)?.length, 2);
  assert.match(page, /&lt;script&gt;alert\(1\)/);
  for (const sha256 of apks) assert.match(page, new RegExp(`<code>${sha256}</code>`));
  assert.deepEqual(headings(await pageOf('/pages/?search=package:evil&sections=apks', /search/)), ['APKs']);
  for (const query of ['', '?search=x&family=y', '?search=x&sections=risk', '?search=size:x'])
    assert.equal((await workstation.ask(`/pages/${query}`)).status, 400, query);
  assert.equal((await workstation.ask(`/pages/?case=${'a'.repeat(16)}`)).status, 404);
});

test('a page about a case tells what was written in it, one about a family its members', async () => {
  const { body: made } = await workstation.ask('/cases/', { method: 'POST', json: { name: 'Fraud', note: hostile } });
  const json = { kind: 'question', text: hostile, answer: 'nobody knows', is_done: true };
  await workstation.ask(`/cases/${made.id}/entries/`, { method: 'POST', json });
  await workstation.ask(`/cases/${made.id}/apks/`, { method: 'POST', json: { apks } });
  const page = await pageOf(`/pages/?case=${made.id}`, /^attachment; filename="case_report\.html"$/);
  assert.deepEqual(headings(page), ['What was written', 'Verdicts', 'APKs', 'Indicators']);
  assert.match(page, /<h1>Case Fraud<\/h1>2 APKs, by owner/);
  assert.match(page, /<b>Answer:<\/b> nobody knows/);

  const { id } = (await workstation.ask(`/apks/${apks[0]}/`)).body.code_family;
  assert.match(await pageOf(`/pages/?family=${id}`, /family/), /<h1>Family &quot;&gt;&lt;script[^<]*<\/h1>2 APKs/);
});

test('a page about two APKs tells both and how they differ', async () => {
  const one = (await workstation.upload(realApks.unlock)).body.sha256;
  const other = (await workstation.upload(realApks.settings)).body.sha256;
  await workstation.server.idle();
  const address = `/apks/${one}/compare/${other}/page/`;
  const page = await pageOf(`${address}?sections=manifest,permissions,classes`, /_report\.html"$/);
  assert.deepEqual(headings(page), ['Manifest', 'Permissions', 'Classes']);
  assert.match(page, /<dt>First<\/dt>[\s\S]*<dt>Second<\/dt>/);
  assert.match(page, /the same, \d+ gone, \d+ new/);
  assert.equal((await workstation.ask(`/apks/${one}/compare/${'0'.repeat(64)}/page/`)).status, 404);
});
