// English texts of this room. Knows nothing of where they are shown.
import { counted, formatCount } from '../../components/text/counted.ts';
import { formatDuration, formatSize, percent } from '../../components/text/format.ts';
import type { UploadSummary } from './upload-queue.ts';

export const uploadsTexts = {
  title: 'Uploads',
  add: 'Add APKs',
  pickFiles: 'Files…',
  pickFolder: 'Folder…',
  pickPath: 'Path on the workstation’s machine…',
  drop: 'Drop APKs or folders',
  dropHint: 'They are stored, analysed and added to the catalogue.',
  askHint: 'Drop one file here to compare it with the catalogue. It is not kept.',
  pickAsked: 'What is a file like? (not kept)…',
  states: {
    waiting: 'waiting',
    uploading: 'uploading',
    checking: 'checking',
    added: 'added',
    held: 'already in the catalogue',
    refused: 'rejected',
    cancelled: 'cancelled',
  },
  unreachable: 'The workstation could not be reached.',
  retry: 'Retry',
  retryAll: 'Retry failed',
  saveRefused: 'Save list of rejected',
  cancel: 'Cancel',
  cancelAll: 'Cancel all',
  clear: 'Clear',
  finished: 'Uploads finished',
  running: (count: string, done: string) => `Uploading ${count} (${done})`,
  /** Nothing is said of the end before there is something to tell it from. */
  pace: ({ bytesSent, bytesTotal, bytesPerSecond }: UploadSummary) =>
    [
      percent(bytesSent / Math.max(1, bytesTotal)),
      ...(bytesPerSecond > 0
        ? [
            `${formatSize(bytesPerSecond)}/s`,
            `${formatDuration(((bytesTotal - bytesSent) / bytesPerSecond) * 1000)} left`,
          ]
        : []),
    ].join(' · '),
  summary: (summary: Omit<UploadSummary, 'bytesTotal' | 'bytesSent' | 'bytesPerSecond'>) =>
    [
      summary.waiting + summary.active > 0 ? `${formatCount(summary.waiting + summary.active)} left` : '',
      `${formatCount(summary.added)} added`,
      summary.held > 0 ? `${formatCount(summary.held)} already in the catalogue` : '',
      summary.refused > 0 ? `${formatCount(summary.refused)} rejected` : '',
      summary.cancelled > 0 ? `${formatCount(summary.cancelled)} cancelled` : '',
      summary.leftAside > 0 ? `${counted(summary.leftAside, 'other file', 'other files')} skipped` : '',
    ]
      .filter((part) => part !== '')
      .join(' · '),
};
