// Paths on the workstation's machine, as people send them. Imports zod only.
import { z } from 'zod';

export const machinePathSchema = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^[^\u0000-\u001f\u007f]*$/, 'One line without control characters.')
  .describe("Absolute, on the workstation's machine");
