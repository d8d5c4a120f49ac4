// Apps that the app hands over to be installed: reported and kept as artefacts. Knows no model.

import type { Machine } from '../machine/model.ts';
import { virtualFiles } from '../machine/virtual-files.ts';
import { recorderOf } from '../report/recorder.ts';

/** Apps kept of one run. */
const maxInstalls = 20;

/** Keeps what is to be installed. @param how words for the time line, before the path */
export function keepInstall(machine: Machine, how: string, path: string, bytes: Uint8Array): void {
  const installs = machine.state('world.installs', () => ({ count: 0 }));
  const recorder = recorderOf(machine);
  recorder.event('install', `${how} ${path}`);
  if (bytes.length > 0 && installs.count++ < maxInstalls) recorder.left.keep('installed', 'apk', path, bytes);
}

/** As `keepInstall`, of a file on the phone, where there is one. */
export function installFile(machine: Machine, how: string, path: string): void {
  const node = virtualFiles(machine).find(path);
  keepInstall(machine, how, path, node === null || node.isDirectory ? new Uint8Array(0) : node.bytes);
}
