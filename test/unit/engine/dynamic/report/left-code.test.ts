// Code that an app leaves while it runs is kept whole, with every way that it came, also where the app covers its tracks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LeftCode } from '../../../../../server/engine/dynamic/report/left-code.ts';
import { buildDex } from '../../../../fixtures/dex-builder.ts';

const dex = buildDex({ classes: [{ descriptor: 'Lpay/Load;' }] });
const script = Buffer.from('#!/system/bin/sh\nid\n');

function leftCode() {
  let method = 'run';
  const limits = new Set<string>();
  const frame = () => ({ className: 'a.b.Dropper', methodName: method, isApp: true, address: 0 });
  const left = new LeftCode({ stackTrace: () => [frame()] }, limits);
  const within = (name: string, act: () => void) => {
    method = name;
    act();
  };
  const shown = () =>
    left.artefacts.map(({ kind, path, ways }) => [
      kind,
      path,
      ...ways.map(({ action, by }) => `${action} by ${by?.replace('La/b/Dropper;->', '')}`),
    ]);
  return { left, limits, within, shown };
}

test('a file of code that is deleted, emptied or renamed is kept with its writer, and one of words is not', () => {
  const { left, within, shown } = leftCode();
  within('drop', () => left.wrote('/data/x.dex'));
  within('clean', () => left.gone('/data/x.dex', dex));
  within('note', () => left.wrote('/data/notes'));
  left.gone('/data/notes', Buffer.from('words'));
  within('stage', () => left.wrote('/data/tmp'));
  left.renamed('/data/tmp', '/data/run.sh');
  left.gone('/data/run.sh', script);
  // Nobody wrote it: it came with the system.
  left.gone('/system/bin/tool', script);
  assert.deepEqual(shown(), [
    ['dex', '/data/x.dex', 'written by drop'],
    ['script', '/data/run.sh', 'written by stage'],
  ]);
});

test('what is decrypted at once is kept from memory, and what is decrypted piece by piece is known again in its file', () => {
  const { left, within, shown } = leftCode();
  within('decrypt', () => left.decrypted(dex.subarray(0, 100)));
  assert.deepEqual(shown(), []);
  within('save', () => left.wrote('/data/x.dex'));
  within('load', () => left.keep('loaded', 'dex', '/data/x.dex', dex));
  left.gone('/data/x.dex', dex);
  within('unpack', () => left.decrypted(script));
  assert.deepEqual(shown(), [
    ['dex', '/data/x.dex', 'decrypted by decrypt', 'written by save', 'loaded by load'],
    ['script', 'in memory', 'decrypted by unpack'],
  ]);
});

test('what a server sends is kept without the head of its answer, and past the bounds the run says so', () => {
  const { left, limits, within, shown } = leftCode();
  const answer = Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n'), dex]);
  within('fetch', () => left.received('evil.example:80', answer));
  left.received('evil.example:80', Buffer.from('HTTP/1.1 200 OK\r\n\r\n{}'));
  assert.deepEqual(shown(), [['dex', 'evil.example:80', 'downloaded by fetch']]);
  assert.deepEqual(Buffer.from(left.artefacts[0]!.bytes), dex);
  for (let index = 0; index < 100; index++) left.keep('installed', 'apk', `/sdcard/${index}.apk`, Buffer.from([index]));
  assert.deepEqual([left.artefacts.length, [...limits]], [100, ['artefacts']]);
});
