// What the server says about the program's parts.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { About } from '../../server/contract/workstation/about.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
before(async () => {
  workstation = await startWorkstation();
});
after(() => workstation[Symbol.asyncDispose]());

const sent = (path: string) =>
  fetch(`${workstation.url}${path}`, { headers: { Authorization: `Token ${workstation.ownerToken}` } });

test('whoever is signed in reads the version, and every shipped package with its licence', async () => {
  const { status, body } = await workstation.ask('/about/');
  assert.equal(status, 200);
  const { version, packages, notices_url, bill_of_materials_url } = body as About;
  assert.match(version, /^\d+\.\d+\.\d+/);
  assert.equal(packages.find(({ name }) => name === '@mantine/core')?.licence, 'MIT');
  assert.equal(packages.find(({ name }) => name === 'electron')?.licence, 'MIT');
  assert.ok(notices_url.endsWith('/about/notices/') && bill_of_materials_url.endsWith('/about/bill_of_materials/'));
});

test('notices come as text, the bill of materials as a CycloneDX file to keep', async () => {
  const notices = await sent('/about/notices/');
  assert.match(notices.headers.get('content-type')!, /^text\/plain; charset=utf-8/);
  assert.match(await notices.text(), /Permission is hereby granted/);
  const bill = await sent('/about/bill_of_materials/');
  assert.match(bill.headers.get('content-type')!, /^application\/vnd\.cyclonedx\+json/);
  assert.match(bill.headers.get('content-disposition')!, /^attachment; filename="?apk-workstation\.cdx\.json"?$/);
  assert.equal(((await bill.json()) as { bomFormat: string }).bomFormat, 'CycloneDX');
});
