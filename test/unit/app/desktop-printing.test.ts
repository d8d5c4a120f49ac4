// A server that a desktop shell started has its reports printed by the shell.
import assert from 'node:assert/strict';
import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { commandLine } from '../../fixtures/program.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const folder = temporaryFolder('desktop-printing');
let child: ChildProcess | undefined;
after(() => child?.kill('SIGKILL'));

test('a report is printed by the desktop shell that says that it prints, and its fault is told', async () => {
  child = fork(commandLine, ['serve', '--port', '0', '--data-dir', folder], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  const words = ['token', 'create', '--user', 'alice', '--data-dir', folder];
  const token = spawnSync(process.execPath, [commandLine, ...words], { encoding: 'utf8' }).stdout.trim();
  const answers = [
    { pdf: Buffer.from('%PDF-of the shell').toString('base64'), reason: '' },
    { pdf: null, reason: 'no ink' },
  ];
  const printed: string[] = [];
  child.on('message', ({ kind, id, page }: { kind: string; id: number; page: string }) => {
    if (kind !== 'print') return;
    printed.push(page);
    child!.send({ kind: 'printed', id, ...answers.shift() });
  });
  child.send({ kind: 'prints' });
  const ask = () => fetch(`${url}/pages/?search=&format=pdf`, { headers: { authorization: `Token ${token}` } });
  const first = await ask();
  assert.equal(first.headers.get('Content-Type'), 'application/pdf');
  assert.equal(await first.text(), '%PDF-of the shell');
  assert.match(printed[0]!, /^<!doctype html>/);
  const second = await ask();
  assert.equal(second.status, 503);
  assert.match(await second.text(), /The report could not be printed: no ink/);
});
