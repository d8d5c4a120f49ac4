// The words of YARA as an editor completes them, over HTTP. Imports zod only.
import { z } from 'zod';

export const yaraVocabularySchema = z.object({
  keywords: z.array(z.string()),
  modules: z.array(
    z.object({
      name: z.string(),
      /** Fed from the reports of an APK rather than from its bytes. */
      is_report: z.boolean(),
      description: z.string(),
      members: z.array(
        z.object({
          /** Without the module's name: `network.http_request`. */
          name: z.string(),
          kind: z.enum(['function', 'field']),
          /** With arguments by type: `url(text | regexp)`, `min_sdk`. */
          signature: z.string(),
          returns: z.string(),
        }),
      ),
    }),
  ),
});
export type YaraVocabulary = z.infer<typeof yaraVocabularySchema>;
