import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EngineRules, ScanTimeout } from '../../../../server/engine/yara/engine.ts';
import { FileFacts } from '../../../../server/engine/yara/file-functions.ts';
import { guardedScan } from '../../../../server/engine/yara/guarded-scan.ts';

const bytes = new Uint8Array();
const file = { bytes, facts: new FileFacts({ name: '', bytes }) };
const asked = { globals: {}, fileCalls: [] };

/** Gets nothing of the processor until the limit that it is given is over, of which it takes note. */
function starved(limits: number[], end: () => void = () => undefined): EngineRules {
  const scan = (_bytes: Uint8Array, _globals: object, limit: number): never[] => {
    limits.push(limit);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, limit);
    end();
    throw new ScanTimeout('its time is over');
  };
  return { scan, serialize: () => null, free: () => undefined };
}

test('a scan that gets nothing of the processor is tried again, and is over past its time on the clock', () => {
  const limits: number[] = [];
  const started = performance.now();
  assert.ok(guardedScan(starved(limits), asked, file, { cpu: 50, clock: 200 }) instanceof ScanTimeout);
  const clock = performance.now() - started;
  assert.ok(limits.length >= 2 && clock >= 150, `${limits.length} tries in ${clock} ms`);
  assert.ok(limits.reduce((sum, limit) => sum + limit, 0) <= 200, `${limits}`);
});

test('a scan that had the processor for its time is not tried again', () => {
  const limits: number[] = [];
  const busy = () => {
    const { user } = process.threadCpuUsage();
    while (process.threadCpuUsage().user - user < 60_000) Math.random();
  };
  assert.ok(guardedScan(starved(limits, busy), asked, file, { cpu: 50, clock: 1000 }) instanceof ScanTimeout);
  assert.equal(limits.length, 1);
});

test('a scan that the engine ended before half of its time on the processor is tried again', () => {
  const outcomes = [new ScanTimeout('a second of the engine ended'), []];
  const limits: number[] = [];
  const scan = (_bytes: Uint8Array, _globals: object, limit: number): never[] => {
    limits.push(limit);
    const outcome = outcomes.shift()!;
    if (Array.isArray(outcome)) return outcome as never[];
    throw outcome;
  };
  const engineRules = { scan, serialize: () => null, free: () => undefined };
  assert.deepEqual(guardedScan(engineRules, asked, file, { cpu: 50, clock: 200 }), []);
  assert.ok(limits[0] === 50 && limits[1]! >= 50 && limits[1]! <= 200, `${limits}`);
});
