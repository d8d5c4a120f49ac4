// Verdicts of the workstation's analysts.
import type { SaidVerdict, StandingVerdict } from '../../contract/catalogue/verdict.ts';
import type { VerdictRecord } from '../../services/triage/verdicts.ts';
import { timestamp } from './presenting.ts';

export const presentVerdict = ({ verdict, family, note, username, createdAt }: VerdictRecord): SaidVerdict => ({
  verdict,
  family,
  note,
  analyst: username,
  created_at: timestamp(createdAt),
});

/** The verdict in force; null before the first. */
export const presentStandingVerdict = (word: VerdictRecord | null): StandingVerdict =>
  word === null ? { verdict: 'unknown', family: '', note: '', analyst: null, created_at: null } : presentVerdict(word);
