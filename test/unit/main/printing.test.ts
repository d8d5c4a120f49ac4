// The desktop shell prints pages in a window that nobody sees, against a stand-in for Electron.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const standIn = new URL('../../fixtures/electron-stand-in.mjs', import.meta.url).href;
const module = new URL('../../../main/printing.ts', import.meta.url).href;

test('a page is printed without scripts, without a network and without the cookies of the window, and leaves no file', () => {
  const program = `
    const { printedPage } = await import(${JSON.stringify(module)});
    console.log(JSON.stringify({ event: 'printed', pdf: String(await printedPage('<p>a page')) }));`;
  const words = ['--import', standIn, '--input-type=module', '--eval', program];
  const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  const records = stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
  const named = (event: string) => records.filter((record) => record.event === event);
  assert.equal(named('printed')[0]?.pdf, '%PDF-by the stand-in', stderr);
  assert.deepEqual(named('print-window')[0].options.webPreferences, {
    partition: 'printing',
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    javascript: false,
  });
  assert.deepEqual(
    named('print-request').map(({ url, cancel }) => [url, cancel]),
    [
      ['https://example.com/a.png', true],
      ['data:image/png;base64,AA', false],
    ],
  );
  assert.equal(existsSync(fileURLToPath(named('print-load')[0].url)), false);
  assert.equal(named('print-window-gone').length, 1);
});
