// What the system asks the app to open: files from the shell, links of its own scheme. Opens nothing itself.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The app's own scheme: `apk-workstation://apks/<sha256>`. */
export const scheme = 'apk-workstation';

/** What a command line names beside the program: files and folders that exist, and the last link. */
export function openedBy(words: readonly string[], workingFolder: string): { files: string[]; route: string | null } {
  const files: string[] = [];
  let route: string | null = null;
  for (const word of words) {
    if (word.startsWith(`${scheme}:`)) route = routeOf(word) ?? route;
    else if (word.startsWith('-')) continue;
    else {
      const path = pathOf(word, workingFolder);
      if (path !== null && existsSync(path)) files.push(path);
    }
  }
  return { files, route };
}

/** Linux desktops name files by their URLs to programs that also open links. */
function pathOf(word: string, workingFolder: string): string | null {
  if (!word.startsWith('file://')) return resolve(workingFolder, word);
  try {
    return fileURLToPath(word);
  } catch {
    // Of another machine, or no URL at all.
    return null;
  }
}

/** Pages a link may lead to; anything may write a link, so nothing is taken from it but these. */
const routes: readonly RegExp[] = [
  /^apks\/[0-9a-f]{64}(?:\/[a-z]{1,20})?$/,
  /^rulesets\/[0-9A-Za-z]{16,40}$/,
  /^(?:catalogue|jobs|rulesets|notifications|dashboard)$/,
];

/** The page's address inside the interface, null where the link is none of ours. */
export function routeOf(link: string): string | null {
  const path = link
    .slice(scheme.length + 1)
    .replace(/^\/{0,2}/, '')
    .replace(/\/$/, '');
  return link.startsWith(`${scheme}:`) && routes.some((route) => route.test(path)) ? `/${path}` : null;
}
