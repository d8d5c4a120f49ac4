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

/** The disk's reserve would be used up. */
export class ReservedRoomError extends Error {
  readonly code = 'ERESERVED';

  /** @param kept bytes */
  constructor(kept: number) {
    super(`Less than ${Math.round(kept / 1e6)} MB would be left free on the disk.`);
    this.name = 'ReservedRoomError';
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Why a data folder cannot be written, by error codes of the system and of SQLite; null for other errors. */
export function storageFaultOf(error: unknown): string | null {
  const code = codeOf(error);
  if (code.startsWith('SQLITE_READONLY')) return 'it can only be read';
  return storageFaults.get(code) ?? (code.startsWith('SQLITE_IOERR') ? 'the disk is full or fails' : null);
}

/** The result of the work, null where the data folder cannot be written: for work that can be done later. */
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

/** The record from which a page was asked for is not known any more. */
export class UnknownPlaceError extends Error {
  constructor() {
    super('The place of the page is not known any more.');
    this.name = 'UnknownPlaceError';
  }
}
