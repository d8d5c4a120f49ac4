// Encloses a program by macOS's sandbox. Not verified on a machine of this kind: the probe tells what it holds.
import { existsSync } from 'node:fs';
import type { Wall } from './wall.ts';

const launcher = '/usr/bin/sandbox-exec';
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/**
 * Everything is denied but reading what is visible, what the loader and the runtime ask of the system, and the program
 * itself, which is started once and starts nothing else.
 */
const profile = (program: string, visible: readonly string[]): string => `(version 1)
(deny default)
(import "system.sb")
(allow process-exec (literal ${quoted(program)}))
(allow process-info* signal (target self))
(allow sysctl-read mach-task-name)
(allow file-read-metadata)
(allow file-read* ${visible.map((path) => `(subpath ${quoted(path)})`).join(' ')})
(allow file-map-executable ${visible.map((path) => `(subpath ${quoted(path)})`).join(' ')})
(allow file-read* (literal "/") (literal "/dev/null") (literal "/dev/urandom") (literal "/dev/random"))
(allow file-write-data (literal "/dev/null"))`;

const wall: Wall = {
  kind: 'sandbox-exec',
  enclose: ({ words, visible }) => [launcher, '-p', profile(words[0], visible), ...words],
};

export const sandboxExec = (): Wall[] => (existsSync(launcher) ? [wall] : []);
