// English texts of this room. Knows nothing of where they are shown.
import { counted } from '../text/counted.ts';

export const addToCaseTexts = {
  add: 'Add to case…',
  title: 'Add to a case',
  find: 'Find a case',
  none: 'No open case of this name.',
  create: (name: string) => `New case “${name}”`,
  addTo: (name: string) => `Add to ${name}`,
  added: (added: number, name: string) =>
    added === 0 ? `All of them are in ${name} already.` : `${counted(added, 'APK', 'APKs')} added to ${name}.`,
  open: 'Open it',
  belongs: 'A case that it belongs to',
} as const;
