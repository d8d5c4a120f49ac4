// Pages about APKs for people: one file that opens anywhere, in which nothing of an app runs or loads.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { after, before, test } from 'node:test';
import { installedChromium } from '../../server/services/exports/chromium.ts';
import { Printing } from '../../server/services/exports/printing.ts';
import { buildAxml, element } from '../fixtures/axml-builder.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { headlessChromium } from '../fixtures/system-tools.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
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

const chromium = headlessChromium();

test('a page is printed as a PDF file by a Chromium of this machine, which leaves nothing behind', {
  skip: chromium.skip,
}, async (t) => {
  const folder = temporaryFolder('printed');
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  t.after(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  });
  for (const address of [`/apks/${unlock}/page/?`, `/apks/${evil}/page/?`, '/pages/?search=appium&']) {
    const { status, headers, text } = await workstation.ask(`${address}format=pdf`);
    assert.equal(status, 200, text);
    assert.equal(headers.get('Content-Type'), 'application/pdf');
    assert.match(headers.get('Content-Disposition')!, /_report\.pdf"$/);
    assert.equal(text.slice(0, 5), '%PDF-');
    assert.ok(text.length > 5_000);
  }
  assert.deepEqual(readdirSync(folder), []);
});

test('the page that is printed cannot reach a network, whatever stands in it', { skip: chromium.skip }, async () => {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const page = `<img src="http://127.0.0.1:${port}/a"><img src="http://localhost:${port}/b"><script src="http://[::1]:${port}/c"></script>`;
  const engine = installedChromium(dirname(chromium.path!));
  assert.equal((await engine!.print(page, AbortSignal.timeout(60_000))).subarray(0, 5).toString(), '%PDF-');
  assert.equal(asked, 0);
  server.close();
});

test('where nothing prints, the answer says what does; what is no PDF file is not passed on', async () => {
  const { store } = workstation.server;
  await assert.rejects(
    new Printing(store, () => installedChromium('/nowhere')).pdfOf('<p>'),
    /a Chromium that is installed/,
  );
  const printing = new Printing(store, () => ({ print: async () => Buffer.from('<p>') }));
  await assert.rejects(printing.pdfOf('<p>'), /could not be printed: no PDF came/);
});

test('a logo is a PNG or JPEG picture and nothing else', async () => {
  const set = (report_logo: string) => workstation.ask('/settings/', { method: 'PATCH', json: { report_logo } });
  for (const value of [
    'data:image/svg+xml;base64,PHN2Zz4=',
    'https://a.b/c.png',
    'data:image/png;base64,AAAA',
    'data:image/png;base64,iVBORw0KGgo" onerror="alert(1)',
  ])
    assert.equal((await set(value)).status, 400, value);
});
