// Searches that an analyst keeps under a name. Imports zod only.
import { z } from 'zod';
import { publicIdSchema, timestampSchema, urlSchema, wholeListSchema } from '../list.ts';

const name = z.string().trim().min(1, 'This field may not be blank.').max(100);
const search = z.string().max(4000);
const ordering = z.string().max(200);

export const savedSearchSchema = z.object({
  id: publicIdSchema,
  url: urlSchema,
  name: z.string(),
  search: z.string(),
  /** As the `ordering` of the catalogue's list; empty: newest first. */
  ordering: z.string(),
  created_at: timestampSchema,
  updated_at: timestampSchema,
});
export type SavedSearch = z.infer<typeof savedSearchSchema>;

export const savedSearchListSchema = wholeListSchema(savedSearchSchema);
export const newSavedSearchSchema = z.object({ name, search, ordering: ordering.optional() });
export const savedSearchChangesSchema = newSavedSearchSchema.partial();
