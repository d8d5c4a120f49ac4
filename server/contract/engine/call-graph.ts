// The methods around one, some steps of calls far, as a worker tells them. Imports zod only.
import { z } from 'zod';

export const maxGraphNodes = 145;
export const maxGraphEdges = 1000;
export const maxGraphSteps = 3;

export const callGraphQuerySchema = z.object({
  of: z.string().min(1).max(65_535).describe('A method, `Lcom/a/B;->m(I)V`'),
  steps: z.coerce.number().int().min(1).max(maxGraphSteps).default(1).describe('Calls between it and the farthest'),
});

export const callGraphSchema = z.object({
  nodes: z
    .array(
      z.object({
        /** `Lcom/a/B;->m(I)V` */
        symbol: z.string(),
        /** Calls between it and the method in the middle: below 0 for those that lead to it. */
        step: z.int().min(-maxGraphSteps).max(maxGraphSteps),
        /** The app's own code, a known library's in the app, or neither. */
        origin: z.enum(['own', 'library', 'outside']),
        /** Callers or callees of it that are left out. */
        hidden: z.int().nonnegative(),
      }),
    )
    .max(maxGraphNodes),
  edges: z.array(z.object({ from: z.string(), to: z.string() })).max(maxGraphEdges),
  /** Methods or calls are left out. */
  is_cut: z.boolean(),
});
export type CallGraph = z.infer<typeof callGraphSchema>;
