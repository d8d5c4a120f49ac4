// The feeds: a zip for every 5 minutes and every hour on the clock, for the last 7 days. Knows nothing of HTTP.
import { join } from 'node:path';
import { type FeedType, feedTypes, type PackageType, packageTypes } from '../../contract/catalogue/feed.ts';
import type { ErrorLog } from '../../jobs/error-log.ts';
import { type OpenZip, type StoredZip, ZipFolder, type ZipMember } from '../../store/files/zip-folder.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { DetectionRecord } from '../../store/repositories/detection-repository.ts';
import {
  type FeedFilter,
  type FeedInterval,
  type FeedPackageRecord,
  feedPackageId,
} from '../../store/repositories/feed-repository.ts';
import type { KeysetPage, KeysetRequest } from '../../store/sqlite/keyset-page.ts';
import type { Store } from '../../store/store.ts';
import { storageFaultOf } from '../../store/store-errors.ts';
import type { DiskRoom } from '../disk-room.ts';
import { Failure } from '../failure.ts';

export type { FeedFilter, FeedPackageRecord };

/** How records become JSON. */
export interface FeedPresenter {
  apk(apk: ApkRecord): object;
  detection(detection: DetectionRecord): { source: string };
}

/** Microseconds. */
const lengths: Record<PackageType, number> = { '5-minutes': 300_000_000, '1-hour': 3_600_000_000 };
const keptFor = 7 * 24 * lengths['1-hour'];

const startOf = (packageType: PackageType, time: number) => time - (time % lengths[packageType]);

/** `20220114T0840`, `20220114T08` for an hour: how a package is called. */
export function packageName({ packageType, startsAt }: Pick<FeedInterval, 'packageType' | 'startsAt'>): string {
  const text = new Date(startsAt / 1000).toISOString().replaceAll(/[-:]/g, '');
  return text.slice(0, packageType === '1-hour' ? 11 : 13);
}

/** What a package of an hour is made of. */
const partsOf = ({ feedType, startsAt }: FeedInterval): FeedInterval[] =>
  Array.from({ length: lengths['1-hour'] / lengths['5-minutes'] }, (_, index) => ({
    feedType,
    packageType: '5-minutes',
    startsAt: startsAt + index * lengths['5-minutes'],
  }));

export const feedFileName = (interval: FeedInterval): string => `${interval.feedType}_${packageName(interval)}.zip`;

/** The interval that a package's name means, null where it is no such name. */
function intervalOf(feedType: FeedType, name: string): FeedInterval | null {
  const [, year, month, day, hour, minute] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)?$/.exec(name) ?? [];
  if (year === undefined) return null;
  const startsAt = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute ?? 0)) * 1000;
  const interval = { feedType, packageType: packageTypes[minute === undefined ? 1 : 0], startsAt };
  return startsAt >= 0 && packageName(interval) === name ? interval : null;
}

export class Feeds {
  readonly #store: Store;
  readonly #zips: ZipFolder;
  readonly #installedAt: number;
  readonly #log: ErrorLog;
  readonly #room: DiskRoom;
  #making: Promise<void> | null = null;
  #isClosed = false;

  /** @param installedAt microseconds, not to come; no package is older */
  constructor(store: Store, installedAt: number, log: ErrorLog, room: DiskRoom) {
    this.#store = store;
    this.#room = room;
    this.#installedAt = installedAt;
    this.#log = log;
    this.#zips = new ZipFolder(join(store.dataDir, 'feeds'));
  }

  /** Packages that the filter lets through, newest first. */
  page = (request: KeysetRequest & { filter: FeedFilter }): Promise<KeysetPage<FeedPackageRecord>> =>
    this.#store.feeds.page(request);

  /** How many packages the filter lets through. */
  count = (filter: FeedFilter): Promise<number> => this.#store.feeds.count(filter);

  /** @throws Failure `not-found` */
  async get(id: number | null): Promise<FeedPackageRecord> {
    const record = id === null ? null : await this.#store.feeds.find(id);
    if (record === null) throw new Failure('not-found');
    return record;
  }

  /** The package of the last complete 5 minutes. @throws Failure `not-found` before the first */
  async latest(feedType: FeedType): Promise<FeedPackageRecord> {
    const { items } = await this.page({ filter: { feedType, packageType: '5-minutes' }, limit: 1 });
    if (items[0] === undefined) throw new Failure('not-found');
    return items[0];
  }

  /** @param name as packages are called, `20220114T0840` or `20220114T08` @throws Failure `not-found` */
  getByName(feedType: FeedType, name: string): Promise<FeedPackageRecord> {
    const interval = intervalOf(feedType, name);
    return this.get(interval === null ? null : feedPackageId(interval));
  }

  /** @throws Failure `not-found` where the file is gone */
  async zip(record: FeedPackageRecord): Promise<StoredZip> {
    if (record.members === 0) return this.#zips.empty();
    const zip = await this.#zips.find(feedFileName(record));
    if (zip === null) throw new Failure('not-found');
    return zip;
  }

  /** The files inside a package, one after the other. */
  async *members(interval: FeedInterval): AsyncGenerator<ZipMember> {
    const zip = await this.#zips.open(feedFileName(interval));
    if (zip === null) return;
    try {
      for (const [index, name] of zip.names.entries()) yield { name, text: await zip.read(index) };
    } finally {
      zip.close();
    }
  }

  /** Makes every package that is due when it is asked and not there yet, and deletes the lapsed; one call after the other. */
  makeDue(presenter: FeedPresenter): Promise<void> {
    const before = this.#making?.catch(() => undefined) ?? Promise.resolve();
    const making = before.then(() => this.#makeDue(presenter));
    const isDone = () => {
      if (this.#making === making) this.#making = null;
    };
    making.then(isDone, isDone);
    this.#making = making;
    return making;
  }

  /** Stops after the package that is being made. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#making?.catch(() => undefined);
  }

  /** A package that finds no room on the disk is made later, within the days that feeds reach back. @throws ReservedRoomError */
  async *#withRoom(members: AsyncIterable<ZipMember>): AsyncGenerator<ZipMember> {
    let isFirst = true;
    for await (const member of members) {
      if (isFirst) await this.#room.check();
      isFirst = false;
      yield member;
    }
  }

  async #makeDue(presenter: FeedPresenter): Promise<void> {
    this.#zips.sweep();
    const now = this.#store.clock();
    // Whole hours are kept, so that the packages of an hour go together with those it holds.
    const oldest = startOf('1-hour', now - keptFor);
    // Ages are counted by the trusted time, so that a clock that is set far ahead or back deletes nothing.
    const { trustedTime } = this.#store;
    const lapsed = Math.min(oldest, startOf('1-hour', trustedTime.now() - keptFor));
    // Packages of a time that is not over were made while the clock was ahead, without what that time will bring.
    const isInFuture = (end: number) => end > now && (!trustedTime.isSetBack || trustedTime.isInFuture(end));
    const gone = (await this.#store.feeds.startingOutside(lapsed, now - lengths['1-hour'])).filter(
      ({ startsAt, packageType }) => startsAt < lapsed || isInFuture(startsAt + lengths[packageType]),
    );
    for (const one of gone) await this.#zips.remove(feedFileName(one));
    await this.#store.transaction(({ feeds }) => feeds.remove(gone));
    await this.#store.transaction(({ detections }) => detections.forgetChangesBefore(lapsed));
    const known = await this.#store.feeds.ids();
    const made: (FeedInterval & { members: number })[] = [];
    const make = async (packageType: PackageType, startsAt: number) => {
      for (const feedType of feedTypes) {
        const interval = { feedType, packageType, startsAt };
        if (this.#isClosed || known.has(feedPackageId(interval))) continue;
        const members = await (packageType === '1-hour'
          ? this.#writeHour(interval, presenter)
          : this.#write(interval, presenter));
        made.push({ ...interval, members });
      }
    };
    const length = lengths['5-minutes'];
    for (
      let start = Math.max(oldest, startOf('5-minutes', this.#installedAt));
      start + length <= now;
      start += length
    ) {
      await make('5-minutes', start);
      const end = start + length;
      if (end !== startOf('1-hour', end)) continue;
      await make('1-hour', end - lengths['1-hour']);
      const some = made.splice(0);
      await this.#store.transaction(({ feeds }) => feeds.save(some));
    }
    await this.#store.transaction(({ feeds }) => feeds.save(made));
  }

  #write(interval: FeedInterval, presenter: FeedPresenter): Promise<number> {
    const { feedType, startsAt } = interval;
    const members =
      feedType === 'apks'
        ? this.#newApks(startsAt, presenter)
        : this.#detections(startsAt, feedType === 'detected', presenter);
    return this.#zips.write(feedFileName(interval), new Date(startsAt / 1000), this.#withRoom(members));
  }

  /** Of its packages of 5 minutes, the damaged of which are made anew. */
  async #writeHour(hour: FeedInterval, presenter: FeedPresenter): Promise<number> {
    const write = () =>
      this.#zips.write(feedFileName(hour), new Date(hour.startsAt / 1000), this.#withRoom(this.#membersOfHour(hour)));
    try {
      return await write();
    } catch (err) {
      if (storageFaultOf(err) !== null) throw err;
      this.#log.error({ err, package: feedFileName(hour) }, 'packages that make an hour are damaged');
      for (const part of partsOf(hour)) {
        if (await this.#isWhole(part)) continue;
        const members = await this.#write(part, presenter);
        await this.#store.transaction(({ feeds }) => feeds.save([{ ...part, members }]));
      }
      return write();
    }
  }

  async #isWhole(interval: FeedInterval): Promise<boolean> {
    try {
      for await (const { text } of this.members(interval)) JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  }

  async *#newApks(startsAt: number, presenter: FeedPresenter): AsyncGenerator<ZipMember> {
    for await (const apk of this.#store.apks.createdBetween(startsAt, startsAt + lengths['5-minutes'])) {
      yield { name: `${apk.sha256}.json`, text: JSON.stringify(presenter.apk(apk)) };
    }
  }

  async *#detections(startsAt: number, isDetectedOnly: boolean, presenter: FeedPresenter): AsyncGenerator<ZipMember> {
    const detections = await this.#store.detections.changedBetween(startsAt, startsAt + lengths['5-minutes']);
    const byApk = Map.groupBy(detections, ({ apkId }) => apkId);
    for (const [apkId, ofApk] of byApk) {
      const apk = await this.#store.apks.findById(apkId);
      if (apk === null || (isDetectedOnly && !apk.isDetected)) continue;
      yield { name: `${apk.sha256}.json`, text: JSON.stringify(ofApk.map((one) => presenter.detection(one))) };
    }
  }

  /** What the hour's packages of 5 minutes hold; where several tell of one APK, the latest word of each source. */
  async *#membersOfHour(hour: FeedInterval): AsyncGenerator<ZipMember> {
    const zips: OpenZip[] = [];
    try {
      const places = new Map<string, { zip: OpenZip; index: number }[]>();
      for (const part of partsOf(hour)) {
        const zip = await this.#zips.open(feedFileName(part));
        if (zip === null) continue;
        zips.push(zip);
        for (const [index, name] of zip.names.entries()) {
          const known = places.get(name);
          if (known === undefined) places.set(name, [{ zip, index }]);
          else known.push({ zip, index });
        }
      }
      for (const [name, parts] of places) {
        const texts: string[] = [];
        for (const { zip, index } of parts) texts.push(await zip.read(index));
        yield { name, text: texts.length === 1 || hour.feedType === 'apks' ? texts.at(-1)! : mergedDetections(texts) };
      }
    } finally {
      for (const zip of zips) zip.close();
    }
  }
}

function mergedDetections(texts: readonly string[]): string {
  const bySource = new Map<string, { source: string }>();
  for (const text of texts) {
    for (const detection of JSON.parse(text) as { source: string }[]) bySource.set(detection.source, detection);
  }
  return JSON.stringify([...bySource.values()]);
}
