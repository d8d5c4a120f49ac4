// A file that somebody asks about and the catalogue does not take in: how far it is sent, what it is like. Knows no screen.
import { create } from 'zustand';
import type { SimilarApks } from '../../../server/contract/catalogue/similar-apk.ts';
import { uploadFile } from '../../api/upload.ts';

interface AskedFile {
  file: File;
  /** 0 to 1 of its bytes; at 1 it is looked into. */
  sent: number;
  found: SimilarApks | null;
  error: unknown;
}

/** The newest one alone; it stays while other pages are open. null: none was asked about. */
export const useAskedFile = create<{ asked: AskedFile | null }>(() => ({ asked: null }));

let transfer = new AbortController();

/** Sends a file to be compared with the catalogue, in the place of the one before. */
export async function askAbout(file: File): Promise<void> {
  transfer.abort();
  transfer = new AbortController();
  const { signal } = transfer;
  const note = (change: Partial<AskedFile>) => {
    if (!signal.aborted)
      useAskedFile.setState(({ asked }) => ({
        asked: { file, sent: 0, found: null, error: null, ...asked, ...change },
      }));
  };
  useAskedFile.setState({ asked: null });
  note({});
  try {
    const { record } = await uploadFile('POST /apks/similar/', {}, file, {
      onProgress: (sent) => note({ sent }),
      signal,
    });
    note({ found: record });
  } catch (error) {
    note({ error });
  }
}

/** Gives up what is under way, and forgets the file. */
export function forgetAsked(): void {
  transfer.abort();
  useAskedFile.setState({ asked: null });
}
