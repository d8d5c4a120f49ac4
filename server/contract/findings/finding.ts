// A finding: something an analyst should know about a file, with its evidence. Imports zod only.
import { z } from 'zod';

export const severities = ['info', 'low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof severities)[number];

export const findingSchema = z.object({
  /** Stable kebab-case identifier, `<area>-<fact>`, for example `zip-duplicate-entry`. */
  code: z.string(),
  severity: z.enum(severities),
  /** Where it stands: an entry name, `entry:0xoffset`, a class and method, a manifest element, `apk:` and another APK's SHA-256. */
  where: z.string(),
  /** What was seen there, as data: never interpreted, at most some hundred characters. */
  evidence: z.string(),
});
export type Finding = z.infer<typeof findingSchema>;
