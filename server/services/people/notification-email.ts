// The words of the e-mails that go with notifications. Knows neither who gets them nor how they are sent.
import { jobKinds } from '../../contract/jobs/job-kinds.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { JobRecord } from '../../store/repositories/job-repository.ts';
import type { AccountRecord } from '../../store/repositories/people/account-repository.ts';
import { type Email, singleLine } from './outbox.ts';

interface Draft {
  subject: string;
  lines: string[];
}

function appOf(apk: ApkRecord): string {
  const name = singleLine(apk.app, 80);
  const packageName = singleLine(apk.packageName, 120);
  return name === '' || packageName === '' ? name || packageName || apk.sha256 : `${name} (${packageName})`;
}

const outcomes: Record<string, string> = { done: 'is done', partial: 'is done in part', failed: 'failed' };

/** Tells whoever asked for an analysis how it ended. @param baseUrl of the workstation, without a slash at its end */
export function analysisCompletedDraft(job: JobRecord, apk: ApkRecord, baseUrl: string): Draft {
  // "static analysis", "YARA scan"
  const work = jobKinds[job.kind].label.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
  const outcome = outcomes[job.status] ?? 'has ended';
  return {
    subject: `The ${work} of ${appOf(apk)} ${outcome}`,
    lines: [
      `The ${work} that you asked for ${outcome}.`,
      ...apkLines(apk, baseUrl),
      ...(job.error === null ? [] : [`Reason: ${singleLine(job.error, 500)}`]),
    ],
  };
}

/** Tells a ruleset's author of an APK that so many of its rules match. @param baseUrl of the workstation, without a slash at its end */
export function rulesetMatchedDraft(rulesetName: string, rules: number, apk: ApkRecord, baseUrl: string): Draft {
  const name = singleLine(rulesetName, 100);
  return {
    subject: `Your ruleset ${name} matches ${appOf(apk)}`,
    lines: [
      `${rules === 1 ? '1 rule' : `${rules} rules`} of your ruleset ${name} ${rules === 1 ? 'matches' : 'match'} an APK.`,
      ...apkLines(apk, baseUrl),
    ],
  };
}

/** Rulesets named in one e-mail. */
const maxNamed = 20;

/**
 * Sums up what a retrohunt found for an author's rulesets.
 * @param baseUrl of the workstation, without a slash at its end
 */
export function huntMatchedDraft(
  rulesets: readonly { name: string; newMatchesCount: number; changedMatchesCount: number }[],
  baseUrl: string,
): Draft {
  const subject =
    rulesets.length === 1
      ? `The retrohunt of your ruleset ${singleLine(rulesets[0]!.name, 100)} found APKs`
      : `A retrohunt of ${rulesets.length} of your rulesets found APKs`;
  const lines = rulesets
    .slice(0, maxNamed)
    .map(
      ({ name, newMatchesCount, changedMatchesCount }) =>
        `${singleLine(name, 100)}: new matches ${newMatchesCount}, changed ones ${changedMatchesCount}`,
    );
  if (rulesets.length > maxNamed) lines.push(`… and ${rulesets.length - maxNamed} more rulesets`);
  return { subject, lines: [...lines, `${baseUrl}/app/#/rulesets`] };
}

/** Tells an analyst who follows from now on. @param baseUrl of the workstation, without a slash at its end */
export function newFollowerDraft(follower: AccountRecord, baseUrl: string): Draft {
  const name = singleLine(`${follower.firstName} ${follower.lastName}`, 100);
  const shown = name === '' ? follower.username : `${follower.username} (${name})`;
  return {
    subject: `${follower.username} follows you`,
    lines: [`${shown} follows you on the APK Workstation.`, `${baseUrl}/app/#/analysts/${follower.username}`],
  };
}

function apkLines(apk: ApkRecord, baseUrl: string): string[] {
  return [`App: ${appOf(apk)}`, `SHA-256: ${apk.sha256}`, `${baseUrl}/app/#/apks/${apk.sha256}`];
}

/** @param setting the switch of the account that this e-mail hangs on */
export function emailOf(account: AccountRecord, { subject, lines }: Draft, setting: string): Email {
  const footer = `-- \nYou get this because ${setting} is on in the settings of your account ${account.username}.`;
  return { recipient: account.email, subject, body: `${lines.join('\n\n')}\n\n${footer}\n` };
}
