// Feed packages in their current shape, and the records inside them.
import type { FeedApk, FeedPackage } from '../../contract/catalogue/feed.ts';
import type { ApkRecord } from '../../services/catalogue/catalogue.ts';
import {
  type FeedPackageRecord,
  type FeedPresenter,
  feedFileName,
  packageName,
} from '../../services/catalogue/feeds.ts';
import { presentWorkstation } from './apk.ts';
import { presentDetection } from './detection.ts';
import { type Presenting, timestamp } from './presenting.ts';

export function presentFeedPackage({ baseUrl, ids, links }: Presenting, record: FeedPackageRecord): FeedPackage {
  const id = ids.encode('feed', record.id);
  const name = feedFileName(record);
  const query = new URLSearchParams({ ...links.sign('feed', name) });
  return {
    id,
    url: `${baseUrl}/feed/${id}/`,
    package: packageName(record),
    feed_type: record.feedType,
    package_type: record.packageType,
    package_datetime: timestamp(record.startsAt),
    download_url: `${baseUrl}/feed/${id}/${name}?${query}`,
  };
}

function presentFeedApk(presenting: Presenting, apk: ApkRecord): FeedApk {
  const { baseUrl, links } = presenting;
  const query = new URLSearchParams({ ...links.signForFeed(apk.sha256) });
  return {
    sha256: apk.sha256,
    md5: apk.md5,
    sha1: apk.sha1,
    app: apk.app,
    package_name: apk.packageName,
    company: apk.company,
    version: apk.version,
    size: apk.size,
    tags: apk.tags.join(','),
    is_trusted: apk.isTrusted,
    is_installed: apk.isInstalled,
    is_corrupted: apk.isCorrupted,
    is_detected: apk.isDetected,
    rating: apk.rating,
    workstation: presentWorkstation(presenting, apk),
    download_link: `${baseUrl}/downloads/${apk.sha256}.apk?${query}`,
  };
}

/** How records stand in the packages; here `baseUrl` is where others reach the workstation. */
export const feedPresenter = (presenting: Presenting): FeedPresenter => ({
  apk: (apk) => presentFeedApk(presenting, apk),
  detection: (detection) => presentDetection(presenting.ids, detection),
});
