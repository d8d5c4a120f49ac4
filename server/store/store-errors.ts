// What goes wrong with a data folder or a record, as classes that callers can tell apart.

/** A record with this key exists already. */
export class DuplicateError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DuplicateError';
  }
}

const storageFaults: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'the disk is full'],
  ['SQLITE_FULL', 'the disk is full'],
  ['EDQUOT', 'the quota of the disk is used up'],
  ['ERESERVED', 'what is free on the disk is kept for the database'],
  ['EROFS', 'it can only be read'],
]);

/** What is stored would take the room that is kept free. */
export class ReservedRoomError extends Error {
  readonly code = 'ERESERVED';

  /** @param kept bytes */
  constructor(kept: number) {
    super(`Less than ${Math.round(kept / 1e6)} MB would be left free on the disk.`);
    this.name = 'ReservedRoomError';
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Why a data folder takes nothing more, by the codes of the system and of SQLite; null where an error is another one. */
export function storageFaultOf(error: unknown): string | null {
  const code = codeOf(error);
  if (code.startsWith('SQLITE_READONLY')) return 'it can only be read';
  return storageFaults.get(code) ?? (code.startsWith('SQLITE_IOERR') ? 'the disk is full or fails' : null);
}

/** What the work gives, null where the data folder takes nothing: for what can be made up for later. */
export function whereRoom<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (storageFaultOf(error) === null) throw error;
    return null;
  }
}

/** Whether SQLite cannot read a database that another program or a failing disk has written into. */
export const isDatabaseDamage = (error: unknown): boolean => /^SQLITE_(?:CORRUPT|NOTADB)/.test(codeOf(error));

/** A data folder that cannot be opened; the message says what to do. */
export class DataFolderError extends Error {
  readonly code: 'in-use' | 'lost' | 'newer' | 'damaged' | 'not-writable';

  constructor(code: DataFolderError['code'], message: string) {
    super(message);
    this.name = 'DataFolderError';
    this.code = code;
  }
}

/** A page is asked for from the place of a record that is no longer there. */
export class UnknownPlaceError extends Error {
  constructor() {
    super('The place of the page is not known any more.');
    this.name = 'UnknownPlaceError';
  }
}
