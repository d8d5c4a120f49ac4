// What the workstation's people say an APK is. Imports zod only.
import { z } from 'zod';

/** From the least grave on; `unknown`: nothing else was said, or it was taken back. */
export const verdicts = ['clean', 'unknown', 'suspicious', 'malicious'] as const;
export const verdictSchema = z.enum(verdicts);
export type Verdict = z.infer<typeof verdictSchema>;
