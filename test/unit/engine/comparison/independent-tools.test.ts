// The difference of two real APKs beside what aapt, dexdump and unzip say of each: names that one of them alone has.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ComparedPart } from '../../../../server/contract/engine/comparison.ts';
import { apkDexes } from '../../../fixtures/apk-dexes.ts';
import { comparedSide, difference } from '../../../fixtures/compared-apks.ts';
import { realApks } from '../../../fixtures/real-apks.ts';
import { type SystemTool, systemTool } from '../../../fixtures/system-tools.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';

const apks = [realApks.unicodeIme, realApks.settings] as const;
const { parts } = difference(comparedSide(apks[0]), comparedSide(apks[1]));

const run = (tool: SystemTool, ...words: string[]) =>
  spawnSync(systemTool(tool).path!, words, { encoding: 'latin1', maxBuffer: 256 * 1024 * 1024 }).stdout;
const matches = (text: string, pattern: RegExp) => new Set([...text.matchAll(pattern)].map(([, name]) => name!));
/** What the first or the second alone has, as a tool tells it of each. */
const alone = (first: Set<string>, second: Set<string>) => ({
  removed: [...first].filter((name) => !second.has(name)).sort(),
  added: [...second].filter((name) => !first.has(name)).sort(),
});
/** The same as the comparison tells it; under another name a thing is gone here and has come there. */
const told = (part: ComparedPart) => ({
  removed: parts[part].differences
    .flatMap(({ state, name }) => (state === 'removed' || state === 'renamed' ? [name] : []))
    .sort(),
  added: parts[part].differences
    .flatMap(({ state, name, to }) => (state === 'added' ? [name] : state === 'renamed' ? [to!] : []))
    .sort(),
});

test('permissions are those that aapt finds', { skip: systemTool('aapt').skip }, () => {
  const of = (path: string) =>
    matches(run('aapt', 'dump', 'permissions', path), /^uses-permission(?:-sdk-23)?: name='([^']+)'/gm);
  assert.deepEqual(told('permissions'), alone(of(apks[0]), of(apks[1])));
});

test('components are those that aapt finds in the manifests', { skip: systemTool('aapt').skip }, () => {
  const of = (path: string) => {
    const text = run('aapt', 'dump', 'xmltree', path, 'AndroidManifest.xml');
    const packageName = /package="([^"]+)"/.exec(text)![1]!;
    const names = matches(
      text,
      /^ +E: (?:activity|activity-alias|service|receiver|provider) [^\n]*\n(?: +A: [^\n]*\n)*? +A: android:name\([^)]*\)="([^"]+)"/gm,
    );
    return new Set([...names].map((name) => (name.startsWith('.') ? packageName + name : name)));
  };
  assert.deepEqual(told('components'), alone(of(apks[0]), of(apks[1])));
});

test('resources are those that aapt finds, each in its configurations', { skip: systemTool('aapt').skip }, () => {
  const of = (path: string) => {
    const names = new Set<string>();
    let config = '';
    for (const line of run('aapt', 'dump', 'resources', path).split('\n')) {
      config = /^ +config (.*):$/.exec(line)?.[1] ?? config;
      const name = /^ +resource 0x\w+ [^:]+:([^:]+): /.exec(line)?.[1];
      if (name !== undefined) names.add(config === '(default)' ? name : `${name} (${config})`);
    }
    return names;
  };
  assert.equal(parts.resources.is_cut, false);
  assert.deepEqual(told('resources'), alone(of(apks[0]), of(apks[1])));
});

test('classes are those that dexdump finds', { skip: systemTool('dexdump').skip }, async () => {
  const folder = temporaryFolder('dexdump');
  const of = async (path: string) => {
    const names = new Set<string>();
    for (const [name, dex] of await apkDexes(path)) {
      const file = join(folder, name.replaceAll('/', '_'));
      writeFileSync(file, dex);
      for (const one of matches(run('dexdump', file), /^ {2}Class descriptor {2}: '([^']+)'/gm)) names.add(one);
    }
    return names;
  };
  assert.deepEqual(told('classes'), alone(await of(apks[0]), await of(apks[1])));
});

test('files are those that unzip lists', { skip: systemTool('unzip').skip }, () => {
  const of = (path: string) => matches(run('unzip', '-Z1', path), /^(.+)$/gm);
  assert.deepEqual(told('files'), alone(of(apks[0]), of(apks[1])));
});
