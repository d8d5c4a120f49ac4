// Checks queries and bodies against the contract and names what is wrong, field by field. Knows no field.
import type { z } from 'zod';
import type { FieldErrors } from '../contract/error.ts';
import { FieldFailure } from '../services/failure.ts';

type Issue = z.core.$ZodIssue;

const required = 'This field is required.';

type RawIssue = z.core.$ZodRawIssue;

/** Longer values are not worth repeating. */
const maxShownValue = 100;

const typeMessages: Partial<Record<string, string>> = {
  array: 'A list of items is required.',
  boolean: 'Must be a valid boolean.',
  int: 'A valid integer is required.',
  number: 'A valid number is required.',
  object: 'An object is required.',
  record: 'An object is required.',
  string: 'Not a valid string.',
};

function typeMessageOf({ expected, input }: Extract<RawIssue, { code: 'invalid_type' }>): string | undefined {
  if (input === undefined) return required;
  if (input === null) return 'This field may not be null.';
  return typeMessages[expected];
}

function sizeMessageOf(issue: Extract<RawIssue, { code: 'too_big' | 'too_small' }>): string {
  const isUpper = issue.code === 'too_big';
  const limit = isUpper ? issue.maximum : issue.minimum;
  if (['number', 'int', 'bigint'].includes(issue.origin)) {
    const sign = isUpper ? 'less' : 'greater';
    return `Ensure this value is ${sign} than ${issue.inclusive === false ? '' : 'or equal to '}${limit}.`;
  }
  const unit = issue.origin === 'string' ? 'characters' : 'elements';
  return `Ensure this field has ${isUpper ? 'no more than' : 'at least'} ${limit} ${unit}.`;
}

/** In the words of Django REST Framework, which clients of such services know; undefined: in those of the schema. */
function messageOf(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return typeMessageOf(issue);
    case 'invalid_value': {
      const { input, values } = issue;
      if (input === undefined) return required;
      const isShown = typeof input === 'string' && input.length <= maxShownValue;
      return `${isShown ? `"${input}"` : 'This'} is not a valid choice. Choose one of: ${values.join(', ')}.`;
    }
    case 'too_big':
    case 'too_small':
      return sizeMessageOf(issue);
    default:
      return undefined;
  }
}

/** The issues of a union are those of its last alternative, which is the common one; their paths begin at the union. */
const leaves = (issues: readonly Issue[], place: readonly PropertyKey[] = []): Issue[] =>
  issues.flatMap((issue) => {
    const path = [...place, ...issue.path];
    return issue.code === 'invalid_union' ? leaves(issue.errors.at(-1) ?? [], path) : [{ ...issue, path }];
  });

/**
 * The input as the schema sees it.
 * @throws FieldFailure with messages by field; a nested field is dotted
 */
export function validated<T extends z.ZodType>(schema: T, input: unknown): z.output<T> {
  const result = schema.safeParse(input, { error: messageOf });
  if (result.success) return result.data;
  const fields: FieldErrors = {};
  for (const issue of leaves(result.error.issues)) {
    const name = issue.path.length === 0 ? 'non_field_errors' : issue.path.join('.');
    fields[name] = [...(fields[name] ?? []), issue.message];
  }
  throw new FieldFailure(fields);
}

/** Names of the fields that hold a text with a NUL; a nested one is dotted. */
function* fieldsWithNul(value: unknown, place: readonly string[] = []): Generator<string> {
  if (typeof value === 'string') {
    if (value.includes('\0')) yield place.join('.');
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) yield* fieldsWithNul(inner, [...place, name]);
  }
}

/**
 * A body as the schema sees it. No text in it has a NUL: tools that read it take it for the end, and some databases
 * refuse it.
 * @throws FieldFailure with messages by field; a nested field is dotted
 */
export function validatedBody<T extends z.ZodType>(schema: T, input: unknown): z.output<T> {
  const body = validated(schema, input);
  const fields = [...fieldsWithNul(body)].map((name) => [name, ['Null characters are not allowed.']]);
  if (fields.length > 0) throw new FieldFailure(Object.fromEntries(fields));
  return body;
}
