// Searches on the command line: real processes, a real APK.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { commandLine } from '../../fixtures/program.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const folder = temporaryFolder('search');
const dataDir = join(folder, 'data');
const unlock = readFileSync(realApks.unlock);

const run = (...words: string[]) =>
  new Promise<{ status: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [commandLine, ...words, '--data-dir', dataDir], (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
const linesOf = ({ stdout }: { stdout: string }) =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

before(async () => {
  for (const name of ['one', 'two'])
    writeFileSync(join(folder, `${name}.apk`), Buffer.concat([unlock, Buffer.from(`here stands number ${name}`)]));
  await run('token', 'create', '--user', 'owner');
  await run('import', folder);
});

test('search tells where a content stands, and takes any other term beside it', async () => {
  const found = await run('search', 'content:"STANDS number two" package:appium');
  assert.equal(found.status, 0, found.stderr);
  const [line, ...others] = linesOf(found);
  assert.deepEqual([line.package_name, others.length], ['io.appium.unlock', 0]);
  const [{ content, count, places }] = line.contents;
  assert.deepEqual([content, count], ['content:"STANDS number two"', 1]);
  assert.deepEqual([places[0].file, places[0].offset], ['', unlock.length + 5]);
  assert.deepEqual(linesOf(await run('search', 'content:"stands number" package:nobody')), []);
  assert.equal(linesOf(await run('search', 'content:{6e756d62657220??????}')).length, 2);
});

test('search finds by other terms alone too, and says what is wrong with one', async () => {
  assert.equal(linesOf(await run('search', 'unlock')).length, 2);
  const wrong = await run('search', 'content:abc');
  assert.notEqual(wrong.status, 0);
  assert.match(wrong.stderr, /at least 4 letters/);
  assert.match((await run('export', '--search', 'content:"stands number"')).stderr, /apk-workstation search/);
});
