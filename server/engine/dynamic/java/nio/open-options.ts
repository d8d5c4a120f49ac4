// How java.nio opens files: StandardOpenOption and what a set of its constants asks for. Knows no streams.
import type { JavaArray } from '../../machine/heap.ts';
import type { Machine, ModelClass } from '../../machine/model.ts';
import { type FileHandle, type FileMode, virtualFiles } from '../../machine/virtual-files.ts';
import { enumModel, enumName } from '../lang/enum.ts';
import { type Reference, referencesOf } from '../values.ts';
import { pathText } from './paths.ts';

const F = 'Ljava/nio/file/';
const OPTION = `${F}StandardOpenOption;`;

/** The default where no option is given. */
const usual: Readonly<Record<'read' | 'write', readonly string[]>> = {
  read: ['READ'],
  write: ['CREATE', 'TRUNCATE_EXISTING', 'WRITE'],
};

export const optionNames = (options: readonly Reference[]): string[] =>
  options.flatMap((option) => (option === null ? [] : [enumName(option)]));

function modeOf(names: readonly string[]): FileMode {
  if (names.includes('APPEND')) return 'a';
  if (!names.includes('WRITE')) return 'r';
  return names.includes('TRUNCATE_EXISTING') && !names.includes('READ') ? 'w' : 'rw';
}

/**
 * Opens a file as options ask.
 * https://docs.oracle.com/javase/8/docs/api/java/nio/file/StandardOpenOption.html
 * @param names of the options; of none the usual ones
 * @throws JavaThrow NoSuchFileException, FileAlreadyExistsException, AccessDeniedException
 */
export function openAs(
  machine: Machine,
  path: Reference,
  names: readonly string[],
  purpose: 'read' | 'write',
): FileHandle {
  const asked = names.length === 0 ? usual[purpose] : purpose === 'write' ? [...names, 'WRITE'] : names;
  const text = pathText(machine, path);
  const files = virtualFiles(machine);
  const mode = modeOf(asked);
  const isThere = files.find(text) !== null;
  const fault = (name: string) => machine.exception(`${F}${name};`, text);
  if (mode !== 'r') {
    if (asked.includes('CREATE_NEW') && isThere) throw fault('FileAlreadyExistsException');
    if (!isThere && !asked.includes('CREATE') && !asked.includes('CREATE_NEW')) throw fault('NoSuchFileException');
  }
  const handle = files.open(machine, text, mode);
  if (typeof handle === 'string')
    throw fault(handle.includes('EACCES') ? 'AccessDeniedException' : 'NoSuchFileException');
  if (mode === 'rw' && asked.includes('TRUNCATE_EXISTING')) handle.node.truncate(0);
  return handle;
}

export const openWith = (machine: Machine, path: Reference, options: JavaArray | null, purpose: 'read' | 'write') =>
  openAs(machine, path, options === null ? [] : optionNames(referencesOf(options)), purpose);

export const openOptionModels: Record<string, ModelClass> = {
  [`${F}OpenOption;`]: { isInterface: true },
  [OPTION]: enumModel(
    OPTION,
    [
      'READ',
      'WRITE',
      'APPEND',
      'TRUNCATE_EXISTING',
      'CREATE',
      'CREATE_NEW',
      'DELETE_ON_CLOSE',
      'SPARSE',
      'SYNC',
      'DSYNC',
    ],
    { implements: [`${F}OpenOption;`] },
  ),
  [`${F}LinkOption;`]: enumModel(`${F}LinkOption;`, ['NOFOLLOW_LINKS'], {
    implements: [`${F}OpenOption;`, `${F}CopyOption;`],
  }),
};
