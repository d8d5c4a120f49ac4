// English texts of this room. Knows nothing of where they are shown.
import { counted } from '../../components/text/counted.ts';

export const uploadsTexts = {
  title: 'Uploads',
  add: 'Add APKs',
  pickFiles: 'Files…',
  pickFolder: 'Folder…',
  drop: 'Drop APKs or folders',
  dropHint: 'They are stored, analysed and added to the catalogue.',
  states: {
    waiting: 'waiting',
    uploading: 'uploading',
    checking: 'checking',
    added: 'in catalogue',
    held: 'already held',
    refused: 'refused',
    cancelled: 'cancelled',
  },
  unreachable: 'The workstation could not be reached.',
  retry: 'Send again',
  retryAll: 'Send failed again',
  cancel: 'Cancel',
  cancelAll: 'Cancel all',
  clear: 'Clear',
  finished: 'Uploads finished',
  running: (count: string, done: string) => `Uploading ${count} (${done})`,
  summary: (summary: {
    total: number;
    waiting: number;
    active: number;
    added: number;
    held: number;
    refused: number;
    cancelled: number;
    leftAside: number;
  }) =>
    [
      summary.waiting + summary.active > 0 ? `${summary.waiting + summary.active} to go` : '',
      `${summary.added} added`,
      summary.held > 0 ? `${summary.held} already held` : '',
      summary.refused > 0 ? `${summary.refused} refused` : '',
      summary.cancelled > 0 ? `${summary.cancelled} cancelled` : '',
      summary.leftAside > 0 ? `${counted(summary.leftAside, 'other file', 'other files')} left aside` : '',
    ]
      .filter((part) => part !== '')
      .join(' · '),
};
