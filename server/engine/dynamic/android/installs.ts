// Apps that an app hands over to be installed: told of and kept. Knows no model.
import { virtualFiles } from '../java/virtual-files.ts';
import type { Machine } from '../machine/model.ts';
import { recorderOf } from '../report/recorder.ts';
import { decoded } from './uri.ts';

/** Apps that an app hands over to be installed. */
const maxInstalls = 20;

/** Keeps what is to be installed. @param how words for the time line, before the path */
export function keepInstall(machine: Machine, how: string, path: string, bytes: Uint8Array): void {
  const installs = machine.state('android.installs', () => ({ count: 0 }));
  const recorder = recorderOf(machine);
  recorder.event('install', `${how} ${path}`);
  if (bytes.length > 0 && installs.count++ < maxInstalls) recorder.artefact('apk', path, bytes);
}

/** An app asks the owner to install a file. */
export function installFile(machine: Machine, uri: string): void {
  const path = decoded(uri.replace(/^file:\/\//, ''));
  const node = virtualFiles(machine).find(path);
  keepInstall(machine, 'asked to install', path, node === null || node.isDirectory ? new Uint8Array(0) : node.bytes);
}
