// English texts of this room. Knows nothing of where they are shown.
import { counted, formatCount } from '../text/counted.ts';

export const undoTexts = {
  deleted: (count: number) => `${counted(count, 'APK was', 'APKs were')} deleted.`,
  rulesetDeleted: 'The ruleset was deleted.',
  undo: 'Undo',
  restored: (count: number) => (count === 1 ? 'Restored.' : `${formatCount(count)} restored.`),
  gone: 'It is not in the trash: it was deleted for good.',
};
