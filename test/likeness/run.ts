// `npm run -s likeness`: how well likeness tells relatives from strangers. Without a folder its apps are Debian's Java programs,
// each with what developers, repackagers and ProGuard make of it. With `-- FOLDER` each sub-folder holds APKs that are derived from
// one, as versions or by an obfuscator, and is a stranger to all others; `--rebuilt` adds what apktool makes of the last of each.
import { globSync, mkdirSync, realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { JavaTools } from '../fixtures/java-tools.ts';
import { systemTool } from '../fixtures/system-tools.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { askedForEach, type GroupedApk } from './asked-workstation.ts';
import { classesOfJar, smaliOfClasses } from './built-apps.ts';
import { type BaseApp, builtGroups } from './built-groups.ts';
import { likenessFigures } from './likeness-figures.ts';
import { RebuiltApk } from './rebuilt-apks.ts';

const jar = (name: string): string => `/usr/share/java/${name}.jar`;
/** Of Debian's packages of apktool, apksigner and smali, and of what they call. None is in the table of known libraries. */
const bases: readonly BaseApp[] = [
  { jar: jar('jcommander'), prefix: 'com/beust/jcommander/', main: 'com.beust.jcommander.JCommander' },
  { jar: jar('dexlib2'), prefix: 'org/jf/dexlib2/writer/', main: 'org.jf.dexlib2.writer.pool.DexPool' },
  { jar: jar('baksmali'), prefix: 'org/jf/baksmali/', main: 'org.jf.baksmali.Main' },
  { jar: jar('smali'), prefix: 'org/jf/smali/', main: 'org.jf.smali.Main' },
  { jar: jar('apksig'), prefix: 'com/android/apksig/', main: 'com.android.apksig.ApkSigner' },
  { jar: jar('snakeyaml'), prefix: 'org/yaml/snakeyaml/', main: 'org.yaml.snakeyaml.Yaml' },
  { jar: jar('stringtemplate'), prefix: 'org/antlr/stringtemplate/', main: 'org.antlr.stringtemplate.StringTemplate' },
  { jar: jar('xmlunit'), prefix: 'org/custommonkey/xmlunit/', main: 'org.custommonkey.xmlunit.Diff' },
];

/** What they call, whose classes ProGuard looks at. */
const called = [
  'dexlib2',
  'smali',
  'baksmali',
  'smali-util',
  'guava',
  'jcommander',
  'antlr3-runtime',
  'antlr',
  'commons-lang3',
  'commons-io',
  'junit',
];

/** @throws Error that says how to install what is missing */
function toolPath(name: Parameters<typeof systemTool>[0]): string {
  const { path, skip } = systemTool(name);
  if (path === null) throw new Error(skip);
  return path;
}

async function builtApks(): Promise<GroupedApk[]> {
  await using java = JavaTools.start();
  const part = (name: string, prefix = '') => smaliOfClasses(classesOfJar(jar(name), prefix));
  const proguard = {
    path: toolPath('proguard'),
    javaHome: join(realpathSync(toolPath('javac')), '../..'),
    libraries: called.map(jar),
  };
  const tools = { java, folder: temporaryFolder('likeness'), proguard };
  return await builtGroups(tools, bases, part('antlr3-runtime'), part('dexlib2', 'org/jf/dexlib2/dexbacked/'));
}

async function apksIn(folder: string, isRebuilt: boolean): Promise<GroupedApk[]> {
  const apks: GroupedApk[] = globSync(`${folder}/*/**/*.apk`)
    .toSorted()
    .map((file) => {
      const name = relative(folder, file);
      return { name, group: name.split(sep)[0]!, file };
    });
  if (!isRebuilt) return apks;
  const tools = { apktool: toolPath('apktool'), apksigner: toolPath('apksigner'), folder: temporaryFolder('rebuilt') };
  const rebuilt: GroupedApk[] = [];
  for (const { group, file } of new Map(apks.map((apk) => [apk.group, apk])).values()) {
    const place = join(tools.folder, group);
    mkdirSync(place);
    for await (const [name, bytes] of new RebuiltApk({ ...tools, folder: place }, file as string).all()) {
      process.stderr.write(`${group}: ${name}\n`);
      rebuilt.push({ name: `${group}/${name}`, group, file: bytes });
    }
  }
  return [...apks, ...rebuilt];
}

const { values: options, positionals } = parseArgs({
  options: { rebuilt: { type: 'boolean', default: false }, scores: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [folder] = positionals;
const apks = folder === undefined ? await builtApks() : await apksIn(folder, options.rebuilt);
const asked = await askedForEach(apks, (name) => process.stderr.write(`${name}\n`));
if (options.scores)
  for (const { apk, found } of asked)
    process.stdout.write(`${apk}\n${found.map((one) => `  ${one.score} ${one.apk}\n`).join('')}`);
const { missed, mistaken, ...figures } = likenessFigures(asked);
for (const pair of missed) process.stdout.write(`missed: ${pair}\n`);
for (const pair of mistaken) process.stdout.write(`mistaken: ${pair}\n`);
process.stdout.write(`${JSON.stringify(figures)}\n`);
