// English texts of this room. Knows nothing of where they are shown.
import { counted } from '../text/counted.ts';

const apks = (count: number) => counted(count, 'APK', 'APKs');

export const familyTexts = {
  chip: (name: string) => `Family: ${name}`,
  chipText: (count: number) => `${apks(count)} with much the same code`,
  judge: 'Judge all…',
  judgeKey: 'Verdict on all APKs of the family',
  judgeTitle: (count: number) => `Verdict on all ${apks(count)} of the family`,
  judgeText: 'It is said of each of them, as on its own page. The history of the family undoes it for all at once.',
  judged: (count: number) => `The verdict holds for ${apks(count)}.`,
  judging: (count: number) => `The verdict on ${apks(count)} is under way; the jobs tray shows it.`,
} as const;
