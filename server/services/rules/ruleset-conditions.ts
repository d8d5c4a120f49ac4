// How rulesets do in analyses: what trouble they made, and when that is enough. Knows neither YARA nor jobs.
import type { ScanCondition, UncountedRuleset } from '../../store/repositories/rules/ruleset-repository.ts';
import type { Writes } from '../../store/store.ts';
import type { ScanOutcome } from './ruleset-isolation.ts';

/** Every trouble counts so much, every scan that went well takes one off. */
const troubleWeight = 10;
/** Five troubles within some fifty scans. */
const maxTrouble = 50;

/** What a scan makes of a ruleset's condition; the same object where it changes nothing. */
export function conditionAfter(
  before: ScanCondition,
  { status, code, message }: Pick<ScanOutcome, 'status' | 'code' | 'message'>,
  now: number,
): ScanCondition {
  if (status === 'done') {
    // It stays so until its text is another: the next APK may be an easy one.
    if (code === 'slow' && (before.scanState === 'ok' || before.scanState === 'slow')) {
      return { ...before, scanState: 'slow', scanError: { code, message, at: now } };
    }
    if (before.trouble === 0) return before;
    const trouble = before.trouble - 1;
    return { ...before, trouble, scanState: trouble === 0 ? 'ok' : before.scanState };
  }
  const trouble = before.trouble + troubleWeight;
  const isTimeout = status === 'timeout' || status === 'over-share' || code === 'timeout';
  const scanState = trouble >= maxTrouble ? 'suspended' : isTimeout ? 'timed_out' : 'failed';
  return { trouble, scanState, scanError: { code, message, at: now } };
}

/**
 * Notes what a scan says of a ruleset; the one that has made trouble too often is disabled.
 * @returns whether it was
 */
export async function noteOutcome(
  inside: Writes,
  { id, scanState, scanError, trouble }: UncountedRuleset,
  outcome: Pick<ScanOutcome, 'status' | 'code' | 'message'>,
  now: number,
): Promise<boolean> {
  const before = { scanState, scanError, trouble };
  const condition = conditionAfter(before, outcome, now);
  if (condition === before) return false;
  const isSuspended = condition.scanState === 'suspended' && scanState !== 'suspended';
  await inside.rulesets.noteCondition(id, condition);
  if (!isSuspended) return false;
  await inside.rulesets.update(id, { isEnabled: false, activeSince: null });
  await inside.rulesetVersions.deactivate(id);
  return true;
}
