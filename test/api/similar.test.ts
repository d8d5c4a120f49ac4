// Similar APKs over HTTP: a real app, copies of it as an obfuscator and a repackager make them, and strangers.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { drawnHash } from '../../server/engine/app/icon/drawn/drawn-hash.ts';
import { readIcon } from '../../server/engine/app/icon/icon.ts';
import { apkDexes } from '../fixtures/apk-dexes.ts';
import { openManifest } from '../fixtures/apk-manifest.ts';
import { buildAxml, element } from '../fixtures/axml-builder.ts';
import { buildElf } from '../fixtures/elf-builder.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { renamedDexes } from '../fixtures/renamed-dex.ts';
import { noise } from '../fixtures/ssdeep-inputs.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';
import { buildZip, type ZipEntryPlan } from '../fixtures/zip-builder.ts';

let workstation: TestWorkstation;
before(async () => {
  workstation = await startWorkstation({ onUpload: ['static'] });
});
after(() => workstation[Symbol.asyncDispose]());

const packed = (packageName: string, dexes: readonly Buffer[]): Buffer =>
  buildZip({
    entries: [
      { name: 'AndroidManifest.xml', content: buildAxml(element('manifest', { package: packageName })) },
      ...dexes.map((content, index) => ({ name: `classes${index === 0 ? '' : index + 1}.dex`, content })),
    ],
  });

async function analysed(apk: string | Buffer): Promise<string> {
  const { body } = await workstation.upload(apk);
  for (const { id, kind } of (await workstation.ask('/jobs/?limit=50')).body.results)
    if (kind !== 'static') await workstation.ask(`/jobs/${id}/cancel/`, { method: 'POST' });
  const asked = await workstation.ask(`/apks/${body.sha256}/analyze_static/`);
  assert.equal((await workstation.jobEnd(asked.body.id)).status, 'done');
  return body.sha256;
}

interface Similar {
  apk: { sha256: string };
  score: number;
  kinds: string[];
  reason: string;
}
const similarTo = async (sha256: string): Promise<Similar[]> => {
  const { status, body } = await workstation.ask(`/apks/${sha256}/similar/`);
  assert.equal(status, 200);
  assert.equal(body.count, body.results.length);
  return body.results;
};

test('copies of an app are found, best first and with the reason, strangers with the same libraries are not', async () => {
  const dexes = [...(await apkDexes(realApks.settings)).values()];
  const original = await analysed(realApks.settings);
  const repackaged = await analysed(packed('io.appium.settings.copy', dexes));
  const obfuscated = await analysed(
    packed('a.b', renamedDexes(dexes, { seed: 5, without: 10, isReversed: true }).dexes),
  );
  const stranger = await analysed(realApks.minicap);

  const [first, second, ...others] = await similarTo(original);
  assert.equal(first?.apk.sha256, repackaged);
  assert.equal(first.score, 1);
  assert.deepEqual(first.kinds, ['code', 'tlsh', 'ssdeep']);
  assert.match(first.reason, /^(\d+) of \1 own methods, TLSH distance 0, ssdeep 100, another signer$/);
  assert.equal(second?.apk.sha256, obfuscated);
  assert.ok(second.score > 0.5 && second.score < 1, String(second.score));
  assert.deepEqual(others, []);

  const found = async (search: string) => {
    const { status, body } = await workstation.ask(`/apks/?search=${encodeURIComponent(search)}`);
    return status === 200 ? new Set(body.results.map((apk: { sha256: string }) => apk.sha256)) : body;
  };
  assert.deepEqual(await found(`similar:${original}`), new Set([repackaged, obfuscated]));
  assert.deepEqual(await found(`NOT similar:${original.toUpperCase()} sha256:${original}`), new Set([original]));
  assert.deepEqual(await found(`similar:${'f'.repeat(64)}`), new Set());
  assert.match(JSON.stringify(await found('similar:abc*')), /by a whole SHA-256/);

  assert.deepEqual(
    (await similarTo(obfuscated)).map(({ apk }) => apk.sha256).toSorted(),
    [original, repackaged].toSorted(),
  );
  assert.deepEqual(await similarTo(stranger), []);
});

/** An app without code, of files alone. */
const withFiles = (packageName: string, files: readonly number[], more: ZipEntryPlan[] = []): Buffer =>
  buildZip({
    entries: [
      { name: 'AndroidManifest.xml', content: buildAxml(element('manifest', { package: packageName })) },
      ...files.map((seed) => ({ name: `assets/${seed}.dat`, content: noise(500 + seed, seed) })),
      ...more,
    ],
  });

test('apps without code are found by their files and native libraries, strangers are not', async () => {
  const symbols = 'decode encode open draw play sound load save quit'
    .split(' ')
    .map((name) => ({ name: `own_${name}`, isDefined: true }));
  const own = { name: 'lib/arm64-v8a/libown.so', content: buildElf({ symbols }) };
  const files = Array.from({ length: 12 }, (_, index) => index + 1);
  const game = await analysed(withFiles('com.example.game', files, [own]));
  const copy = await analysed(withFiles('com.example.copy', [...files.slice(2), 70, 71], [own]));
  const stranger = await analysed(withFiles('com.example.other', [80, 81, 82, 83, 84, 85, 86, 87, 88, 89]));

  const [first, ...others] = await similarTo(game);
  assert.equal(first?.apk.sha256, copy);
  assert.ok(first.score > 0.5, String(first.score));
  assert.ok(first.kinds.includes('files') && first.kinds.includes('native'), first.kinds.join());
  assert.match(first.reason, /^11 of 13 files, 9 of 9 native symbols and functions/);
  assert.deepEqual(others, []);
  assert.deepEqual(await similarTo(stranger), []);

  const held = (await workstation.ask('/apks/')).body.count;
  const nextVersion = withFiles('com.example.game', [...files.slice(1), 72], [own]);
  const { status, body } = await workstation.ask('/apks/similar/', {
    method: 'POST',
    body: Uint8Array.from(nextVersion),
  });
  assert.equal(status, 200);
  assert.deepEqual(
    body.results.map(({ apk }: Similar) => apk.sha256),
    [game, copy],
  );
  assert.match(body.results[0].reason, /^12 of 13 files, 9 of 9 native symbols and functions, .*same package/);
  assert.equal((await workstation.ask('/apks/')).body.count, held, 'nothing is kept');
});

test('an icon is the same in WebP and in PNG: workers decode it where nothing else can be reached', async () => {
  const iconed = (packageName: string, file: string): Buffer => {
    const application = element('application', { 'android:icon': `res/${file}` });
    const manifest = buildAxml(element('manifest', { package: packageName }, application));
    const content = readFileSync(join(import.meta.dirname, '../golden/icons', file));
    return buildZip({
      entries: [
        { name: 'AndroidManifest.xml', content: manifest },
        { name: `res/${file}`, content },
      ],
    });
  };
  const [asPng, asWebp] = [await analysed(iconed('a.b', 'icon.png')), await analysed(iconed('c.d', 'lossy.webp'))];
  const found = (await similarTo(asPng)).find(({ apk }) => apk.sha256 === asWebp);
  assert.match(found?.reason ?? '', /same icon/);
  const [asJpeg, asGif] = [await analysed(iconed('e.f', 'baseline.jpg')), await analysed(iconed('g.h', 'plain.gif'))];
  assert.match((await similarTo(asJpeg)).find(({ apk }) => apk.sha256 === asGif)?.reason ?? '', /same icon/);
});

test('apps that look the same are found by their icon, also in a search', async () => {
  const [unlock, keyboard] = [await analysed(realApks.unlock), await analysed(realApks.unicodeIme)];
  const found = (await similarTo(unlock)).find(({ apk }) => apk.sha256 === keyboard);
  assert.ok(found?.kinds.includes('icon'), JSON.stringify(found));
  assert.match(found?.reason ?? '', /same icon/);
  const { archive, manifest, table } = openManifest(realApks.unlock);
  const hash = Buffer.from(drawnHash(readIcon(archive, manifest, table)!)!).toString('hex');
  const { body } = await workstation.ask(`/apks/?search=${encodeURIComponent(`icon:${hash}`)}`);
  assert.deepEqual(
    body.results.map(({ sha256 }: { sha256: string }) => sha256),
    [keyboard, unlock],
  );
});

test('what is no APK is like none', async () => {
  const { status } = await workstation.ask('/apks/similar/', { method: 'POST', body: 'no archive' });
  assert.equal(status, 415);
});

test('an APK that is not there has none, and none is told before its code was read', async () => {
  assert.equal((await workstation.ask(`/apks/${'0'.repeat(64)}/similar/`)).status, 404);
  const { body } = await workstation.upload(packed('com.example.unread', []));
  for (const { id } of (await workstation.ask('/jobs/?limit=50')).body.results)
    await workstation.ask(`/jobs/${id}/cancel/`, { method: 'POST' });
  const { status, body: refusal } = await workstation.ask(`/apks/${body.sha256}/similar/`);
  assert.ok(status === 404 || (status === 200 && refusal.count === 0), String(status));
});
