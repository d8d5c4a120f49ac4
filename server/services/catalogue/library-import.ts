// Reads files of libraries by workers and keeps what their methods do: a JAR, an AAR, or an app for the libraries in it. Knows
// neither HTTP nor a command line.
import type { FileReference } from '../../contract/engine/analysis-results.ts';
import type { LibraryMethods } from '../../contract/engine/library-methods.ts';
import type { WorkerPool } from '../../jobs/worker-pool.ts';
import type { LibraryRecord } from '../../store/repositories/library-repository.ts';
import type { Store } from '../../store/store.ts';
import { hashesIn } from './likeness/hash-list.ts';

/** What people call a library, in the place of what its file says. */
export interface LibraryNames {
  name?: string | undefined;
  version?: string | undefined;
}

export interface ImportedLibrary {
  library: LibraryRecord;
  /** Files of code that could not be read. */
  unread: number;
}

/** Why a file is no library, in words. */
export class LibraryError extends Error {}

/** `okio-1.13.0.jar`: name and version, where nothing else tells them. */
function ofFileName(file: string): { name: string; version: string } {
  const base = file.replace(/^.*[/\\]/, '').replace(/\.(?:jar|aar|apk|zip)$/i, '');
  const [, name, version] = base.match(/^(.+?)[-_]v?(\d[\w.+-]*)$/) ?? [];
  const visible = (text: string) => text.replace(/[^\x20-\x7e\u00a1-\uffef]/g, '_').slice(0, 200);
  return { name: visible(name ?? base) || 'library', version: visible(version ?? '') };
}

/** @throws LibraryError where the file cannot be read, or has no methods that tell it from others */
export async function importLibrary(
  { store, pool }: { store: Store; pool: WorkerPool },
  file: FileReference,
  source: string,
  names: LibraryNames = {},
  { signal }: { signal?: AbortSignal } = {},
): Promise<ImportedLibrary> {
  const reply = await pool.run({ kind: 'library', file }, { signal });
  signal?.throwIfAborted();
  if (reply.status === 'failed')
    throw new LibraryError(`It cannot be read as a JAR, an AAR or an APK: ${reply.message}.`);
  const read: LibraryMethods = reply.result;
  const methods = [...hashesIn(read.methods)];
  if (methods.length === 0)
    throw new LibraryError(
      read.unread > 0
        ? `None of its code can be read: ${read.unread} damaged files.`
        : 'It has no code of a library that is long enough to be told from others.',
    );
  const ofName = ofFileName(source);
  const name = names.name ?? read.name ?? ofName.name;
  const version = names.version ?? (names.name === undefined ? read.version : null) ?? ofName.version;
  const library = await store.transaction(({ libraries }) => libraries.put({ name, version, source }, methods));
  return { library, unread: read.unread };
}
