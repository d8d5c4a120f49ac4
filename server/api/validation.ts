// Checks queries and bodies against the contract and names what is wrong, field by field. Knows no field.
import type { z } from 'zod';
import type { FieldErrors } from '../contract/error.ts';
import { FieldFailure } from '../services/failure.ts';

type Issue = z.core.$ZodIssue;

function messageOf(issue: Issue): string {
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'This field is required.';
  return issue.message;
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
  const result = schema.safeParse(input, { reportInput: true });
  if (result.success) return result.data;
  const fields: FieldErrors = {};
  for (const issue of leaves(result.error.issues)) {
    const name = issue.path.length === 0 ? 'non_field_errors' : issue.path.join('.');
    fields[name] = [...(fields[name] ?? []), messageOf(issue)];
  }
  throw new FieldFailure(fields);
}
