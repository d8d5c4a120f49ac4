// What could not be read, or is too much for a report. Knows nothing of how it is found.
import { type FindingsOf, high, info, medium } from './row.ts';

export const analysisFindings = {
  'analysis-incomplete': medium(
    'Part of the analysis failed',
    'This part of the file could not be read; the rest of the report stands. Damage on purpose hides code from tools that give up.',
  ),
  'analysis-model-failed': info(
    'A model of the platform failed',
    'An error of the workstation, not of the app: the dynamic analysis went on as if this method had no model. What it would have shown is missing.',
  ),
  'report-cut': info('A list was cut', 'There was more of this than a report can hold.'),
  'identity-crashed': high(
    "Reading the app's identity crashed",
    'Name, version and signer are unknown. The file may be made to crash tools.',
  ),
  'identity-timeout': high(
    "Reading the app's identity took too long",
    'Name, version and signer are unknown. The file may be made to exhaust tools.',
  ),
  'identity-memory': high(
    "Reading the app's identity took too much memory",
    'Name, version and signer are unknown. The file may be made to exhaust tools.',
  ),
  'identity-internal': high(
    "The app's identity could not be read",
    'Name, version and signer are unknown: an error of the workstation.',
  ),
  'identity-invalid-reply': high(
    "Reading the app's identity gave an invalid answer",
    'The app may have taken over the process that read it; the process was ended and its answer dropped.',
  ),
} satisfies FindingsOf<'analysis' | 'report' | 'identity'>;
