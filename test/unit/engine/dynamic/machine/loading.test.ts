import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualFiles } from '../../../../../server/engine/dynamic/machine/virtual-files.ts';
import { committedDex, testMachine } from '../../../../fixtures/dynamic/machine/test-machine.ts';
import { buildZip } from '../../../../fixtures/zip-builder.ts';

const dex = committedDex('loading');
const payload = committedDex('programs');

test('dex that a program loads from a file runs, belongs to its loader, and is reported', () => {
  const { call, machine, printed, dexLoaded } = testMachine([dex]);
  virtualFiles(machine).addFile('/data/payload.dex', payload);
  call('Lp/Loading;', 'file(Ljava/lang/String;)V', machine.string('/data/payload.dex'));
  assert.deepEqual(printed, ['its own loader', '-5']);
  assert.deepEqual(dexLoaded, [`/data/payload.dex ${payload.length}`]);
});

test('an archive brings every classes.dex in it', () => {
  const { call, machine, printed, dexLoaded } = testMachine([dex]);
  const jar = buildZip({
    entries: [
      { name: 'classes.dex', content: committedDex('threads') },
      { name: 'classes2.dex', content: payload },
    ],
  });
  virtualFiles(machine).addFile('/data/payload.jar', jar);
  call('Lp/Loading;', 'file(Ljava/lang/String;)V', machine.string('/data/payload.jar'));
  assert.equal(printed.at(-1), '-5');
  assert.deepEqual(
    dexLoaded.map((line) => line.split(' ')[0]),
    ['/data/payload.jar!classes.dex', '/data/payload.jar!classes2.dex'],
  );
});

test('dex in memory runs as well', () => {
  const { call, machine, printed, dexLoaded } = testMachine([dex]);
  call('Lp/Loading;', 'memory([B)V', machine.byteArray(payload));
  assert.deepEqual(printed, ['its own loader', '-5']);
  assert.deepEqual(dexLoaded, [`in memory ${payload.length}`]);
});

test('the classes of a dex file are listed by name', () => {
  const { call, machine, printed } = testMachine([dex]);
  virtualFiles(machine).addFile('/data/payload.dex', payload);
  call('Lp/Loading;', 'entries(Ljava/lang/String;)V', machine.string('/data/payload.dex'));
  assert.deepEqual(printed, ['p.Named']);
});

test('a path where there is nothing leaves the classes missing, and rubbish is counted', () => {
  const { call, machine, unmodelled } = testMachine([dex]);
  assert.throws(() => call('Lp/Loading;', 'file(Ljava/lang/String;)V', machine.string('/data/none.dex')), {
    message: /^java.lang.ClassNotFoundException: Didn't find class "p.Constants"/,
  });
  virtualFiles(machine).addFile('/data/rubbish.dex', Buffer.from('rubbish'));
  assert.throws(() => call('Lp/Loading;', 'file(Ljava/lang/String;)V', machine.string('/data/rubbish.dex')), {
    message: /^java.lang.ClassNotFoundException/,
  });
  assert.ok(unmodelled.some((what) => what.startsWith('no dex in /data/rubbish.dex')));
});
