// Backups sealed by a passphrase: nothing of them is read without it, and nothing of them is changed unnoticed.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { writeBackup } from '../../../server/store/backup/backup.ts';
import { isSealedBackup } from '../../../server/store/backup/backup-file.ts';
import { restoreBackup } from '../../../server/store/backup/restoration.ts';
import { createPassphraseWriter } from '../../../server/vault/passphrase-seal.ts';
import { commandLine } from '../../fixtures/program.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { startWorkstation, type TestWorkstation } from '../../fixtures/workstation.ts';

const scratch = mkdtempSync(join(tmpdir(), 'apk-workstation-sealed-'));
const nothing = { total: () => undefined, advance: () => undefined };
const now = new Date();
const passphrase = 'Zürich liegt am See';
const sealed = join(scratch, 'one.sealed');

let workstation: TestWorkstation;
before(async () => {
  workstation = await startWorkstation();
  assert.equal((await workstation.upload(realApks.unlock)).status, 201);
  await workstation.server.idle();
  // Several chunks.
  mkdirSync(join(workstation.dataDir, 'feeds'), { recursive: true });
  writeFileSync(join(workstation.dataDir, 'feeds', 'large.zip'), randomBytes(400_000));
});
after(async () => {
  await workstation[Symbol.asyncDispose]();
  rmSync(scratch, { recursive: true, force: true });
});

function run(input: string, ...words: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [commandLine, ...words], (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

let made = 0;
async function restored(file: string, words: string | null): Promise<string> {
  made += 1;
  const folder = join(scratch, `restored-${made}`);
  await restoreBackup(file, folder, { mayReplace: false, progress: nothing, now, passphrase: words });
  return folder;
}

/** What must not be read from a disk: the beginning of a database, of a ZIP, and the master key. */
function isPlain(bytes: Buffer): boolean {
  const key = readFileSync(join(workstation.dataDir, 'keys', 'master.key'));
  return ['SQLite format 3', 'catalogue.db', 'PK\x03\x04', key].some((known) => bytes.includes(known));
}

test('a sealed backup is read with its passphrase alone, however the keyboard composes its letters', async () => {
  const words = ['backup', sealed, '--data-dir', workstation.dataDir, '--passphrase-file', '-'];
  const { status, stdout, stderr } = await run(`${passphrase}\n`, ...words);
  assert.equal(status, 0, stderr);
  assert.equal(JSON.parse(stdout).is_sealed, true);
  assert.equal(statSync(sealed).mode & 0o077, 0);
  assert.equal(isSealedBackup(sealed), true);
  assert.equal(isPlain(readFileSync(sealed)), false);
  const folder = await restored(sealed, passphrase.normalize('NFD'));
  const hash = createHash('sha256').update(readFileSync(realApks.unlock)).digest('hex');
  const path = join('apks', hash.slice(0, 2), hash.slice(2, 4), hash);
  assert.deepEqual(readFileSync(join(folder, path)), readFileSync(join(workstation.dataDir, path)));
  await assert.rejects(restored(sealed, `${passphrase}!`), /passphrase is wrong/);
  await assert.rejects(restored(sealed, null), /is sealed/);
});

test('the command line takes the passphrase from a file or standard input, and asks nobody where there is no terminal', async () => {
  const file = join(scratch, 'passphrase.txt');
  writeFileSync(file, `${passphrase}\r\nsecond line`);
  const [first, second] = [join(scratch, 'by-file'), join(scratch, 'by-input')];
  const byFile = await run('', 'restore', sealed, '--data-dir', first, '--passphrase-file', file);
  assert.equal(byFile.status, 0, byFile.stderr);
  const byInput = await run(passphrase, 'restore', sealed, '--data-dir', second, '--passphrase-file', '-');
  assert.equal(byInput.status, 0, byInput.stderr);
  const asked = await run('', 'restore', sealed, '--data-dir', join(scratch, 'none'));
  assert.match(asked.stderr, /no terminal/);
  const sealing = await run('', 'backup', join(scratch, 'none.sealed'), '--data-dir', workstation.dataDir, '--seal');
  assert.match(sealing.stderr, /no terminal/);
  const short = ['backup', join(scratch, 'none.sealed'), '--data-dir', workstation.dataDir, '--passphrase-file', '-'];
  assert.match((await run('short\n', ...short)).stderr, /at least 12 characters/);
  assert.match((await run('\n', ...short)).stderr, /first line/);
  assert.deepEqual(
    readdirSync(scratch).filter((name) => name.startsWith('none')),
    [],
  );
});

test('a backup without a seal in the place of a sealed one is refused where the passphrase is given', async () => {
  const plain = join(scratch, 'plain.zip');
  await writeBackup(workstation.dataDir, plain, { progress: nothing, now });
  await assert.rejects(restored(plain, passphrase), /is not sealed/);
});

/** The bytes of a backup, sealed anew so that each guess at the passphrase takes little. */
async function cheaplySealed(plain: Uint8Array): Promise<Buffer> {
  const path = join(scratch, 'cheap.sealed');
  const writer = await createPassphraseWriter(`${path}.part`, passphrase, { log2N: 10, r: 8, p: 1 });
  await writer.write(plain);
  await writer.finish();
  await writer.moveTo(path);
  return readFileSync(path);
}

test('whatever is changed in a sealed backup, it is refused, and nothing is left', async () => {
  const plain = readFileSync(join(scratch, 'plain.zip'));
  const whole = await cheaplySealed(plain);
  const chunk = 65_536 + 16;
  const chunkAt = (index: number) => 80 + index * chunk;
  const swapped = Buffer.from(whole);
  whole.copy(swapped, chunkAt(0), chunkAt(1), chunkAt(2));
  whole.copy(swapped, chunkAt(1), chunkAt(0), chunkAt(1));
  const mixed = Buffer.from(whole);
  (await cheaplySealed(plain)).copy(mixed, chunkAt(1), chunkAt(1), chunkAt(2));
  const flipped = (at: number) => {
    const bytes = Buffer.from(whole);
    bytes[at]! ^= 1;
    return bytes;
  };
  const damages: Record<string, Buffer> = {
    'cut in its header': whole.subarray(0, 50),
    'cut at a chunk': whole.subarray(0, chunkAt(2)),
    'without its last byte': whole.subarray(0, -1),
    'without its last chunk': whole.subarray(0, chunkAt(Math.floor((whole.length - 81) / chunk))),
    'with more behind it': Buffer.concat([whole, whole.subarray(-100)]),
    'with two chunks in each other’s place': swapped,
    'with a chunk of another by the same passphrase': mixed,
    'with a chunk left out': Buffer.concat([whole.subarray(0, chunkAt(1)), whole.subarray(chunkAt(2))]),
    ...Object.fromEntries(
      [9, 13, 20, 30, 70, 85, chunkAt(1) - 1, whole.length >> 1, whole.length - 1].map((at) => [
        `with byte ${at} changed`,
        flipped(at),
      ]),
    ),
  };
  const file = join(scratch, 'damaged.sealed');
  writeFileSync(file, whole);
  await restored(file, passphrase);
  for (const [what, bytes] of Object.entries(damages)) {
    writeFileSync(file, bytes);
    await assert.rejects(restored(file, passphrase), /sealed|altered|cannot be read|bytes/, what);
    assert.deepEqual(
      readdirSync(scratch).filter((name) => name.includes(`restored-${made}`)),
      [],
      what,
    );
  }
});

test('a backup that asks for more memory or time than a passphrase takes is refused at once', async () => {
  for (const cost of [
    [40, 8, 1],
    [255, 255, 255],
    [20, 8, 1],
    [17, 8, 255],
    [0, 8, 1],
    [17, 0, 1],
    [17, 8, 0],
  ]) {
    const bytes = readFileSync(sealed);
    bytes.set(cost, 56);
    const file = join(scratch, 'greedy.sealed');
    writeFileSync(file, bytes);
    const before = process.memoryUsage().rss;
    await assert.rejects(restored(file, passphrase), /asks for|altered|passphrase/, String(cost));
    assert.ok(process.memoryUsage().rss - before < 700 * 1024 ** 2);
  }
});

test('neither beside a sealed backup nor in the data folder does its database or key ever stand as it is', async () => {
  const target = join(scratch, 'watched');
  mkdirSync(target);
  const file = join(target, 'one.sealed');
  const seen = new Set<string>();
  const look = () => {
    for (const folder of [target, workstation.dataDir, join(workstation.dataDir, 'cache'), tmpdir()]) {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        if (!entry.isFile() || /^catalogue\.db(?:-wal|-shm)?$|^lock\.db$/.test(entry.name)) continue;
        const path = join(folder, entry.name);
        const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
        if (folder === target || changed >= started) {
          seen.add(entry.name);
          if (folder === target) assert.equal(isPlain(readFileSync(path)), false, path);
          else assert.doesNotMatch(entry.name, /snapshot|partial/, path);
        }
      }
    }
  };
  const started = Date.now();
  await writeBackup(workstation.dataDir, file, { progress: { total: look, advance: look }, now, passphrase });
  look();
  assert.ok(seen.has('one.sealed.partial') && seen.has('one.sealed'));
  assert.deepEqual(readdirSync(target), ['one.sealed']);
});

test('a sealed backup that is interrupted leaves nothing behind', async () => {
  const file = join(scratch, 'interrupted.sealed');
  const words = [commandLine, 'backup', file, '--data-dir', workstation.dataDir, '--passphrase-file', '-'];
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'ignore', 'ignore', 'ipc'] });
  child.stdin?.end(passphrase);
  await once(child, 'message');
  child.kill('SIGTERM');
  await once(child, 'exit');
  assert.deepEqual(
    readdirSync(scratch).filter((name) => name.startsWith('interrupted') && name.includes('partial')),
    [],
  );
});
