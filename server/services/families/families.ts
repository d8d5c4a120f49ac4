// Families as they are read: their list, one of them, its members, what people did with it. Knows nothing of HTTP.
import type { FamilyOrder } from '../../contract/catalogue/family.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { FamilyActionRecord } from '../../store/repositories/family-action-repository.ts';
import type { FamilyFilter, FamilyRecord } from '../../store/repositories/family-repository.ts';
import type { KeysetPage, KeysetRequest } from '../../store/sqlite/keyset-page.ts';
import type { Store } from '../../store/store.ts';
import { Failure } from '../failure.ts';
import { type FamilyPortrait, portraitOf } from './family-portrait.ts';

export type { FamilyActionRecord, FamilyFilter, FamilyRecord };

export interface FamilyMember {
  apk: ApkRecord;
  /** People put it there. */
  isFixed: boolean;
}

interface Span {
  offset: number;
  limit: number;
}

export class Families {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The family, or the one that it was merged into. @throws Failure `not-found` */
  async get(id: number | null): Promise<FamilyRecord> {
    if (id === null) throw new Failure('not-found');
    const current = (await this.#store.families.current([id])).get(id);
    const family = current === undefined ? null : await this.#store.families.findById(current);
    if (family === null) throw new Failure('not-found');
    return family;
  }

  /** The family of an APK, null where it has none. */
  of = async ({ codeFamilyId }: ApkRecord): Promise<FamilyRecord | null> =>
    codeFamilyId === null ? null : this.get(codeFamilyId);

  /** Families that fit a filter, a page of them. */
  list = (filter: FamilyFilter, order: FamilyOrder, span: Span): Promise<FamilyRecord[]> =>
    this.#store.families.list(filter, order, span);

  /** How many families fit a filter. */
  count = (filter: FamilyFilter): Promise<number> => this.#store.families.count(filter);

  /** Families by their ids, merged ones under their own. */
  findByIds = (ids: readonly number[]): Promise<Map<number, FamilyRecord>> => this.#store.families.findByIds(ids);

  /** The newest member of each of these families, by the family. */
  async newest(families: readonly FamilyRecord[]): Promise<Map<number, ApkRecord>> {
    const apks = await this.#store.apks.findByIds(families.flatMap(({ newestId }) => newestId ?? []));
    return new Map(
      families.flatMap(({ id, newestId }) => {
        const apk = newestId === null ? undefined : apks.get(newestId);
        return apk === undefined ? [] : [[id, apk] as const];
      }),
    );
  }

  /** What a family's page shows of its members. */
  portrait = (family: FamilyRecord): Promise<FamilyPortrait> => portraitOf(this.#store, family);

  /** Members, newest first. */
  async members({ id }: FamilyRecord, span: Span): Promise<FamilyMember[]> {
    const ids = await this.#store.families.members(id, span);
    const apks = await this.#store.apks.findByIds(ids);
    const ties = await this.#store.families.tiesOf(ids);
    const fixed = new Set(ties.filter(({ isMember }) => isMember).map(({ apkId }) => apkId));
    return ids.flatMap((apkId) => {
      const apk = apks.get(apkId);
      return apk === undefined ? [] : [{ apk, isFixed: fixed.has(apkId) }];
    });
  }

  /** What people did with a family, newest first. */
  actions = ({ id }: FamilyRecord, request: KeysetRequest): Promise<KeysetPage<FamilyActionRecord>> =>
    this.#store.familyActions.page(id, request);

  /** How many actions a family's history has. */
  countActions = ({ id }: FamilyRecord): Promise<number> => this.#store.familyActions.count(id);

  /** @throws Failure `not-found`, also where it is one on other families */
  async action({ id }: FamilyRecord, actionId: number | null): Promise<FamilyActionRecord> {
    const action = actionId === null ? null : await this.#store.familyActions.findById(actionId);
    if (action === null) throw new Failure('not-found');
    const concerned = [action.familyId, ...(action.otherId === null ? [] : [action.otherId])];
    const current = await this.#store.families.current(concerned);
    if (!concerned.includes(id) && ![...current.values()].includes(id)) throw new Failure('not-found');
    return action;
  }
}
