import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formBooleanSchema } from '../../../server/contract/list.ts';

test('booleans of forms are read as Django reads them, anything else is refused', () => {
  for (const value of [true, 'true', 'True', 'TRUE', '1', 1, 'on', ' yes ']) {
    assert.equal(formBooleanSchema.parse(value), true);
  }
  for (const value of [false, 'false', 'False', '0', 0, 'off', 'no'])
    assert.equal(formBooleanSchema.parse(value), false);
  for (const value of ['', 'perhaps', 2, null, undefined, []])
    assert.equal(formBooleanSchema.safeParse(value).success, false);
});
