// Whether somebody judges APKs one after the other, and which. Knows nothing of the server's data.
import { create } from 'zustand';

interface TriageQueue {
  /** Whose APKs are judged; null: nobody is judging. */
  search: string | null;
  /** The APK that was judged just now: the next one is due. */
  judged: string | null;
  begin(search: string): void;
  noteJudged(sha256: string | null): void;
  end(): void;
}

export const useTriageQueue = create<TriageQueue>((set) => ({
  search: null,
  judged: null,
  begin: (search) => set({ search, judged: null }),
  noteJudged: (judged) => set({ judged }),
  end: () => set({ search: null, judged: null }),
}));
