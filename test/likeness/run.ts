// `npm run -s likeness -- FOLDER`: how well likeness tells relatives from strangers. Each sub-folder holds APKs that are derived
// from one, as versions or by an obfuscator, and is a stranger to all others.
import { globSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { askedForEach } from './asked-workstation.ts';
import { likenessFigures } from './likeness-figures.ts';

const folder = process.argv[2];
if (folder === undefined) throw new Error('npm run -s likeness -- FOLDER');
const apks = globSync(`${folder}/*/**/*.apk`)
  .toSorted()
  .map((file) => {
    const name = relative(folder, file);
    return { name, group: name.split(sep)[0]!, file };
  });
const asked = await askedForEach(apks, (name) => process.stderr.write(`${name}\n`));
if (process.argv.includes('--scores'))
  for (const { apk, found } of asked)
    process.stdout.write(`${apk}\n${found.map((one) => `  ${one.score} ${one.apk}\n`).join('')}`);
const { missed, mistaken, ...figures } = likenessFigures(asked);
for (const pair of missed) process.stdout.write(`missed: ${pair}\n`);
for (const pair of mistaken) process.stdout.write(`mistaken: ${pair}\n`);
process.stdout.write(`${JSON.stringify(figures)}\n`);
