// Whether the triage queue is open, and for which search. Knows nothing of the server's data.
import { create } from 'zustand';

interface TriageQueue {
  /** The search that the queue goes through; null: it is closed. */
  search: string | null;
  /** The APK that has just got a verdict: the next one is due. */
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
