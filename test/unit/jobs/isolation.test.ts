// A worker that runs the attacker's JavaScript reaches nothing: tried in every wall that stands on this machine.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { type Escape, escapes } from '../../../server/contract/workstation/isolation.ts';
import { type MeasuredIsolation, measureIsolation } from '../../../server/jobs/wall/probe.ts';
import { type Confession, Trap, type Treasure } from '../../../server/jobs/wall/trap.ts';
import type { Wall } from '../../../server/jobs/wall/wall.ts';
import { createWorkerPool } from '../../../server/jobs/worker-pool.ts';
import { walls } from './walls.ts';

const deeds: Record<Escape, string> = {
  tcp: 'connects over TCP',
  fetch: 'fetches an address',
  udp: 'sends a datagram',
  dns: 'asks a name server',
  'unix-socket': 'connects to a socket in the file system',
  'abstract-socket': 'connects to a socket without a file',
  listen: 'listens where others reach it',
  read: 'reads a file of the data folder',
  write: 'writes a file',
  'sqlite-read': 'opens the database',
  'sqlite-write': 'makes a database',
  signal: 'signals a process of ours',
  'group-signal': 'signals the group of our processes',
  priority: 'changes the priority of a process of ours',
  environment: 'reads the environment of a process of ours',
  spawn: 'starts a program that gets out',
};

const folder = mkdtempSync(join(tmpdir(), 'apk-workstation-isolation-'));
const treasure: Treasure = { folder, database: join(folder, 'catalogue.db') };
const database = new DatabaseSync(treasure.database);
database.exec('create table account (password)');
after(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What has a program run as the user `nobody`. */
const nobody = ['--reuid=65534', '--regid=65534', '--clear-groups', '--', process.execPath];
const measuring = join(import.meta.dirname, './measure-isolation.ts');

function skipsOrdinaryUser(): false | string {
  if (process.getuid?.() !== 0) return 'everything here is tried as one already';
  const reading = `require('node:fs').readFileSync(${JSON.stringify(measuring)})`;
  return spawnSync('setpriv', [...nobody, '-e', reading]).status !== 0 && 'nobody else may read this project';
}

function asOrdinaryUser(name: string): MeasuredIsolation {
  return JSON.parse(execFileSync('setpriv', [...nobody, measuring, name], { encoding: 'utf8' })) as MeasuredIsolation;
}

const openOnes = (report: MeasuredIsolation, by: 'isClosedBySystem' | 'isClosedByRuntime') =>
  report.escapes.filter((way) => way[by] !== true).map(({ name }) => name);

for (const { name, wall, skip } of walls) {
  describe(`behind ${name}`, { skip }, () => {
    let report: MeasuredIsolation;
    before(async () => {
      report = await measureIsolation(wall, treasure);
    });
    for (const way of escapes) {
      test(`hostile JavaScript with all of Node's modules never ${deeds[way]}`, () => {
        assert.equal(report.escapes.find((found) => found.name === way)?.isClosedBySystem, true);
      });
    }
    test('this is told as enforced', () => {
      assert.deepEqual([report.status, report.kind], ['enforced', wall.kind]);
    });
    for (const kind of ['static', 'yara'] as const) {
      test(`a worker for ${kind === 'yara' ? 'rules' : 'analyses'} that was taken over gets nothing out`, async () => {
        assert.deepEqual(await takenOver(wall, kind), []);
      });
    }
    test('the same holds for an ordinary user of the system', { skip: skipsOrdinaryUser() }, () => {
      const told = asOrdinaryUser(name);
      assert.deepEqual([told.status, openOnes(told, 'isClosedBySystem')], ['enforced', []]);
    });
  });
}

test('the second wall alone, in JavaScript, closes every way that is known', async () => {
  const report = await measureIsolation(null, treasure);
  assert.deepEqual([report.status, report.kind], ['missing', null]);
  assert.deepEqual(openOnes(report, 'isClosedByRuntime'), []);
  assert(report.escapes.every((way) => way.isClosedBySystem === null));
});

test('the bait is real: without walls the intruder gets at everything, and that is told as leaking', {
  skip: process.platform !== 'linux' && 'some ways exist on Linux alone',
}, async () => {
  const none: Wall = { kind: 'namespaces', enclose: ({ words }) => [...words] };
  const report = await measureIsolation(none, treasure);
  assert.equal(report.status, 'leaking');
  // The intruder is in a group of processes of its own, wall or not.
  const held = report.escapes.filter((way) => way.isClosedBySystem).map(({ name }) => name);
  assert.deepEqual(held, ['group-signal']);
});

test('an intruder that never comes to its end was not measured', async () => {
  const deaf: Wall = { kind: 'namespaces', enclose: () => [process.execPath, '-e', ''] };
  assert.equal((await measureIsolation(deaf, treasure)).status, 'unmeasured');
});

/** What an intruder got at in a worker of the pool, as workers are. */
async function takenOver(wall: Wall, kind: 'static' | 'yara'): Promise<Escape[]> {
  const pool = createWorkerPool({
    readableFolders: [join(import.meta.dirname, '../../../server/jobs/wall')],
    entry: new URL('./hostile-worker.ts', import.meta.url),
    concurrency: 1,
    isBackground: false,
    wall,
  });
  const trap = await Trap.set(treasure);
  try {
    const file = { kind: 'plain', path: JSON.stringify(trap.bait) } as const;
    const reports = { androguard: null, cuckoo: null, droidbox: null };
    const confessions: Confession[] = [];
    const onProgress = (stage: string) => confessions.push(JSON.parse(stage) as Confession);
    const reply = await (kind === 'static'
      ? pool.run({ kind, file, fileName: '' }, { onProgress })
      : pool.run({ kind, file, rulesets: [], reports }, { onProgress }));
    assert.deepEqual(reply, { status: 'failed', code: 'internal', message: 'over' });
    for (const confession of confessions) await trap.hear(confession);
    const refused = confessions.flatMap((confession) => ('refused' in confession ? [confession.refused] : []));
    assert.deepEqual(new Set(refused), new Set(escapes));
  } finally {
    await pool.close();
    trap.clear();
  }
  return [...trap.touched];
}
