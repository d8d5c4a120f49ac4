// Pages about APKs for people: one file that opens anywhere, in which nothing of an app runs or loads.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { buildAxml, element } from '../fixtures/axml-builder.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';
import { buildZip } from '../fixtures/zip-builder.ts';

const hostile = `"><script>alert(1)</script><img src=http://a.b/c onerror=alert(2)>\u202e`;
let workstation: TestWorkstation;
let unlock: string;
let evil: string;
before(async () => {
  workstation = await startWorkstation();
  unlock = (await workstation.upload(realApks.unlock)).body.sha256;
  const label = { 'android:label': hostile };
  const content = buildAxml(element('manifest', { package: 'a.b' }, element('application', label)));
  const bytes = buildZip({ entries: [{ name: 'AndroidManifest.xml', content }] });
  evil = (await workstation.upload(new Uint8Array(bytes))).body.sha256;
  await workstation.server.idle();
  for (const [sha256, note] of [
    [unlock, 'Locks the screen & asks for money'],
    [evil, hostile],
  ])
    await workstation.ask(`/apks/${sha256}/verdict/`, {
      method: 'PUT',
      json: { verdict: 'malicious', family: 'Locker', note },
    });
});
after(() => workstation[Symbol.asyncDispose]());

async function pageOf(sha256: string, query = ''): Promise<string> {
  const { status, headers, text } = await workstation.ask(`/apks/${sha256}/page/${query}`);
  assert.equal(status, 200, text);
  assert.match(headers.get('Content-Type')!, /^text\/html/);
  assert.match(headers.get('Content-Disposition')!, /^attachment; filename="[0-9a-f]{12}_report\.html"$/);
  return text;
}

test('a page tells the verdict with its note, the risk with its evidence, signer, hashes and a picture', async () => {
  const page = await pageOf(unlock);
  for (const expected of [
    /<h1>Unlock<\/h1>/,
    /<b>malicious<\/b>, family <b>Locker<\/b>/,
    /Locks the screen &amp; asks for money/,
    /Risk: \d+ of 100, low/,
    /The app can be debugged/,
    new RegExp(`<code>${unlock}</code>`),
    /59523512A57B29C2B23B29C09227314F941B2EA6D7E7E89DDB1AD1E83BCDA8DC/i,
    /<img src="data:image\/png;base64,[\w+/]+=*" alt="">/,
  ])
    assert.match(page, expected);
  assert.doesNotMatch(page, /TLP:/);
});

test('a page has the sections that were asked for, and its mark by the Traffic Light Protocol above and below', async () => {
  const page = await pageOf(unlock, '?sections=signer,verdict&tlp=amber%2Bstrict');
  const headings = [...page.matchAll(/<h2>([^<:]*)/g)].map(([, heading]) => heading);
  assert.deepEqual(headings, ['File', 'Verdict', 'Signer']);
  assert.equal(page.match(/TLP:AMBER\+STRICT/g)?.length, 2);
  assert.equal((await workstation.ask(`/apks/${unlock}/page/?sections=everything`)).status, 400);
  assert.equal((await workstation.ask(`/apks/${'0'.repeat(64)}/page/`)).status, 404);
});

test('what an app is called, and what is said of it, neither runs nor loads, and turns no text about', async () => {
  const page = await pageOf(evil);
  assert.match(page, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
  assert.doesNotMatch(page, /<script|<img src=http|\u202e/);
  assert.match(
    page,
    /content="default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src data:; base-uri 'none'; form-action 'none'"/,
  );
});
