// Comments on APKs, rulesets and profiles, and the tags that they set. Knows nothing of HTTP, nor of who is notified.
import type { AccountRecord } from '../../store/repositories/people/account-repository.ts';
import type {
  CommentFilter,
  CommentRecord,
  CommentSubject,
} from '../../store/repositories/people/comment-repository.ts';
import type { KeysetPage, KeysetRequest } from '../../store/sqlite/keyset-page.ts';
import type { Store, Writes } from '../../store/store.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { EventBus } from '../event-bus.ts';
import { Failure } from '../failure.ts';
import { mayEditComment } from '../policies.ts';

export type { CommentFilter, CommentRecord, CommentSubject };

/** `#word` at the beginning of a word: not the fragment of an address, not a mere number. */
const tagPattern = /(?<![\p{L}\p{N}_/&?=#])#(?=[\p{N}_-]*\p{L})([\p{L}\p{N}_][\p{L}\p{N}_-]{0,49})/gu;
/** Most tags of one comment. */
const maxTags = 20;

/** The distinct tags in a comment's text. */
export const tagsIn = (text: string): string[] =>
  [...new Set([...text.matchAll(tagPattern)].map((match) => match[1]!))].slice(0, maxTags);

const isAbout = (comment: CommentRecord, subject: CommentSubject): boolean =>
  Object.entries(subject).every(([name, id]) => comment[name as 'apkId' | 'rulesetId' | 'profileId'] === id);

async function countOnApk(inside: Writes, apkId: number | null): Promise<void> {
  if (apkId === null) return;
  await inside.apks.update(apkId, { commentsCount: await inside.comments.count({ apkId }) });
}

export class Comments {
  readonly #store: Store;
  readonly #events: EventBus;
  readonly #catalogue: Catalogue;

  constructor(store: Store, events: EventBus, catalogue: Catalogue) {
    this.#store = store;
    this.#events = events;
    this.#catalogue = catalogue;
  }

  /** Newest first. */
  page = (filter: CommentFilter, request: KeysetRequest): Promise<KeysetPage<CommentRecord>> =>
    this.#store.comments.page({ ...request, filter });

  /** Newest first. */
  list = (filter: CommentFilter, offset: number, limit: number): Promise<CommentRecord[]> =>
    this.#store.comments.list({ filter, offset, limit });

  /** How many comments the filter lets through. */
  count = (filter: CommentFilter): Promise<number> => this.#store.comments.count(filter);

  /** The caller asks whether its subject may be seen. @throws Failure `not-found` */
  async getById(id: number | null): Promise<CommentRecord> {
    const comment = id === null ? null : await this.#store.comments.findById(id);
    if (comment === null) throw new Failure('not-found');
    return comment;
  }

  /** @throws Failure `not-found`, also where it is about something else */
  async get(subject: CommentSubject, id: number | null): Promise<CommentRecord> {
    const comment = await this.getById(id);
    if (!isAbout(comment, subject)) throw new Failure('not-found');
    return comment;
  }

  /** Stores a comment and notifies those whom it concerns. */
  async create(account: AccountRecord, subject: CommentSubject, text: string): Promise<CommentRecord> {
    const comment = await this.#store.transaction(async (inside) => {
      const inserted = await inside.comments.insert(account.id, subject, text);
      await countOnApk(inside, inserted.apkId);
      await this.#tell(inside, inserted, null);
      return inserted;
    });
    await this.#tag(comment);
    return comment;
  }

  /** @throws Failure `not-allowed`, `not-found` */
  async change(account: AccountRecord, comment: CommentRecord, text: string): Promise<CommentRecord> {
    if (!mayEditComment(account, comment)) throw new Failure('not-allowed');
    const changed = await this.#store.transaction(async (inside) => {
      const updated = await inside.comments.update(comment.id, text);
      if (updated === null) throw new Failure('not-found');
      await this.#tell(inside, updated, comment.text);
      return updated;
    });
    await this.#tag(changed);
    return changed;
  }

  /** @throws Failure `not-allowed` */
  async remove(account: AccountRecord, comment: CommentRecord): Promise<void> {
    if (!mayEditComment(account, comment)) throw new Failure('not-allowed');
    await this.#store.transaction(async (inside) => {
      await inside.comments.remove(comment.id);
      await countOnApk(inside, comment.apkId);
    });
  }

  async #tell(inside: Writes, comment: CommentRecord, textBefore: string | null): Promise<void> {
    const { id: commentId, authorId, text, apkId, rulesetId, profileId } = comment;
    const about = { commentId, authorId, apkId, rulesetId, profileId };
    await this.#events.happened({ name: 'commented', ...about, text, textBefore }, inside);
  }

  async #tag({ apkId, text }: CommentRecord): Promise<void> {
    const tags = apkId === null ? [] : tagsIn(text);
    const apk = apkId === null || tags.length === 0 ? null : await this.#store.apks.findById(apkId);
    if (apk !== null) await this.#catalogue.addTags(apk, tags);
  }
}
