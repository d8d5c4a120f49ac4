// Feed packages over HTTP, and the records inside them. Imports zod only.
import { z } from 'zod';
import { filterSchema, pageQuerySchema, pageSchema, publicIdSchema, timestampSchema, urlSchema } from '../list.ts';
import { apkSchema } from './apk.ts';

export const feedTypes = ['apks', 'analyses', 'detected'] as const;
export type FeedType = (typeof feedTypes)[number];

export const packageTypes = ['5-minutes', '1-hour'] as const;
export type PackageType = (typeof packageTypes)[number];

export const feedPackageSchema = z.object({
  id: publicIdSchema,
  url: urlSchema,
  /** `%Y%m%dT%H%M` of the interval's start in UTC, `%Y%m%dT%H` for an hour. */
  package: z.string().regex(/^\d{8}T(\d\d|\d{4})$/),
  feed_type: z.enum(feedTypes),
  package_type: z.enum(packageTypes),
  /** The interval's start. */
  package_datetime: timestampSchema,
  /** A zip, for an hour and without a token. */
  download_url: urlSchema,
});
export type FeedPackage = z.infer<typeof feedPackageSchema>;

export const feedListSchema = pageSchema(feedPackageSchema);
export const feedListQuerySchema = pageQuerySchema.extend({
  feed_type: filterSchema(z.enum(feedTypes)),
  package_type: filterSchema(z.enum(packageTypes)),
  package_datetime: filterSchema(z.string()).describe("ISO 8601, the interval's start; UTC where no offset is given"),
});

/** `<sha256>.json` in a package of APKs. */
export const feedApkSchema = apkSchema
  .pick({
    sha256: true,
    md5: true,
    sha1: true,
    app: true,
    package_name: true,
    company: true,
    version: true,
    size: true,
    is_trusted: true,
    is_installed: true,
    is_corrupted: true,
    is_detected: true,
    rating: true,
    workstation: true,
  })
  .extend({
    /** Separated by commas. */
    tags: z.string(),
    /** Valid for 7 days from the making of the package. */
    download_link: urlSchema,
  });
export type FeedApk = z.infer<typeof feedApkSchema>;
