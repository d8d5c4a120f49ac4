import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createJobQueue } from '../../../../server/jobs/job-queue.ts';
import { createJobRunner } from '../../../../server/jobs/job-runner.ts';
import { AntivirusScans } from '../../../../server/services/analyses/antivirus-scans.ts';
import { EventBus } from '../../../../server/services/event-bus.ts';
import { Detections } from '../../../../server/services/triage/detections.ts';
import type { JobRecord } from '../../../../server/store/repositories/job-repository.ts';
import { handlersWith } from '../../jobs/handlers.ts';
import { openScratch, scratchFolder } from '../../store/scratch-store.ts';

const log = { error: () => undefined };

/** A scanner on an empty store with one file, whose antivirus is a clamd at `address`. */
async function scannerAt(address: string) {
  const store = await openScratch(scratchFolder());
  await store.transaction(({ settings }) => settings.write('antivirus', 'clamd'));
  await store.transaction(({ settings }) => settings.write('antivirus_address', address));
  const received = await store.files.receive(Readable.from([Buffer.from('some bytes')]));
  await received.commit();
  const { sha256, sha1, md5, size } = received;
  const apk = await store.transaction(({ apks }) => apks.insert({ sha256, sha1, md5, size }));
  const queue = createJobQueue(store);
  const scans = new AntivirusScans(store, queue, new Detections(store, new EventBus(store, queue, log)), 20);
  const runner = createJobRunner({
    queue,
    handlers: handlersWith({ antivirus: scans.perform }),
    concurrency: () => 1,
    log,
  });
  const { job } = await queue.enqueue({ kind: 'antivirus', apkId: apk.id, priority: 1 });
  return { store, queue, runner, job, apk };
}

/** Speaks as clamd does: its version, then `answer` to a scan. */
function pretendClamd(answer: () => string) {
  return createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (piece) => {
      if (piece.includes('zVERSION')) socket.end('ClamAV 1.4.6/27458/Sat Nov 21 09:00:00 2026\0');
      else if (piece.subarray(-4).equals(Buffer.alloc(4))) socket.end(answer());
    });
  });
}

async function listening(server: ReturnType<typeof pretendClamd>, port = 0): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return (server.address() as { port: number }).port;
}

test('a scan that waits for its daemon outlives the workstation, and is made when the daemon is back', async () => {
  const server = pretendClamd(() => 'stream: Andr.Trojan.Fake-1 FOUND\0');
  const port = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  const { store, queue, runner, job, apk } = await scannerAt(`127.0.0.1:${port}`);
  await runner.start();
  let current: JobRecord | null = null;
  while (!current?.stage.startsWith('waiting for clamd')) {
    await sleep(10);
    current = await queue.find(job.id);
  }
  await runner.stop();
  assert.equal((await queue.find(job.id))?.status, 'queued');
  await listening(server, port);
  await runner.start();
  await runner.idle();
  assert.equal((await queue.find(job.id))?.status, 'done');
  const [detection] = await store.detections.ofApks([apk.id]);
  assert.deepEqual(detection?.information, {
    signature: 'Andr.Trojan.Fake-1',
    score: null,
    tags: ['andr', 'trojan'],
    additional_information: {
      engine: 'ClamAV 1.4.6',
      definitions: '27458',
      definitions_date: 'Sat Nov 21 09:00:00 2026',
      program: 'clamd',
      signatures: ['Andr.Trojan.Fake-1'],
    },
  });
  assert.equal((await store.apks.findById(apk.id))?.isDetected, true);
  server.close();
  await runner.stop();
  await store.close();
});

test('a file over which a working daemon breaks off again and again is given up, one that it refuses at once', async () => {
  for (const [answer, code, scansMade] of [
    ['', 'antivirus-interrupted', 3],
    ['INSTREAM size limit exceeded. ERROR\0', 'antivirus-refusal', 1],
  ] as const) {
    let asked = 0;
    const server = pretendClamd(() => {
      asked += 1;
      return answer;
    });
    const { store, queue, runner, job } = await scannerAt(`127.0.0.1:${await listening(server)}`);
    await runner.start();
    await runner.idle();
    const ended = await queue.find(job.id);
    assert.deepEqual([ended?.status, ended?.errorCode, asked], ['failed', code, scansMade]);
    server.close();
    await runner.stop();
    await store.close();
  }
});

test('a scan that a limit cut short is partial, and takes nothing back', async () => {
  const answers = ['stream: Andr.Trojan.Fake-1 FOUND\0', 'stream: Heuristics.Limits.Exceeded.MaxScanSize FOUND\0'];
  const server = pretendClamd(() => answers.shift()!);
  const { store, queue, runner, job, apk } = await scannerAt(`127.0.0.1:${await listening(server)}`);
  await runner.start();
  await runner.idle();
  assert.equal((await queue.find(job.id))?.status, 'done');
  const { job: second } = await queue.enqueue({ kind: 'antivirus', apkId: apk.id, priority: 1 });
  await runner.idle();
  assert.equal((await queue.find(second.id))?.status, 'partial');
  assert.equal((await store.detections.ofApks([apk.id])).length, 1);
  server.close();
  await runner.stop();
  await store.close();
});
