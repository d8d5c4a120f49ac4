// Encloses a program by bubblewrap, where it is installed. Knows nothing of what runs in it.
import { existsSync } from 'node:fs';
import type { Wall } from './wall.ts';

const places = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap'];

/**
 * `--as-pid-1`: the worker is the launcher's only child, so that it is found, and the first process of its namespace, with
 * which all others of it die. `--new-session`: signals to a process group go beyond namespaces.
 * https://man.archlinux.org/man/bwrap.1
 */
const walls = [
  ...['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try'],
  ...['--cap-drop', 'ALL', '--as-pid-1', '--new-session', '--die-with-parent'],
];

const enclose = (launcher: string, more: readonly string[]): Wall => ({
  kind: 'bubblewrap',
  enclose: ({ words, visible }) => [
    launcher,
    ...walls,
    ...more,
    ...visible.flatMap((path) => ['--ro-bind', path, path]),
    ...['--dev-bind', '/dev/null', '/dev/null'],
    // There is no /proc, which tells much; this link alone is what programs find themselves by.
    ...['--symlink', words[0], '/proc/self/exe'],
    ...['--remount-ro', '/', '--chdir', '/', '--'],
    ...words,
  ],
});

/** Versions before 0.8 cannot forbid further namespaces within. */
export function bubblewrap(): Wall[] {
  const launcher = places.find((path) => existsSync(path));
  return launcher === undefined ? [] : [['--disable-userns'], []].map((more) => enclose(launcher, more));
}
