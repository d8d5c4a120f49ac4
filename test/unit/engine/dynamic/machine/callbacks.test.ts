// What models hand to the program's own classes, and get back, keeps its taint; and what ends the process ends it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setVirtualNetwork } from '../../../../../server/engine/dynamic/java/virtual-network.ts';
import { ProcessExit } from '../../../../../server/engine/dynamic/machine/limits.ts';
import { committedDex, testMachine } from '../../../../fixtures/dynamic/machine/test-machine.ts';

const dex = committedDex('callbacks');

function printed(method: string): string[] {
  const { call, printed: lines } = testMachine([dex]);
  call('Lp/Callbacks;', `${method}()V`);
  return lines;
}

const imei = 'TAINT_IMEI';
const imsi = 'TAINT_IMSI';

test('bytes of a stream that only knows read() carry what it returned', () => {
  assert.deepEqual(printed('read'), [imsi, '+,-.']);
});

test('a stream that only knows write(int) gets the taint of each byte, and none with the others', () => {
  assert.deepEqual(printed('write'), [imei, 'clean']);
});

test('functions over numbers bring their taint into atomics and streams, and clean what they drop', () => {
  assert.deepEqual(printed('functions'), ['clean', imsi, '45', 'clean', imsi, '84']);
});

test('intern() gives the literal', () => {
  assert.deepEqual(printed('intern'), ['1']);
});

test('System.exit ends the process past handlers, finally blocks and threads, and the machine goes on', () => {
  const { machine, call, printed: lines } = testMachine([dex]);
  assert.throws(
    () => call('Lp/Callbacks;', 'exit()V'),
    (error) => error instanceof ProcessExit && error.status === 7,
  );
  machine.endProcess();
  assert.equal(machine.threadCount, 1);
  machine.runFor(5_000);
  assert.deepEqual(lines, []);
  call('Lp/Callbacks;', 'intern()V');
  assert.deepEqual(lines, ['1']);
});

test("the app's trust manager is asked, and its host name verifier's refusal ends the connection", () => {
  const { machine, call, printed: lines } = testMachine([dex]);
  setVirtualNetwork(machine, {
    resolve: () => ['192.0.2.1'],
    http: () => ({ status: 200, reason: 'OK', headers: [], body: new Uint8Array(0) }),
    connect: () => null,
    listens: () => undefined,
    accept: () => null,
    datagram: () => null,
    interfaces: [],
    hostName: 'phone',
  });
  call('Lp/Callbacks;', 'https()V');
  const refusal = 'javax.net.ssl.SSLPeerUnverifiedException: Hostname bad.example not verified';
  assert.deepEqual(lines, ['ECDHE_RSA', '200', 'ECDHE_RSA', refusal]);
});
