// The feed over HTTP, as clients of the older API know it: the zips themselves.
import { ZipArchive } from 'archiver';
import type { Response } from 'express';
import type { FeedType } from '../../../contract/catalogue/feed.ts';
import type { legacyFeedOperations } from '../../../contract/operations/legacy/feed.ts';
import { type FeedPackageRecord, type Feeds, feedFileName } from '../../../services/catalogue/feeds.ts';
import type { Call, Handlers } from '../../operation.ts';
import { sendStream } from '../../sent-stream.ts';

function announce(response: Response, record: FeedPackageRecord, size: number): void {
  response.set({
    'Cache-Control': 'private, no-store',
    'Content-Disposition': `attachment; filename="${feedFileName(record)}"`,
    'Content-Type': 'application/zip',
    'Content-Length': String(size),
  });
}

/** One file `samples` with a line `sha256;url` for each APK of the package, the empty file too. */
async function samplesZip(feeds: Feeds, record: FeedPackageRecord): Promise<Buffer> {
  const lines: string[] = [];
  for await (const { text } of feeds.members(record)) {
    const { sha256, download_link: link } = JSON.parse(text) as { sha256: string; download_link: string };
    lines.push(`${sha256};${link}\n`);
  }
  const archive = new ZipArchive();
  archive.append(lines.join(''), { name: 'samples', date: new Date(record.startsAt / 1000) });
  const [pieces] = await Promise.all([archive.toArray() as Promise<Buffer[]>, archive.finalize()]);
  return Buffer.concat(pieces);
}

const send =
  (feedType: FeedType) =>
  async ({
    request,
    response,
    query: { package: name = '' },
    services: { feeds },
  }: Call<never, 'token', { package?: string | undefined }>) => {
    const record = name === '' ? await feeds.latest(feedType) : await feeds.getByName(feedType, name);
    if (feedType === 'apks') {
      const zip = await samplesZip(feeds, record);
      announce(response, record, zip.length);
      response.end(zip);
      return null;
    }
    const zip = await feeds.zip(record);
    announce(response, record, zip.size);
    await sendStream(request, response, () => zip.stream());
    return null;
  };

export const legacyFeedHandlers: Handlers<typeof legacyFeedOperations> = {
  'GET /legacy/feed/apks/': send('apks'),
  'GET /legacy/feed/analyses/': send('analyses'),
  'GET /legacy/feed/detected/': send('detected'),
};
