// Findings of what the time line tells, by its words. Knows the report alone.
import type { DynamicReport, EventCategory } from '../../../contract/engine/reports.ts';
import type { FindingCode } from '../../../contract/findings/finding-catalogue.ts';
import type { Findings } from '../../findings.ts';
import { repeated, shown, viewOf } from './event-words.ts';

interface EventRule {
  readonly category: EventCategory;
  readonly code: FindingCode;
  /** Of the summary; what its first group holds is counted together. */
  readonly words: RegExp;
}

/** The first rule that fits an event decides. */
const rules: readonly EventRule[] = [
  { category: 'accessibility', code: 'behaviour-operates-apps', words: / in ([\w.]+)(?:: .*)?$/s },
  { category: 'accessibility', code: 'behaviour-operates-apps', words: /^(.*)$/s },
  { category: 'call', code: 'behaviour-forwards-calls', words: /^(led an outgoing call to .*)$/s },
  { category: 'call', code: 'behaviour-controls-calls', words: /^(ended|silenced|took|stopped|refused)\b/ },
  { category: 'camera', code: 'behaviour-records', words: /^(took a picture|started to record)/ },
  { category: 'microphone', code: 'behaviour-records', words: /^(started to record)/ },
  { category: 'screen', code: 'behaviour-records', words: /^(recorded the screen|took a screenshot)/ },
  { category: 'clipboard', code: 'behaviour-clipboard', words: /^(put in the clipboard)/ },
  { category: 'component', code: 'behaviour-hides-icon', words: /^(disabled .*, which hides the icon)$/s },
  { category: 'content', code: 'behaviour-hides-sms', words: /^(deleted from content:\/\/(?:sms|mms)[^\s]*)/ },
  { category: 'intent', code: 'behaviour-hides-sms', words: /^(kept \S*SMS_(?:RECEIVED|DELIVER) from other apps)/ },
  { category: 'intent', code: 'behaviour-asks-admin', words: /^(asked for android\.app\.action\.ADD_DEVICE_ADMIN)/ },
  { category: 'device-admin', code: 'behaviour-wipes', words: /^(wiped)/ },
  { category: 'device-admin', code: 'behaviour-locks', words: /^(locked|changed)/ },
  { category: 'evasion', code: 'behaviour-evades', words: /^(.*)$/s },
  { category: 'install', code: 'behaviour-removes-app', words: /^(asked to remove .*)$/s },
  { category: 'network', code: 'behaviour-vpn', words: /^(led the phone's traffic)/ },
  { category: 'network', code: 'behaviour-any-certificate', words: /^(.* trusts .* without a valid certificate)$/s },
  { category: 'nfc', code: 'behaviour-card', words: /^(asked a card|answered as a card)/ },
  { category: 'notification', code: 'behaviour-answers-notifications', words: /^(answered the notification of \S+):/ },
  { category: 'notification', code: 'behaviour-removes-notifications', words: /^(removed|put off)/ },
  { category: 'overlay', code: 'behaviour-overlay', words: /^(.*)$/s },
  { category: 'process', code: 'behaviour-ends-apps', words: /^(asked to end .*)$/s },
];

/** Finds what the time line tells, once for each of what a rule counts together. */
export function behaviourEvents({ timeline }: DynamicReport, findings: Findings): void {
  const found = new Map<string, { rule: EventRule; summary: string; component: string; count: number }>();
  for (const { category, summary, component, count = 1 } of timeline) {
    for (const rule of rules) {
      if (rule.category !== category) continue;
      const match = rule.words.exec(summary);
      if (match === null) continue;
      const key = `${rule.code} ${match[1]}`;
      const known = found.get(key);
      if (known === undefined) found.set(key, { rule, summary, component, count });
      else known.count += count;
      break;
    }
  }
  for (const { rule, summary, component, count } of found.values()) {
    const by = component === '' ? '' : ` (${component})`;
    findings.add(rule.code, viewOf('timeline'), `${shown(summary)}${repeated(count)}${by}`);
  }
}
