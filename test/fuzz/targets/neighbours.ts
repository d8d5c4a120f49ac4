// Fuzz target: what programs beside the workstation answer: an adb server and its devices, ClamAV.

import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { Readable } from 'node:stream';
import { AdbError } from '../../../server/services/analyses/adb/adb-connection.ts';
import { AdbServer } from '../../../server/services/analyses/adb/adb-server.ts';
import {
  connectionsOf,
  logLinesOf,
  processesOf,
  uidOf,
} from '../../../server/services/analyses/adb/device-observation.ts';
import { packagesOf } from '../../../server/services/analyses/adb/device-packages.ts';
import {
  ClamavInterruption,
  ClamavRefusal,
  ClamavUnavailable,
  Clamd,
} from '../../../server/services/analyses/clamav.ts';
import { type ErrorClass, type FuzzTarget, texts } from '../target.ts';

/** Milliseconds after which an answer that does not end is taken for none. */
const patience = 300;
/** To whatever is asked next. */
let answer: Uint8Array = Buffer.alloc(0);
const server: Server = createServer((socket) => {
  // Unread, it would never see its other end leave.
  socket.on('error', () => undefined).resume();
  socket.end(answer);
}).listen(0, '127.0.0.1');

/** What a shell prints, and that it ended well. */
function shellOutput(bytes: Uint8Array): Buffer {
  const head = Buffer.from([1, 0, 0, 0, 0]);
  head.writeUInt32LE(bytes.length, 1);
  return Buffer.concat([Buffer.from('OKAYOKAY'), head, bytes, Buffer.from([3, 1, 0, 0, 0, 0])]);
}

export const target: FuzzTarget = {
  subject: ['services/analyses/adb/', 'services/analyses/clamav'],
  isText: true,
  samples: texts(
    'OKAY0004001fOKAY0010emulator-5554\tdevice',
    'FAIL000bunknown host',
    'OKAYOKAY\x01\x05\0\0\0hello\x02\x03\0\0\0bad\x03\x01\0\0\0\x00',
    'stream: Andr.Trojan.Agent-1(44d88612fea8a8f36de82e1278abb02f:68) FOUND\0stream: OK\0',
    'stream: size limit exceeded. ERROR\0',
    'List\nemulator-5554          device product:sdk model:Pixel transport_id:1\n0123 unauthorized usb:1-1',
    'package:/data/app/x-1/base.apk=com.example versionCode:7 uid:10080\npackage:com.b',
    '  0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000 10080 0 1 1\n',
    '06-16 12:30:15.123  1234  1240 E AndroidRuntime: FATAL EXCEPTION: main\nu0_a80 1234 1 S com.example\nuserId=10080',
  ),
  refusals: [],
  async run(bytes) {
    const text = Buffer.from(bytes).toString();
    const read = [connectionsOf(text, 10_080), processesOf(text, 10_080), uidOf(text, 'com.example')];
    const lines = logLinesOf(text, new Set([1234]), 0);
    if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const signal = () => AbortSignal.timeout(patience);
    const adb = new AdbServer(address);
    const device = adb.device('x');
    const answered = async <T>(said: Uint8Array, question: Promise<T>) => {
      answer = said;
      return question.catch(refusedBy(AdbError, ClamavInterruption, ClamavRefusal, ClamavUnavailable));
    };
    await answered(bytes, adb.version(signal()));
    await answered(bytes, adb.devices(signal()));
    await answered(bytes, device.shell('id', { signal: signal(), patience }));
    await answered(bytes, new Clamd(address, patience).scan(Readable.from([Buffer.from('x')]), signal()));
    // What stands in the frames of the protocol.
    const length = bytes.length.toString(16).padStart(4, '0');
    await answered(Buffer.concat([Buffer.from(`OKAY${length}`), bytes]), adb.devices(signal()));
    await answered(shellOutput(bytes), packagesOf(device, true, signal()));
    return [read, lines];
  },
  async close() {
    server.close();
  },
};

const refusedBy =
  (...classes: readonly ErrorClass[]) =>
  (error: unknown): null => {
    if (classes.some((each) => error instanceof each)) return null;
    throw error;
  };
