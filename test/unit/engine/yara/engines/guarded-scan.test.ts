import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type EngineRules, ScanTimeout } from '../../../../../server/engine/yara/engines/engine.ts';
import { guardedScan } from '../../../../../server/engine/yara/engines/guarded-scan.ts';
import { FileFacts } from '../../../../../server/engine/yara/modules/file-functions.ts';

const bytes = new Uint8Array();
const file = { bytes, facts: new FileFacts({ name: '', bytes }) };
const asked = { globals: {}, fileCalls: [] };

/** An engine whose scans all last to the limit that they are given, of which they have a share of the processor. */
function lateEngine(t: TestContext, share: number): { engineRules: EngineRules; limits: number[] } {
  const limits: number[] = [];
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  t.mock.method(process, 'threadCpuUsage', () => ({ user: now * share * 1000, system: 0 }));
  const scan = (_bytes: Uint8Array, _globals: object, limit: number): never[] => {
    limits.push(limit);
    now += limit;
    throw new ScanTimeout('its time is over');
  };
  return { engineRules: { scan, serialize: () => null, free: () => undefined }, limits };
}

test('a scan that gets nothing of the processor is tried again, and is over past its time on the clock', (t) => {
  const { engineRules, limits } = lateEngine(t, 0);
  assert.ok(guardedScan(engineRules, asked, file, { cpu: 50, clock: 200 }) instanceof ScanTimeout);
  assert.deepEqual(limits, [50, 150]);
});

test('a scan that had the processor for its time is not tried again', (t) => {
  const { engineRules, limits } = lateEngine(t, 0.9);
  assert.ok(guardedScan(engineRules, asked, file, { cpu: 50, clock: 1000 }) instanceof ScanTimeout);
  assert.deepEqual(limits, [50]);
});

test('a scan that shares the processor is given as much longer as it got less', (t) => {
  const { engineRules, limits } = lateEngine(t, 0.25);
  assert.ok(guardedScan(engineRules, asked, file, { cpu: 50, clock: 1000 }) instanceof ScanTimeout);
  assert.deepEqual(limits, [50, 200]);
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
  assert.ok(limits[0] === 50 && limits[1]! >= 50, `${limits}`);
});
