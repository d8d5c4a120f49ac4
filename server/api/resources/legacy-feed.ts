// The feed over HTTP, as clients of the older API know it: the zips themselves.
import { ZipArchive } from 'archiver';
import type { Response } from 'express';
import { z } from 'zod';
import type { FeedType } from '../../contract/feed.ts';
import { type FeedPackageRecord, type Feeds, feedFileName } from '../../services/catalogue/feeds.ts';
import { Failure } from '../../services/failure.ts';
import { mayGetFeed } from '../../services/policies.ts';
import { type Operation, operation, type Resource } from '../operation.ts';
import { sendStream } from '../sent-stream.ts';

const querySchema = z.object({
  package: z.string().optional().describe('`%Y%m%dT%H%M`, or `%Y%m%dT%H` for an hour; the last 5 minutes without it'),
});

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

const send = (feedType: FeedType, summary: string): Operation =>
  operation(
    {
      summary,
      access: 'token',
      querySchema,
      refusals: ['feed-not-allowed', 'not-found'],
      answers: { 200: ['application/zip'] },
    },
    async ({ request, response, query: { package: name = '' }, account, services: { feeds } }) => {
      if (!mayGetFeed(account)) throw new Failure('feed-not-allowed');
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
    },
  );

export const legacyFeedResources: Resource[] = [
  { path: '/legacy/feed/apks', operations: { get: send('apks', 'Links to new APKs, as a zip (older API)') } },
  { path: '/legacy/feed/analyses', operations: { get: send('analyses', 'Detections, as a zip (older API)') } },
  {
    path: '/legacy/feed/detected',
    operations: { get: send('detected', 'Detections of detected APKs, as a zip (older API)') },
  },
];
