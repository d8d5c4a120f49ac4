// What the program says about itself and its parts. Imports zod only.
import { z } from 'zod';
import { urlSchema } from '../list.ts';

export const aboutSchema = z.object({
  version: z.string(),
  /** Everything of which something is in the program. */
  packages: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      /** SPDX expression, null where its author states none. */
      licence: z.string().nullable(),
    }),
  ),
  /** All licence texts, as text. */
  notices_url: urlSchema,
  /** CycloneDX 1.6. */
  bill_of_materials_url: urlSchema,
});
export type About = z.infer<typeof aboutSchema>;
