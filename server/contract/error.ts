// Shapes of error bodies. Imports zod only.
import { z } from 'zod';

/** Not a field's fault. `position`: the offset in the search text, where that is at fault. */
export const errorSchema = z.object({ detail: z.string(), position: z.number().int().optional() });

/** A field's fault: messages by field; a nested field is dotted, `profile.avatar`. */
export const fieldErrorsSchema = z.record(z.string(), z.array(z.string()));
export type FieldErrors = z.infer<typeof fieldErrorsSchema>;
