// English texts of this room. Knows nothing of where they are shown.
import { counted } from '../../../components/text/counted.ts';

export const rawTexts = {
  label: 'Raw',
  part: 'Report',
  parts: { androguard: 'androguard', cuckoo: 'cuckoo', dynamic: 'dynamic' },
  copy: 'Copy',
  save: 'Save as a file',
  find: 'Find a name or a value',
  notFound: 'No name or value in this report matches',
  foundCut: (lines: number) => `The first ${counted(lines, 'line', 'lines')} found`,
};
