// A vote on an APK over HTTP. Imports zod only.
import { z } from 'zod';
import { pageSchema, timestampSchema } from '../list.ts';

export const voteKinds = ['positive', 'negative'] as const;

export const voteSchema = z.object({
  /** Username. */
  analyst: z.string(),
  kind: z.enum(voteKinds),
  created_at: timestampSchema,
});
export type Vote = z.infer<typeof voteSchema>;

export const voteListSchema = pageSchema(voteSchema);

/** The answer to a vote, with the rating that the APK has by it. */
export const castVoteSchema = voteSchema.extend({ rating: z.number().int() });
export type CastVote = z.infer<typeof castVoteSchema>;
