// Tells analysts what concerns them, by notification and by e-mail as their settings say. Knows nothing of HTTP.
import { payloadOf } from '../../contract/jobs/job-kinds.ts';
import type { NotificationType } from '../../contract/people/notification.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { JobRecord } from '../../store/repositories/job-repository.ts';
import type { AccountRecord, AccountSettings } from '../../store/repositories/people/account-repository.ts';
import type { CommentRecord } from '../../store/repositories/people/comment-repository.ts';
import type {
  NewNotification,
  NotificationFilter,
  NotificationRecord,
} from '../../store/repositories/people/notification-repository.ts';
import type { RulesetRecord } from '../../store/repositories/rules/ruleset-repository.ts';
import type { KeysetRequest } from '../../store/sqlite/keyset-page.ts';
import type { Reads, Store, Writes } from '../../store/store.ts';
import type { EventBus, Happening } from '../event-bus.ts';
import { Failure } from '../failure.ts';
import type { PublicAddress } from '../sharing/public-address.ts';
import { mentionsIn } from './mentions.ts';
import {
  analysisCompletedDraft,
  emailOf,
  huntMatchedDraft,
  newFollowerDraft,
  rulesetMatchedDraft,
} from './notification-email.ts';
import type { Outbox } from './outbox.ts';

/** A notification with the records that it names, null where it names none. */
export interface NotificationView {
  record: NotificationRecord;
  apk: ApkRecord | null;
  ruleset: RulesetRecord | null;
  analyst: AccountRecord | null;
  comment: CommentRecord | null;
  job: JobRecord | null;
  /** Rules of the ruleset that match the APK, or APKs in which a hunt found something new; null where it tells of neither. */
  matchesCount: number | null;
}

type Occasion<Name extends Happening['name']> = Extract<Happening, { name: Name }>;

export class Notifications {
  readonly #store: Store;
  readonly #events: EventBus;
  readonly #outbox: Outbox;
  readonly #address: PublicAddress;

  constructor(store: Store, events: EventBus, outbox: Outbox, address: PublicAddress) {
    this.#store = store;
    this.#events = events;
    this.#outbox = outbox;
    this.#address = address;
  }

  /** Newest first. */
  async page(request: NotificationFilter & KeysetRequest) {
    const page = await this.#store.notifications.page(request);
    return { ...page, items: await this.#views(page.items, this.#store) };
  }

  /** How many notifications the filter lets through. */
  count = (filter: NotificationFilter): Promise<number> => this.#store.notifications.count(filter);

  /** @throws Failure `not-found`, also where it is another's */
  async get(account: AccountRecord, id: number): Promise<NotificationView> {
    const record = await this.#store.notifications.find(id, account.id);
    if (record === null) throw new Failure('not-found');
    return (await this.#views([record], this.#store))[0]!;
  }

  /** @throws Failure `not-found`, also where it is another's */
  async setRead(account: AccountRecord, id: number, isRead: boolean | undefined): Promise<NotificationView> {
    const view = await this.get(account, id);
    if (isRead === undefined || isRead === view.record.isRead) return view;
    await this.#store.transaction(({ notifications }) => notifications.setRead(id, isRead));
    return { ...view, record: { ...view.record, isRead } };
  }

  /** Marks every notification of an account as read. */
  markAllRead = (account: AccountRecord): Promise<void> =>
    this.#store.transaction(({ notifications }) => notifications.markAllRead(account.id));

  /** APKs in which a hunt found something new for the rulesets of whom a notification tells. */
  async #huntedApks({ accountId, rulesetId }: NotificationRecord, job: JobRecord, from: Reads): Promise<number | null> {
    const retrohuntId = payloadOf('retrohunt', job)?.retrohuntId;
    if (retrohuntId === undefined) return null;
    const hunted = await from.retrohunts.rulesets(retrohuntId);
    const rulesets = await from.rulesets.findByIds(hunted.map((one) => one.rulesetId));
    return hunted
      .filter(
        (one) => rulesets.get(one.rulesetId)?.authorId === accountId && (rulesetId ?? one.rulesetId) === one.rulesetId,
      )
      .reduce((sum, { newMatchesCount, changedMatchesCount }) => sum + newMatchesCount + changedMatchesCount, 0);
  }

  async #views(records: readonly NotificationRecord[], from: Reads): Promise<NotificationView[]> {
    const ids = (field: 'apkId' | 'rulesetId' | 'analystId' | 'commentId' | 'jobId' | 'matchId') => [
      ...new Set(records.flatMap((record) => record[field] ?? [])),
    ];
    const apks = await from.apks.findByIds(ids('apkId'));
    const rulesets = await from.rulesets.findByIds(ids('rulesetId'));
    const analysts = await from.accounts.findByIds(ids('analystId'));
    const comments = await from.comments.findByIds(ids('commentId'));
    const jobs = await from.jobs.findByIds(ids('jobId'));
    const rules = await from.matches.countRules(ids('matchId'));
    const of = <Found>(found: Map<number, Found>, id: number | null) => (id === null ? null : (found.get(id) ?? null));
    const countOf = (record: NotificationRecord): Promise<number | null> | number | null => {
      const job = of(jobs, record.jobId);
      const isOfHunt = record.type === 'ruleset_matched' && job !== null;
      return isOfHunt ? this.#huntedApks(record, job, from) : of(rules, record.matchId);
    };
    const counts = await Promise.all(records.map(countOf));
    return records.map((record, at) => ({
      record,
      matchesCount: counts[at]!,
      apk: of(apks, record.apkId),
      ruleset: of(rulesets, record.rulesetId),
      analyst: of(analysts, record.analystId),
      comment: of(comments, record.commentId),
      job: of(jobs, record.jobId),
    }));
  }

  async #notify(notification: NewNotification & { type: NotificationType }, inside: Writes): Promise<void> {
    const record = await inside.notifications.insert(notification);
    if (!this.#events.hasListeners) return;
    const view = (await this.#views([record], inside))[0]!;
    inside.afterCommit(() =>
      this.#events.publish({ name: 'notification', notification: view }, ({ id }) => id === record.accountId),
    );
  }

  /** Notifies everybody whom a change concerns, in its transaction. */
  readonly followHappening = async (happening: Happening, inside: Writes): Promise<void> => {
    switch (happening.name) {
      case 'followed':
        return this.#tellOfFollower(happening, inside);
      case 'commented':
        return this.#tellOfComment(happening, inside);
      case 'ruleset_matched':
        return this.#tellOfMatch(happening, inside);
      case 'ruleset_suspended':
        return this.#tellOfSuspension(happening, inside);
      case 'authority_renewed':
      case 'machine_gone':
      case 'backup_failed':
        return this.#tellOwners(happening.name, inside);
      case 'ruleset_judged':
        return this.#tellOfJudgement(happening, inside);
    }
  };

  /**
   * Follows the end of a job: tells everybody who asked for it. An upload does not ask, and a cancelled job is told to
   * nobody.
   */
  readonly followEnd = async (job: JobRecord, inside: Writes): Promise<void> => {
    const retrohuntId = payloadOf('retrohunt', job)?.retrohuntId;
    if (retrohuntId !== undefined) return this.#tellOfHunt(job, retrohuntId, inside);
    if (job.apkId === null || job.status === 'cancelled') return;
    const accounts = await inside.accounts.findByIds(await inside.jobs.askers(job.id));
    const apk = accounts.size === 0 ? null : await inside.apks.findById(job.apkId);
    if (apk === null) return;
    for (const account of accounts.values()) {
      if (account.isDisabled) continue;
      if (account.settings.notify_analysis_completed) {
        const about = { apkId: apk.id, jobId: job.id };
        await this.#notify({ accountId: account.id, type: 'analysis_completed', ...about }, inside);
      }
      if (account.settings.email_analysis_completed) {
        const draft = analysisCompletedDraft(job, apk, await this.#address.baseUrl(inside));
        await this.#outbox.add(account.id, emailOf(account, draft, 'email_analysis_completed'), inside);
      }
    }
  };

  /**
   * One summary for each author whose rulesets match what they did not match before, or otherwise, also where the hunt was
   * cancelled: no later scan finds these matches new. Whoever asked for the hunt and has none hears that it has ended.
   */
  async #tellOfHunt(job: JobRecord, retrohuntId: number, inside: Writes): Promise<void> {
    const hunted = (await inside.retrohunts.rulesets(retrohuntId)).filter(
      ({ newMatchesCount, changedMatchesCount }) => newMatchesCount + changedMatchesCount > 0,
    );
    const rulesets = await inside.rulesets.findByIds(hunted.map(({ rulesetId }) => rulesetId));
    const byAuthor = Map.groupBy(
      hunted.filter(({ rulesetId }) => rulesets.get(rulesetId)?.isNotifier === true),
      ({ rulesetId }) => rulesets.get(rulesetId)!.authorId,
    );
    const baseUrl = await this.#address.baseUrl(inside);
    const told = new Set<number>();
    for (const account of (await inside.accounts.findByIds([...byAuthor.keys()])).values()) {
      if (account.isDisabled) continue;
      const own = byAuthor.get(account.id)!;
      if (account.settings.notify_ruleset_matched) {
        const rulesetId = own.length === 1 ? own[0]!.rulesetId : null;
        await this.#notify({ accountId: account.id, type: 'ruleset_matched', rulesetId, jobId: job.id }, inside);
        told.add(account.id);
      }
      if (account.settings.email_ruleset_matched) {
        const found = own.map(({ rulesetId, newMatchesCount, changedMatchesCount }) => ({
          name: rulesets.get(rulesetId)!.name,
          newMatchesCount,
          changedMatchesCount,
        }));
        const draft = huntMatchedDraft(found, baseUrl);
        await this.#outbox.add(account.id, emailOf(account, draft, 'email_ruleset_matched'), inside);
        told.add(account.id);
      }
    }
    if (job.status === 'cancelled') return;
    for (const account of (await inside.accounts.findByIds(await inside.jobs.askers(job.id))).values()) {
      if (account.isDisabled || told.has(account.id) || !account.settings.notify_analysis_completed) continue;
      await this.#notify({ accountId: account.id, type: 'analysis_completed', jobId: job.id }, inside);
    }
  }

  async #tellOfFollower({ followerId, followedId }: Occasion<'followed'>, inside: Writes): Promise<void> {
    const accounts = await inside.accounts.findByIds([followerId, followedId]);
    const follower = accounts.get(followerId);
    const followed = accounts.get(followedId);
    if (follower === undefined || followed === undefined || followed.isDisabled) return;
    if (followed.settings.notify_new_follower) {
      await this.#notify({ accountId: followed.id, type: 'user_new_follower', analystId: follower.id }, inside);
    }
    if (followed.settings.email_new_follower) {
      const draft = newFollowerDraft(follower, await this.#address.baseUrl(inside));
      await this.#outbox.add(followed.id, emailOf(followed, draft, 'email_new_follower'), inside);
    }
  }

  async #tellOfMatch({ matchId, rulesetId, apkId }: Occasion<'ruleset_matched'>, inside: Writes): Promise<void> {
    const ruleset = (await inside.rulesets.findUncounted([rulesetId])).get(rulesetId);
    if (ruleset === undefined || !ruleset.isNotifier) return;
    const author = await inside.accounts.findById(ruleset.authorId);
    const apk = await inside.apks.findById(apkId);
    if (author === null || author.isDisabled || apk === null) return;
    if (author.settings.notify_ruleset_matched) {
      const about = { rulesetId, matchId, apkId };
      await this.#notify({ accountId: author.id, type: 'ruleset_matched', ...about }, inside);
    }
    if (author.settings.email_ruleset_matched) {
      const rules = (await inside.matches.countRules([matchId])).get(matchId) ?? 0;
      const draft = rulesetMatchedDraft(ruleset.name, rules, apk, await this.#address.baseUrl(inside));
      await this.#outbox.add(author.id, emailOf(author, draft, 'email_ruleset_matched'), inside);
    }
  }

  /** The author is notified whatever the settings say of matches. */
  async #tellOfSuspension({ rulesetId }: Occasion<'ruleset_suspended'>, inside: Writes): Promise<void> {
    const ruleset = await inside.rulesets.findById(rulesetId);
    const author = ruleset === null ? null : await inside.accounts.findById(ruleset.authorId);
    if (author === null || author.isDisabled) return;
    await this.#notify({ accountId: author.id, type: 'ruleset_suspended', rulesetId }, inside);
  }

  async #tellOwners(type: 'authority_renewed' | 'machine_gone' | 'backup_failed', inside: Writes): Promise<void> {
    for (const { id, isDisabled } of await inside.accounts.owners()) {
      if (!isDisabled) await this.#notify({ accountId: id, type }, inside);
    }
  }

  async #tellOfJudgement(
    { rulesetId, judgeId, isAccepted }: Occasion<'ruleset_judged'>,
    inside: Writes,
  ): Promise<void> {
    const ruleset = await inside.rulesets.findById(rulesetId);
    if (ruleset === null || ruleset.authorId === judgeId) return;
    const author = await inside.accounts.findById(ruleset.authorId);
    if (author === null || author.isDisabled) return;
    const type = isAccepted ? 'ruleset_social_accepted' : 'ruleset_social_rejected';
    await this.#notify({ accountId: author.id, type, rulesetId, analystId: judgeId }, inside);
  }

  async #tellOfComment(occasion: Occasion<'commented'>, inside: Writes): Promise<void> {
    const { commentId, authorId, text, textBefore, apkId, rulesetId, profileId } = occasion;
    const isNew = textBefore === null;
    const about = { commentId, apkId, rulesetId, analystId: authorId };
    const tell = async (account: AccountRecord | null, setting: keyof AccountSettings, type: NotificationType) => {
      if (account === null || account.id === authorId || account.isDisabled || !account.settings[setting]) return;
      await this.#notify({ accountId: account.id, type, ...about }, inside);
    };
    if (profileId !== null) {
      if (!isNew) return;
      return tell(await inside.accounts.findById(profileId), 'notify_new_profile_comment', 'profile_commented');
    }
    const ruleset = rulesetId === null ? null : await inside.rulesets.findById(rulesetId);
    if (ruleset !== null && isNew) {
      const rulesetAuthor = await inside.accounts.findById(ruleset.authorId);
      await tell(rulesetAuthor, 'notify_new_ruleset_comment', 'ruleset_commented');
    }
    const type = rulesetId === null ? 'mention_comment_sample' : 'mention_comment_ruleset';
    const told = new Set((await this.#mentioned(textBefore ?? '', inside)).map(({ id }) => id));
    for (const account of await this.#mentioned(text, inside)) {
      if (told.has(account.id)) continue;
      // Nobody is notified of a ruleset that they may not see.
      if (ruleset !== null && !ruleset.isPublic && ruleset.authorId !== account.id) continue;
      await tell(account, 'notify_new_mention', type);
    }
  }

  /** Each account once, whatever the case and however often its name stands there. */
  async #mentioned(text: string, inside: Reads): Promise<AccountRecord[]> {
    const found = new Map<number, AccountRecord>();
    for (const readings of mentionsIn(text)) {
      for (const name of readings) {
        const account = await inside.accounts.findByUsername(name);
        if (account === null) continue;
        found.set(account.id, account);
        break;
      }
    }
    return [...found.values()];
  }
}
