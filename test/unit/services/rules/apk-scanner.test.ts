import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EngineReply } from '../../../../server/contract/process-line/messages.ts';
import type { WorkerPool } from '../../../../server/jobs/worker-pool.ts';
import { StoredFileTasks } from '../../../../server/services/analyses/stored-file-tasks.ts';
import type { DiskRoom } from '../../../../server/services/disk-room.ts';
import type { EventBus } from '../../../../server/services/event-bus.ts';
import { ApkScanner } from '../../../../server/services/rules/apk-scanner.ts';
import type { ApkRecord } from '../../../../server/store/repositories/apk-repository.ts';
import type { Store } from '../../../../server/store/store.ts';

/** No report: whoever looks into it fails. */
const stored = Buffer.from('megabytes under compression');
const apk = { id: 1, sha256: 'ab', size: 1_000_000, children: null } as ApkRecord;

/** A pool whose worker dies of texts that say so; it notes what it was given. */
function scannerWith(dieOf: (rules: string) => string | null, milliseconds = 1, isLate = (_: string) => false) {
  const runs: string[][] = [];
  const readKinds: string[] = [];
  const handed: unknown[] = [];
  const pool = {
    run: async (task: { rulesets: { id: string; rules: string }[]; reports: object }): Promise<EngineReply> => {
      handed.push(task.reports);
      runs.push(task.rulesets.map(({ id }) => id));
      const code = task.rulesets.map(({ rules }) => dieOf(rules)).find((found) => found !== null);
      if (code !== undefined) return { status: 'failed', code: code as 'crashed', message: 'It died.' };
      const rulesets = task.rulesets.map(({ id }) => {
        const nothing = { errors: [], files_scanned: 1, matches_count: 0, rules_matched: [], rules_measured: [] };
        return { id, status: isLate(id) ? ('timeout' as const) : ('done' as const), ...nothing };
      });
      return {
        status: 'done',
        result: { rulesets, findings: [], timings: { yara: task.rulesets.length === 1 ? milliseconds : 1 } },
      };
    },
  } as unknown as WorkerPool;
  const store = {
    files: { inspect: () => 'ok', fileReference: () => ({ kind: 'plain', path: '' }), verify: async () => 'altered' },
    reports: {
      readCompressed: async (_: number, kind: string) => {
        readKinds.push(kind);
        return { kind, size: 20_000_000, compressed: stored };
      },
    },
    parts: { of: async () => [] },
    transaction: async () => null,
  } as unknown as Store;
  return {
    scanner: new ApkScanner(store, new StoredFileTasks(store, pool, {} as EventBus, {} as DiskRoom)),
    runs,
    readKinds,
    handed,
  };
}

const texts = (...rules: string[]) => rules.map((text, index) => ({ id: `r${index}`, rules: text }));
const statuses = async (scanner: ApkScanner, rulesets: ReturnType<typeof texts>) => {
  const scan = await scanner.scan(apk, rulesets);
  return scan.status === 'failed' ? scan.code : scan.outcomes.map(({ id, status, code }) => `${id} ${status} ${code}`);
};

test('rulesets that no worker survives are found; the others are run without them', async () => {
  const { scanner } = scannerWith((rules) => (rules === 'bad' ? 'crashed' : rules === 'large' ? 'memory' : null));
  const rulesets = texts('a', 'b', 'bad', 'c', 'd', 'large', 'e');
  assert.deepEqual(await statuses(scanner, rulesets), [
    'r0 done done',
    'r1 done done',
    'r2 failed crashed',
    'r3 done done',
    'r4 done done',
    'r5 failed memory',
    'r6 done done',
  ]);
});

test('a ruleset whose worker died runs by itself from then on', async () => {
  const { scanner, runs } = scannerWith((rules) => (rules === 'bad' ? 'timeout' : null));
  await scanner.scan(apk, texts('a', 'bad', 'c'));
  runs.length = 0;
  await scanner.scan(apk, texts('a', 'bad', 'c'));
  assert.deepEqual(runs, [['r0', 'r2'], ['r1'], ['harmless']]);
});

test('an APK that no worker survives, whatever the rules, fails as a whole', async () => {
  const { scanner, runs } = scannerWith(() => 'crashed');
  assert.equal(await statuses(scanner, texts('a', 'b')), 'crashed');
  assert.equal(runs.length, 2);
});

test('a stored file that cannot be read is looked at, and the scan says what is wrong with it', async () => {
  const { scanner } = scannerWith(() => 'unreadable-file');
  assert.equal(await statuses(scanner, texts('a')), 'file-altered');
});

test('reports are read only where a rule may ask them', async () => {
  const { scanner, readKinds } = scannerWith(() => null);
  await scanner.scan(apk, texts('rule a { condition: true }'));
  assert.deepEqual(readKinds, []);
  await scanner.scan(apk, [{ id: 'asks', rules: 'import/**/"droidbox" rule a { condition: true }' }]);
  assert.deepEqual(readKinds, ['androguard', 'cuckoo', 'dynamic']);
});

test('a ruleset that runs apart, and takes longer than its APK warrants, is slow', async () => {
  const { scanner, runs } = scannerWith(() => null, 3300);
  const scan = await scanner.scan(apk, texts('a', 'b', 'c'), { apart: 'r1' });
  assert.deepEqual(runs, [['r0', 'r2'], ['r1']]);
  assert.ok(scan.status === 'done');
  assert.deepEqual(
    scan.outcomes.map(({ code }) => code),
    ['done', 'slow', 'done'],
  );
  assert.match(scan.outcomes[1]!.message, /3\.3 seconds for an APK of 1\.0 MB/);
});

test('a ruleset that took too long runs by itself until it does not', async () => {
  const late = new Set(['r1']);
  const { scanner, runs } = scannerWith(
    () => null,
    1,
    (id) => late.has(id),
  );
  const scan = () => scanner.scan(apk, texts('a', 'b', 'c'));
  const first = await scan();
  assert.ok(first.status === 'partial');
  assert.match(first.outcomes[1]!.message, /10 seconds for one file, or than 20 by itself for all files/);
  await scan();
  late.clear();
  await scan();
  await scan();
  assert.deepEqual(runs, [['r0', 'r1', 'r2'], ['r0', 'r2'], ['r1'], ['r0', 'r2'], ['r1'], ['r0', 'r1', 'r2']]);
});

test('reports are handed on as the bytes that are stored, however large they are', async () => {
  const { scanner, handed } = scannerWith(() => null);
  await scanner.scan(apk, texts('import "cuckoo"'));
  const report = { size: 20_000_000, compressed: stored };
  assert.deepEqual(handed, [{ androguard: report, cuckoo: report, droidbox: report }]);
});

test('rulesets of one account that run by themselves have a share of time together; those of others have their own', async () => {
  const { scanner, runs } = scannerWith(
    () => null,
    6_000,
    () => true,
  );
  const rulesets = texts('a', 'b', 'c', 'd', 'e', 'f').map((text, index) => ({
    ...text,
    ...(index < 4 ? { sharer: 7 } : index === 4 ? { sharer: 8 } : {}),
  }));
  await scanner.scan(apk, rulesets);
  runs.length = 0;
  const scan = await scanner.scan(apk, rulesets);
  assert.deepEqual(runs, [['r0'], ['r1'], ['r4'], ['r5']]);
  assert.ok(scan.status === 'partial');
  assert.deepEqual(
    scan.outcomes.map(({ status }) => status),
    ['timeout', 'timeout', 'over-share', 'over-share', 'timeout', 'timeout'],
  );
  assert.match(scan.outcomes[2]!.message, /more than 10 seconds .* Disable or simplify/);
});
