// Risks with what they are made of.
import type { ExplainedRisk } from '../../contract/findings/risk.ts';
import type { ExplainedRisk as RiskRecord } from '../../services/triage/risks.ts';

export function presentRisk({ context: { signer, family }, ...risk }: RiskRecord): ExplainedRisk {
  if (signer === null) return { ...risk, context: { signer, family } };
  const { sha256, isTrusted, isMore, apks, detected, malicious, suspicious, clean, families } = signer;
  const judged = { apks, is_more: isMore, detected, malicious, suspicious, clean, families };
  return { ...risk, context: { signer: { sha256, is_trusted: isTrusted, ...judged }, family } };
}
