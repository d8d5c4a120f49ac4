import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import {
  ClamavInterruption,
  ClamavRefusal,
  ClamavUnavailable,
  Clamd,
  Clamscan,
} from '../../../../server/services/analyses/clamav.ts';
import { startClamd, writePattern } from '../../../fixtures/antivirus.ts';
import { systemTool } from '../../../fixtures/system-tools.ts';

const clamscan = systemTool('clamscan');
const clamd = systemTool('clamd');
const folder = mkdtempSync(join(tmpdir(), 'apk-workstation-clamav-'));
after(() => rmSync(folder, { recursive: true }));

const never = new AbortController().signal;
const pattern = Buffer.from('a harmless line that the test takes for malware');
const clean = randomBytes(700_000);
const infected = Buffer.concat([randomBytes(300_000), pattern, randomBytes(300_000)]);
const pieces = (bytes: Buffer) => {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 65_536) parts.push(bytes.subarray(at, at + 65_536));
  return Readable.from(parts);
};

function freshFolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

test('clamscan finds what its signatures know and passes the rest', { skip: clamscan.skip }, async () => {
  const database = writePattern(freshFolder('clamscan'), 'Andr.Test.Ours', pattern);
  const engine = new Clamscan(clamscan.path!, database, 60_000);
  assert.match(await engine.version(), /^ClamAV \d+\.\d+/);
  assert.deepEqual(await engine.scan(pieces(infected), never), {
    signatures: ['Andr.Test.Ours.UNOFFICIAL'],
    isComplete: true,
  });
  assert.deepEqual(await engine.scan(pieces(clean), never), { signatures: [], isComplete: true });
  const both = await Promise.all([engine.scan(pieces(infected), never), engine.scan(pieces(clean), never)]);
  assert.deepEqual(
    both.map(({ signatures }) => signatures.length),
    [1, 0],
  );
});

test('a clamscan that is missing, or has no signatures, cannot be asked', { skip: clamscan.skip }, async () => {
  const missing = new Clamscan(join(folder, 'nothing', 'clamscan'), '', 60_000);
  await assert.rejects(missing.version(), ClamavUnavailable);
  await assert.rejects(missing.scan(pieces(clean), never), ClamavUnavailable);
  const empty = new Clamscan(clamscan.path!, freshFolder('empty'), 60_000);
  await assert.rejects(empty.scan(pieces(clean), never), ClamavUnavailable);
});

test('a clamscan that takes too long is ended', { skip: clamscan.skip }, async () => {
  const database = writePattern(freshFolder('slow'), 'Andr.Test.Ours', pattern);
  const endless = new Readable({ read: () => undefined });
  const engine = new Clamscan(clamscan.path!, database, 300);
  await assert.rejects(engine.scan(endless, never), ClamavInterruption);
  assert.equal(endless.destroyed, true);
});

test('clamd is sent the bytes over its socket and says what it knows', { skip: clamd.skip }, async () => {
  const database = freshFolder('clamd');
  writePattern(database, 'Andr.Test.Ours', pattern);
  const daemon = await startClamd(clamd.path!, database, ['StreamMaxLength 1M']);
  const engine = new Clamd(daemon.socket, 60_000);
  try {
    assert.match(await engine.version(), /^ClamAV \d+\.\d+/);
    const verdicts = await Promise.all([infected, clean, infected].map((bytes) => engine.scan(pieces(bytes), never)));
    assert.deepEqual(verdicts, [
      { signatures: ['Andr.Test.Ours.UNOFFICIAL'], isComplete: true },
      { signatures: [], isComplete: true },
      { signatures: ['Andr.Test.Ours.UNOFFICIAL'], isComplete: true },
    ]);
    // A daemon that takes no more resets the connection, now and then before its answer was read.
    await assert.rejects(
      engine.scan(pieces(randomBytes(8_000_000)), never),
      (error) => error instanceof ClamavRefusal || error instanceof ClamavInterruption,
    );
  } finally {
    await daemon.stop();
  }
  await assert.rejects(engine.scan(pieces(clean), never), ClamavUnavailable);
  await assert.rejects(engine.version(), ClamavUnavailable);
});

/** Something that speaks like clamd, to answer as no real one does on demand. */
async function pretend(
  behaviour: (socket: Socket, received: Buffer) => void,
): Promise<{ address: string; server: Server }> {
  const server = createServer((socket) => {
    let received: Buffer = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (piece) => {
      received = Buffer.concat([received, piece]);
      behaviour(socket, received);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, address: `127.0.0.1:${(server.address() as { port: number }).port}` };
}

test('the bytes arrive at clamd in the chunks of its protocol', async () => {
  let taken: Buffer = Buffer.alloc(0);
  const { server, address } = await pretend((socket, received) => {
    if (!received.subarray(-4).equals(Buffer.alloc(4))) return;
    taken = received;
    socket.end('stream: OK\0');
  });
  await new Clamd(address, 10_000).scan(pieces(Buffer.alloc(150_000, 'x')), never);
  server.close();
  const command = 'zINSTREAM\0';
  assert.equal(taken.subarray(0, command.length).toString(), command);
  const chunks: number[] = [];
  for (let at = command.length; at < taken.length; ) {
    const length = taken.readUInt32BE(at);
    chunks.push(length);
    at += 4 + length;
  }
  assert.deepEqual(chunks, [65_536, 65_536, 150_000 - 131_072, 0]);
});

test('what clamd answers is told apart: limits, errors, extended names, nothing, nonsense', async () => {
  const answers: [string, (engine: Clamd) => Promise<void>][] = [
    [
      'stream: Heuristics.Limits.Exceeded.MaxFileSize FOUND\0',
      async (engine) =>
        assert.deepEqual(await engine.scan(pieces(clean), never), { signatures: [], isComplete: false }),
    ],
    [
      'stream: Andr.Trojan.Fake-1(44d88612fea8a8f36de82e1278abb02f:68) FOUND\0',
      async (engine) => assert.deepEqual((await engine.scan(pieces(clean), never)).signatures, ['Andr.Trojan.Fake-1']),
    ],
    [
      'INSTREAM size limit exceeded. ERROR\0',
      (engine) => assert.rejects(engine.scan(pieces(clean), never), ClamavRefusal),
    ],
    ['UNKNOWN COMMAND\0', (engine) => assert.rejects(engine.scan(pieces(clean), never), ClamavInterruption)],
    ['', (engine) => assert.rejects(engine.scan(pieces(clean), never), ClamavInterruption)],
  ];
  for (const [answer, expect] of answers) {
    const { server, address } = await pretend((socket, received) => {
      if (answer === '' || received.length > clean.length) socket.end(answer);
    });
    await expect(new Clamd(address, 10_000));
    server.close();
  }
});

test('a clamd that says nothing is given up after the time limit, one that is asked to stop at once', async () => {
  const { server, address } = await pretend(() => undefined);
  await assert.rejects(new Clamd(address, 200).scan(pieces(clean), never), /did not answer in time|broke off/);
  const cancel = new AbortController();
  const scan = new Clamd(address, 60_000).scan(pieces(clean), cancel.signal);
  setTimeout(() => cancel.abort(), 50);
  await assert.rejects(scan);
  server.close();
});
