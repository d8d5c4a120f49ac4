import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { validated } from '../../../server/api/validation.ts';
import { FieldFailure } from '../../../server/services/failure.ts';

const schema = z.object({
  name: z.string().min(1, 'This field may not be blank.').max(5),
  state: z.enum(['on', 'off']),
  size: z.coerce.number().int().min(1).max(9).optional(),
  marks: z.array(z.boolean()).max(2).optional(),
  inner: z.object({ deep: z.boolean() }).optional(),
  named: z.record(z.string(), z.number()).optional(),
});

function faults(input: unknown): unknown {
  try {
    validated(schema, input);
  } catch (error) {
    if (error instanceof FieldFailure) return error.fields;
    throw error;
  }
  return null;
}

test('faults are named by field in words that tell what is wanted', () => {
  const good = { name: 'a', state: 'on' };
  assert.equal(faults(good), null);
  const cases: [unknown, unknown][] = [
    [{}, { name: ['This field is required.'], state: ['This field is required.'] }],
    [
      { name: null, state: 'half' },
      { name: ['This field may not be null.'], state: ['"half" is not a valid choice. Choose one of: on, off.'] },
    ],
    [
      { name: 5, state: 'x'.repeat(101) },
      { name: ['Not a valid string.'], state: ['This is not a valid choice. Choose one of: on, off.'] },
    ],
    [{ ...good, name: '' }, { name: ['This field may not be blank.'] }],
    [{ ...good, name: '123456' }, { name: ['Ensure this field has no more than 5 characters.'] }],
    [{ ...good, size: '1.5' }, { size: ['A valid integer is required.'] }],
    [{ ...good, size: 'x' }, { size: ['A valid number is required.'] }],
    [{ ...good, size: 0 }, { size: ['Ensure this value is greater than or equal to 1.'] }],
    [{ ...good, size: 10 }, { size: ['Ensure this value is less than or equal to 9.'] }],
    [{ ...good, marks: [true, true, true] }, { marks: ['Ensure this field has no more than 2 elements.'] }],
    [
      { ...good, marks: ['x'], inner: { deep: 'y' } },
      { 'marks.0': ['Must be a valid boolean.'], 'inner.deep': ['Must be a valid boolean.'] },
    ],
    [{ ...good, inner: 1 }, { inner: ['An object is required.'] }],
    [{ ...good, named: [] }, { named: ['An object is required.'] }],
    [[], { non_field_errors: ['An object is required.'] }],
  ];
  for (const [input, expected] of cases) assert.deepEqual(faults(input), expected);
});
