// The built interface as a browser gets it.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { treeRoot } from '../architecture/import-boundaries.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
before(async () => {
  workstation = await startWorkstation();
});
after(() => workstation[Symbol.asyncDispose]());

const assets = join(treeRoot, 'dist/renderer/assets');
const script = readdirSync(assets).find((name) => name.endsWith('.js'))!;

/** The bytes as they travel, which fetch would unpack. */
const raw = (path: string, encoding: string) =>
  new Promise<{ headers: NodeJS.Dict<string | string[]>; bytes: Buffer }>((resolve, reject) => {
    const headers = { 'accept-encoding': encoding };
    get(`${workstation.url}${path}`, { headers, agent: false }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece) => pieces.push(piece));
      response.on('end', () => resolve({ headers: response.headers, bytes: Buffer.concat(pieces) }));
    }).on('error', reject);
  });

test('scripts travel packed to whoever can unpack them, and are kept for ever', async () => {
  const { headers, bytes } = await raw(`/app/assets/${script}`, 'gzip, deflate, br');
  assert.equal(headers['content-encoding'], 'gzip');
  assert.match(String(headers['content-type']), /^text\/javascript/);
  assert.match(String(headers['cache-control']), /immutable/);
  assert.deepEqual(gunzipSync(bytes), readFileSync(join(assets, script)));
});

test('a client that takes nothing packed gets the script as it is', async () => {
  const { headers, bytes } = await raw(`/app/assets/${script}`, 'identity');
  assert.equal(headers['content-encoding'], undefined);
  assert.deepEqual(bytes, readFileSync(join(assets, script)));
});

test('the first screen loads less than 350 kB of packed JavaScript', () => {
  const page = readFileSync(join(treeRoot, 'dist/renderer/index.html'), 'utf8');
  const names = new Set([...page.matchAll(/assets\/([\w.-]+\.js)/g)].map((match) => match[1]!));
  const opened = readdirSync(assets).filter((name) => /^catalogue-page.*\.js$/.test(name));
  const bytes = [...names, ...opened].map((name) => readFileSync(join(assets, `${name}.gz`)).length);
  assert.ok(bytes.reduce((sum, one) => sum + one, 0) < 350_000);
});
