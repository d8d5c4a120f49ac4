import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvOf } from '../../../renderer/components/save-file.ts';

test('a table is written as RFC 4180 has it, and no cell of it is a formula', () => {
  assert.equal(
    csvOf([
      ['value', 'where'],
      ['=HYPERLINK("x")', '@a'],
      ['a,b\nc', '-1'],
    ]),
    'value,where\r\n"\'=HYPERLINK(""x"")",\'@a\r\n"a,b\nc",\'-1\r\n',
  );
});
