// What leads from an APK to others, over HTTP: a payload that two carry, and the search that finds both.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { buildAxml, element } from '../fixtures/axml-builder.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';
import { buildZip } from '../fixtures/zip-builder.ts';

let workstation: TestWorkstation;
before(async () => {
  workstation = await startWorkstation();
  await workstation.ask('/settings/', { method: 'PATCH', json: { analyze_dynamic_on_upload: false } });
});
after(() => workstation[Symbol.asyncDispose]());

const carrier = (packageName: string) =>
  buildZip({
    entries: [
      { name: 'AndroidManifest.xml', content: buildAxml(element('manifest', { package: packageName })) },
      { name: 'assets/run.sh', content: '#!/system/bin/sh\nid\n' },
    ],
  });

test('a payload and a family lead from one APK to the others that have them', async () => {
  const added: string[] = [];
  for (const name of ['com.example.one', 'com.example.two'])
    added.push((await workstation.upload(carrier(name))).body.sha256);
  await workstation.server.idle();
  await workstation.ask(`/apks/${added[0]}/verdict/`, {
    method: 'PUT',
    json: { verdict: 'malicious', family: 'Carrier' },
  });

  const { status, body } = await workstation.ask(`/apks/${added[0]}/pivots/`);
  assert.equal(status, 200);
  const [family, payload] = body.results;
  assert.deepEqual(family, { field: 'family', value: 'Carrier', label: '', apks_count: 1 });
  assert.deepEqual([payload.field, payload.label, payload.apks_count], ['payload', 'assets/run.sh', 2]);
  assert.equal(body.count, body.results.length);

  const found = await workstation.ask(`/apks/?search=${encodeURIComponent(`payload:"${payload.value}"`)}`);
  const hashes = found.body.results.map(({ sha256 }: { sha256: string }) => sha256);
  assert.deepEqual(hashes.toSorted(), added.toSorted());
});

test('of an APK that is not there nothing is told', async () => {
  assert.equal((await workstation.ask(`/apks/${'0'.repeat(64)}/pivots/`)).status, 404);
});
