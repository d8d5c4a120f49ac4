// Encloses a program by the tools of util-linux: namespaces of its own and a root folder of its own. Knows nothing of what runs in it.
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Wall } from './wall.ts';

const tools = { setpriv: '/usr/bin/setpriv', unshare: '/usr/bin/unshare', shell: '/bin/sh' };

/**
 * Where the new root is put together. In the new namespace nothing else of this folder is needed, and nothing that a worker
 * reads lies in it.
 */
const hidden = '/sys';
const newRoot = '/sys/root';
const inRoot = (path: string): string => join(newRoot, path);

/**
 * Builds the root and puts the program into it: a memory file system with what is visible bound into it, all of it
 * read-only, and the old root taken away. What a mount may not do must be said again when it is made read-only, also of
 * those that lie within others. `mount`
 * leaves out what it takes for mounted already, by target and source. An empty table of mounts has `umount` do without one.
 * $1: table of mounts; $2: folders; $3: files to bind to; then the program.
 */
const script = `set -euf
PATH=/usr/sbin:/usr/bin:/sbin:/bin
table=$1 folders=$2 files=$3
shift 3
echo 0 2>/dev/null >/proc/sys/user/max_user_namespaces || :
mount -t tmpfs -o mode=755,size=64k tmpfs ${hidden}
mkdir ${newRoot}
mount -t tmpfs -o mode=755,size=4m tmpfs ${newRoot}
cd ${newRoot}
IFS='
'
mkdir -p $folders
for file in $files; do : >"$file"; done
ln -s "$1" proc/self/exe
printf '%s\\n' "$table" >${hidden}/table
mount -a -T ${hidden}/table
IFS=' '
while read -r _ _ _ _ point options _; do
  case $point in ${newRoot}/dev/null) ;; ${newRoot} | ${newRoot}/*)
    case ,$options, in *,noexec,*) more=,noexec ;; *) more= ;; esac
    printf 'none %s none remount,bind,ro,nosuid,nodev%s\\n' "$point" "$more" ;;
  esac
done </proc/self/mountinfo >${hidden}/table
mount -a -T ${hidden}/table
pivot_root . old
unset PWD OLDPWD
exec old/bin/sh -c 'old/bin/umount -l /old && unset PWD OLDPWD && exec /setpriv --no-new-privs --inh-caps=-all --bounding-set=-all -- "$@"' sh "$@"`;

/** Of a table of file systems: https://man7.org/linux/man-pages/man5/fstab.5.html */
const field = (path: string): string =>
  path.replace(/[\s\\#]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);
const line = (path: string, target: string, options: string): string =>
  `${field(path)} ${field(inRoot(target))} none ${options}`;

/** The shell's lists are lines: what has a line break in its path is seen with the folder that holds it. */
const withoutLineBreak = (path: string): string =>
  path.includes('\n') ? path.slice(0, path.lastIndexOf('/', path.indexOf('\n'))) : path;

const wall: Wall = {
  kind: 'namespaces',
  enclose({ words, visible: wanted }) {
    const visible = wanted.map(withoutLineBreak);
    const isFolder = (path: string) => statSync(path).isDirectory();
    const table = [
      ...visible.map((path) => line(path, path, 'rbind')),
      line(tools.setpriv, '/setpriv', 'bind'),
      line('/dev/null', '/dev/null', 'bind'),
    ];
    const folders = ['/old', '/dev', '/proc/self', ...visible.map((path) => (isFolder(path) ? path : dirname(path)))];
    const files = ['/setpriv', '/dev/null', '/proc/self/mountinfo', ...visible.filter((path) => !isFolder(path))];
    const lines = (paths: readonly string[]) => [...new Set(paths)].map(inRoot).join('\n');
    return [
      ...[tools.setpriv, '--pdeathsig', 'KILL'],
      ...[tools.unshare, '--user', '--map-root-user', '--mount', '--pid', '--net', '--ipc', '--uts', '--cgroup'],
      // The worker is the first process of its namespace, with which all others of it die.
      ...['--fork', '--kill-child'],
      ...[tools.shell, '-c', script, 'sh', table.join('\n'), lines(folders), lines(files)],
      ...words,
    ];
  },
};

export const namespaces = (): Wall[] => (Object.values(tools).every((path) => existsSync(path)) ? [wall] : []);
