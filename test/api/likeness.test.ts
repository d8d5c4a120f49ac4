// Apps and what developers, repackagers and obfuscators make of them, against strangers with the same library: asked over HTTP.
// `npm run -s likeness` takes more of both, and ProGuard.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JavaTools, missingTools } from '../fixtures/java-tools.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { askedForEach } from '../likeness/asked-workstation.ts';
import { classesOfJar, smaliOfClasses } from '../likeness/built-apps.ts';
import { builtGroups } from '../likeness/built-groups.ts';
import { type Asked, likenessFigures } from '../likeness/likeness-figures.ts';

/** What Debian's smali brings along. */
const jar = (name: string): string => `/usr/share/java/${name}.jar`;
const bases = [
  { jar: jar('jcommander'), prefix: 'com/beust/jcommander/', main: 'com.beust.jcommander.JCommander' },
  { jar: jar('dexlib2'), prefix: 'org/jf/dexlib2/writer/', main: 'org.jf.dexlib2.writer.pool.DexPool' },
];

test('relatives come before strangers with the same library, and none of these scores a half', {
  skip: missingTools(),
}, async () => {
  const java = JavaTools.ofProcess;
  const part = (name: string, prefix = '') => smaliOfClasses(classesOfJar(jar(name), prefix));
  const tools = { java, folder: temporaryFolder('likeness'), proguard: null };
  const apks = await builtGroups(tools, bases, part('antlr3-runtime'), part('dexlib2', 'org/jf/dexlib2/dexbacked/'));
  const { relatives, strangers, missed, mistaken, recall } = likenessFigures(await askedForEach(apks));
  assert.deepEqual([relatives, strangers, missed, mistaken], [180, 200, [], []]);
  assert.ok(recall > 0.9, String(recall));
});

test('figures count what is found of relatives, and strangers by their score', () => {
  const stranger = (score: number) => ({ apk: 'x', group: 'two', score });
  const asked = (apk: string, group: string, found: Asked['found']): Asked => ({ apk, group, found });
  const figures = likenessFigures([
    asked('a', 'one', [stranger(0.9), { apk: 'b', group: 'one', score: 0.7 }]),
    asked('b', 'one', []),
    asked('x', 'two', []),
  ]);
  const { amongFirst, recall, precision, strangersAboveHalf, missed, mistaken } = figures;
  assert.deepEqual([amongFirst, recall, precision, strangersAboveHalf], [0.5, 0.5, 0.5, 0.25]);
  assert.deepEqual([missed, mistaken], [['b, a'], ['a, x, 0.9']]);
  const late = asked('a', 'one', [...Array(5).fill(stranger(0.3)), { apk: 'b', group: 'one', score: 0.2 }]);
  assert.deepEqual(likenessFigures([late, asked('b', 'one', [])]).missed, ['a, b', 'b, a']);
});
