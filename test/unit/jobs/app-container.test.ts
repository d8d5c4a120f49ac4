// The wall of Windows, as far as it can be looked at elsewhere: what is handed to its launcher, and that this compiles.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { appContainerWall, commandLine } from '../../../server/jobs/wall/app-container.ts';

const launcherSource = join(import.meta.dirname, '../../../resources/windows/worker-wall.cs');
const hostile = [
  'C:\\Program Files\\node.exe',
  'C:\\a folder\\',
  '\\\\server\\share\\\\',
  'say "hello"',
  'C:\\quoted\\"\\\\"',
  "'; Remove-Item C:\\ -Recurse; '",
  '\u2018$(calc)\u2019 `n %TEMP% ^& | > "',
  '',
  'line\nbreak',
  '{"nonce":"x","socket":"\\\\\\\\.\\\\pipe\\\\probe"}',
];

/** As C's runtime on Windows takes a command line apart. */
function wordsOf(line: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let isQuoted = false;
  for (const [, backslashes = '', character = ''] of line.matchAll(/(\\*)([^\\]|$)/gsu)) {
    if (character === '"') {
      word = (word ?? '') + '\\'.repeat(backslashes.length / 2);
      if (backslashes.length % 2 === 1) word += '"';
      else isQuoted = !isQuoted;
      continue;
    }
    if (backslashes !== '') word = (word ?? '') + backslashes;
    if (character === '' || (character === ' ' && !isQuoted)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + character;
  }
  return words;
}

/** The script that PowerShell is given, and the plan in it. */
function planOf(command: readonly string[]) {
  const script = Buffer.from(command.at(-1)!, 'base64').toString('utf16le');
  const [, packed = ''] = /FromBase64String\('([A-Za-z0-9+/=]*)'\)/.exec(script) ?? [];
  return { script, plan: JSON.parse(inflateRawSync(Buffer.from(packed, 'base64')).toString()) };
}

test('programs of Windows take a command line apart into the words that it was made of, whatever these are', () => {
  assert.deepEqual(wordsOf(commandLine(hostile)), hostile);
});

test('the launcher gets the program, its words and the paths that it may read, and PowerShell sees none of them', () => {
  const command = appContainerWall.enclose({ words: ['C:\\node.exe', ...hostile], visible: hostile });
  assert.match(command[0]!, /\\powershell\.exe$/);
  assert(command.every((word) => /^[A-Za-z0-9+/=:.\\-]+$/.test(word)));
  const { script, plan } = planOf(command);
  assert.equal(plan.program, 'C:\\node.exe');
  assert.deepEqual(wordsOf(plan.commandLine).slice(-hostile.length), hostile);
  assert.deepEqual(plan.visible, hostile);
  assert.deepEqual(
    plan.environment.map((entry: string) => entry.split('=')[0]),
    ['SystemRoot'],
  );
  assert(hostile.every((word) => word === '' || !script.includes(word)));
});

test('a worker that may read a hundred files named one by one fits on a command line of Windows', () => {
  const paths = Array.from({ length: 100 }, (_, index) => {
    const sha256 = createHash('sha256').update(`${index}`).digest('hex');
    return `C:\\Users\\analyst\\AppData\\Roaming\\APK Workstation\\apks\\${sha256.slice(0, 2)}\\${sha256}`;
  });
  const words = ['C:\\node.exe', ...paths.map((path) => `--allow-fs-read=${path}`)] as const;
  const command = appContainerWall.enclose({ words, visible: paths });
  const length = command.join('" "').length;
  assert(length < 32_767, `${length} letters`);
});

test('the launcher compiles as C# 5, the language of Windows PowerShell, without a warning', {
  skip: spawnSync('mcs', ['--version']).status !== 0 && 'there is no mcs: install mono-mcs',
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'apk-workstation-launcher-'));
  after(() => rmSync(folder, { recursive: true }));
  const words = [
    '-langversion:5',
    '-warnaserror',
    '-target:library',
    `-out:${join(folder, 'wall.dll')}`,
    launcherSource,
  ];
  const { status, stdout, stderr } = spawnSync('mcs', words, { encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
});
