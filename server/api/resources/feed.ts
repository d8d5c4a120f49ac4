// The feed packages over HTTP, for corporate API groups, and their zips by signed link.
import type { FeedType } from '../../contract/catalogue/feed.ts';
import type { feedOperations } from '../../contract/operations/feed.ts';
import { type FeedPackageRecord, feedFileName } from '../../services/catalogue/feeds.ts';
import { Failure, FieldFailure } from '../../services/failure.ts';
import type { Services } from '../../services/services.ts';
import { queryOf } from '../addressing.ts';
import { type Call, type Handlers, ok } from '../operation.ts';
import { cursorPage, pageRequestOf } from '../paging.ts';
import { presentFeedPackage } from '../presenters/feed.ts';
import { sendRanged } from '../ranged-file.ts';

/** ISO 8601, extended or basic; a blank stands where the `+` of an offset was lost on the way. */
const dateTime =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ](\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,]\d{1,9})?)?)?(Z|[+ -]\d\d(?::?\d\d)?)?)?$/i;

/** Microseconds since 1970 UTC. @throws FieldFailure */
function instantOf(text: string): number {
  const [, year, month, day, hour = '00', minute = '00', second = '00', zone = 'Z'] = dateTime.exec(text.trim()) ?? [];
  const offset = /^z$/i.test(zone) ? 'Z' : `${zone[0] === '-' ? '-' : '+'}${zone.slice(1, 3)}:${zone.slice(-2)}`;
  const full = zone.length === 3 ? `${offset.slice(0, 3)}:00` : offset;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${full}`);
  // JavaScript takes the 30th of February for a day of March.
  const isDay = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
  if (Number.isNaN(time) || !isDay)
    throw new FieldFailure({ package_datetime: ['A date and time in ISO 8601 is required.'] });
  return time * 1000;
}

const latest =
  (feedType: FeedType) =>
  async ({ presenting, services }: Call) =>
    ok(presentFeedPackage(presenting, await services.feeds.latest(feedType)));

const find = ({ feeds, ids }: Services, id: string): Promise<FeedPackageRecord> => feeds.get(ids.decode('feed', id));

export const feedHandlers: Handlers<typeof feedOperations> = {
  'GET /feed/': async ({ request, query, presenting, services: { feeds, ids } }) => {
    const asked = pageRequestOf(queryOf(request), ids);
    const { feed_type: feedType, package_type: packageType, package_datetime: at } = query;
    const filter = {
      ...(feedType === undefined ? {} : { feedType }),
      ...(packageType === undefined ? {} : { packageType }),
      ...(at === undefined ? {} : { startsAt: instantOf(at) }),
    };
    const page = { ...(await feeds.page({ ...asked, filter })), count: await feeds.count(filter) };
    return ok(cursorPage(request, asked, ids, page, (record) => presentFeedPackage(presenting, record)));
  },

  'GET /feed/apks/': latest('apks'),
  'GET /feed/analyses/': latest('analyses'),
  'GET /feed/detected/': latest('detected'),

  'GET /feed/<id>/': async ({ params, presenting, services }) => {
    return ok(presentFeedPackage(presenting, await find(services, params.id)));
  },

  'GET /feed/<id>/<name>/': async ({ request, response, params, query, services }) => {
    const record = await find(services, params.id);
    const name = feedFileName(record);
    if (params.name !== name) throw new Failure('not-found');
    services.links.check('feed', name, query);
    const zip = await services.feeds.zip(record);
    response.set({
      'Cache-Control': 'private, no-store',
      'Content-Disposition': `attachment; filename="${name}"`,
      'Content-Type': 'application/zip',
    });
    await sendRanged(request, response, { size: zip.size, tag: null }, zip.stream);
    return null;
  },
};
