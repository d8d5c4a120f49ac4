// The licence texts of all packages in the program, as one text. Runs when the program is built, never inside it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LockedPackage } from './locked-packages.ts';

const licenceFile = /^(?:licen[cs]es?|copying|notice|unlicense)(?:[.-]|$)/i;
const rule = '='.repeat(80);

/** The licence that stands at the end of a README, as small packages have it. */
function licenceInReadme(folder: string): string[] {
  const name = readdirSync(folder).find((file) => /^readme/i.test(file));
  if (name === undefined) return [];
  const [, section] = readFileSync(join(folder, name), 'utf8').split(/^#+ *licen[cs]e.*$/im);
  return section !== undefined && /copyright/i.test(section) ? [section.trim()] : [];
}

/** @throws Error where nobody has the text: to ship the package without it is not allowed */
function textsOf(root: string, { path, name }: LockedPackage): string[] {
  const folder = join(root, path);
  // Packages for other platforms are not installed here. Each that is shipped has its text among ours.
  const ours = join(root, 'resources/licences', `${name.replace('@', '').replaceAll('/', '-')}.txt`);
  if (existsSync(ours)) return [readFileSync(ours, 'utf8').trim()];
  const isInstalled = existsSync(folder);
  const files = isInstalled ? readdirSync(folder).filter((file) => licenceFile.test(file)) : [];
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const found = texts.length > 0 || !isInstalled ? texts : licenceInReadme(folder);
  if (found.length > 0) return found;
  throw new Error(`${name} comes without its licence text: put that into resources/licences`);
}

/** The sources of our own tables, from the page that names them. */
const dataSources = (root: string) =>
  readFileSync(join(root, 'resources/README.md'), 'utf8')
    .replace(/^# .*\n+/, '')
    .trim();

/** @param shipped packages in the program */
export function thirdPartyNotices(root: string, shipped: readonly LockedPackage[]): string {
  const packages = shipped.map((locked) =>
    [
      rule,
      `${locked.name} ${locked.version}${locked.licence === null ? '' : ` (${locked.licence})`}`,
      rule,
      ...textsOf(root, locked),
    ].join('\n\n'),
  );
  return [
    'Third-party software in the APK Workstation',
    `These ${shipped.length} packages, or parts of them, are in this program. Where it is packaged with Electron's program, the
licences of Chromium, Node.js and all that those are made of stand beside it in LICENSES.chromium.html and
LICENSE.electron.txt.`,
    ...packages,
    [rule, 'Tables and pictures', rule, dataSources(root)].join('\n\n'),
  ]
    .join('\n\n')
    .concat('\n');
}
