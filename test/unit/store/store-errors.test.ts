import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDatabaseDamage, storageFaultOf } from '../../../server/store/store-errors.ts';

const failed = (code: string) => Object.assign(new Error('failed'), { code });

test('a data folder that takes nothing more is known by the codes of the system and of SQLite', () => {
  for (const code of ['ENOSPC', 'SQLITE_FULL']) assert.equal(storageFaultOf(failed(code)), 'the disk is full');
  for (const code of ['EROFS', 'SQLITE_READONLY']) assert.equal(storageFaultOf(failed(code)), 'it can only be read');
  assert.equal(storageFaultOf(failed('SQLITE_IOERR_SHMSIZE')), 'the disk is full or fails');
});

test('a damaged database is known by the codes of SQLite', () => {
  for (const code of ['SQLITE_CORRUPT', 'SQLITE_CORRUPT_INDEX', 'SQLITE_NOTADB'])
    assert.ok(isDatabaseDamage(failed(code)), code);
});

test('other errors are none of the data folder', () => {
  for (const error of [failed('SQLITE_BUSY'), failed('constructor'), new Error('ENOSPC'), 'ENOSPC', null]) {
    assert.equal(storageFaultOf(error), null);
    assert.equal(isDatabaseDamage(error), false);
  }
});
