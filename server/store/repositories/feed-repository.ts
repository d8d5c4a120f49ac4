// The packages of the feeds, one per feed, length and interval. Knows nothing of their zips.
import { type FeedType, feedTypes, type PackageType, packageTypes } from '../../contract/catalogue/feed.ts';
import type { FeedPackagesTable } from '../schema/catalogue.ts';
import { countOf, type KeysetPage, type KeysetRequest, pageOf } from '../sqlite/keyset-page.ts';
import { type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';
import { type RecordOf, recordOf } from './table-record.ts';

/** What identifies a package. */
export interface FeedInterval {
  feedType: FeedType;
  packageType: PackageType;
  /** Microseconds since 1970 UTC, on the clock. */
  startsAt: number;
}

export type FeedPackageRecord = RecordOf<FeedPackagesTable>;

export type FeedFilter = Partial<FeedInterval>;

const fiveMinutes = 300_000_000;
/** Well below the number of parameters that a statement may have. */
const removedAtOnce = 1_000;

/**
 * The id of a package is computed from its key and rises with its start: a package that is made late is listed in its
 * place, and one that is made again keeps its id.
 */
export function feedPackageId({ feedType, packageType, startsAt }: FeedInterval): number {
  const kind = packageTypes.indexOf(packageType) * feedTypes.length + feedTypes.indexOf(feedType);
  return Math.floor(startsAt / fiveMinutes) * packageTypes.length * feedTypes.length + kind;
}

export class FeedRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** Stores packages; one with the same key is replaced. */
  async save(
    this: FeedRepository<WriteHandle>,
    packages: readonly (FeedInterval & { members: number })[],
  ): Promise<void> {
    if (packages.length === 0) return;
    const rows = packages.map((made) => ({
      id: feedPackageId(made),
      feed_type: made.feedType,
      package_type: made.packageType,
      starts_at: made.startsAt,
      members: made.members,
      created_at: this.clock(),
    }));
    await this.database.replaceInto('feed_packages').values(rows).execute();
  }

  /** The package, null where there is none. */
  async find(id: number): Promise<FeedPackageRecord | null> {
    const row = await this.database.selectFrom('feed_packages').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : recordOf(row);
  }

  /** Newest first. */
  async page({ filter, ...request }: KeysetRequest & { filter: FeedFilter }): Promise<KeysetPage<FeedPackageRecord>> {
    return pageOf(this.#filtered(filter).selectAll(), request, 'id', recordOf);
  }

  /** How many packages the filter lets through. */
  async count(filter: FeedFilter): Promise<number> {
    return countOf(this.#filtered(filter));
  }

  /** Ids of all packages. */
  async ids(): Promise<Set<number>> {
    const rows = await this.database.selectFrom('feed_packages').select('id').execute();
    return new Set(rows.map(({ id }) => id));
  }

  /** Packages that start before the first or after the second time. */
  async startingOutside(first: number, last: number): Promise<FeedPackageRecord[]> {
    const query = this.database
      .selectFrom('feed_packages')
      .selectAll()
      .where((row) => row.or([row('starts_at', '<', first), row('starts_at', '>', last)]));
    return (await query.execute()).map(recordOf);
  }

  /** Deletes packages. */
  async remove(this: FeedRepository<WriteHandle>, packages: readonly FeedPackageRecord[]): Promise<void> {
    for (let start = 0; start < packages.length; start += removedAtOnce) {
      const ids = packages.slice(start, start + removedAtOnce).map(({ id }) => id);
      await this.database.deleteFrom('feed_packages').where('id', 'in', ids).execute();
    }
  }

  #filtered({ feedType, packageType, startsAt }: FeedFilter) {
    let query = this.database.selectFrom('feed_packages');
    if (feedType !== undefined) query = query.where('feed_type', '=', feedType);
    if (packageType !== undefined) query = query.where('package_type', '=', packageType);
    if (startsAt !== undefined) query = query.where('starts_at', '=', startsAt);
    return query;
  }
}
