// The envelope of lists and the plain types that every resource uses. Imports zod only.
import { z } from 'zod';

/** ISO 8601 with microseconds and offset, `2022-01-14T08:41:01.648728+00:00`. */
export const timestampSchema = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/)
  .meta({ format: 'date-time' });

/** Public id of a record: 16 letters and digits. */
export const publicIdSchema = z.string().regex(/^[0-9A-Za-z]{16,}$/);

export const urlSchema = z.string().meta({ format: 'uri' });

export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

/** An object that has the same under each of these names. */
export const eachOf = <Name extends string, T extends z.ZodType>(names: readonly Name[], schema: T) =>
  z.object(Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, T>);

/** A filter of a list; forms send the filters that are not used as empty texts. */
export const filterSchema = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

/** What a signed link carries. */
export const signedQuerySchema = z.object({
  expires: z.string().optional().describe('Unix seconds; absent where the link does not lapse'),
  signature: z.string().optional(),
});

export const defaultPageSize = 50;
/** A larger `page_size` is taken as this. */
export const maxPageSize = 100;

/** One page of a list; `next` and `previous` carry the cursor as their first query parameter. */
export function pageSchema<T extends z.ZodType>(item: T) {
  return z.object({
    /** Exact number of items of the whole list. */
    count: z.number().int(),
    next: urlSchema.nullable(),
    previous: urlSchema.nullable(),
    results: z.array(item),
  });
}
/** The same of a list that is short enough to be sent whole. */
export const wholeListSchema = <T extends z.ZodType>(item: T) =>
  pageSchema(item).extend({ next: z.null(), previous: z.null() });

export interface Page<T> {
  count: number;
  next: string | null;
  previous: string | null;
  results: T[];
}

/** Query parameters of a list that pages by cursor. */
export const pageQuerySchema = z.object({
  cursor: z.string().optional(),
  page_size: z.coerce.number().int().positive().optional(),
});

const truths = new Set(['true', 't', 'yes', 'y', 'on', '1']);
const untruths = new Set(['false', 'f', 'no', 'n', 'off', '0']);

/** A boolean, or its text in a form or its number, as Django takes it. */
export const formBooleanSchema = z
  .preprocess((value) => {
    if (typeof value !== 'string' && typeof value !== 'number') return value;
    const word = String(value).trim().toLowerCase();
    return truths.has(word) ? true : untruths.has(word) ? false : value;
  }, z.boolean())
  .meta({ type: 'boolean' });
