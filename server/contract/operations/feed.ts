// The feed packages over HTTP, for corporate API groups, and their zips by signed link.
import { feedListQuerySchema, feedListSchema, feedPackageSchema } from '../catalogue/feed.ts';
import { signedQuerySchema } from '../list.ts';
import type { Operation, Operations } from './operation.ts';

const zipTypes = ['application/zip'] as const;

const latest = (summary: string) =>
  ({
    summary: `${summary} of the last 5 minutes`,
    access: 'token',
    policy: 'feed.read',
    refusals: ['not-found'],
    answers: { 200: feedPackageSchema },
  }) as const satisfies Operation;

export const feedOperations = {
  'GET /feed/': {
    summary: 'The packages that are ready, newest first',
    access: 'token',
    policy: 'feed.read',
    query: feedListQuerySchema.pick({ feed_type: true, package_type: true, package_datetime: true }),
    paging: 'cursor',
    answers: { 200: feedListSchema },
  },
  'GET /feed/apks/': latest('The new APKs'),
  'GET /feed/analyses/': latest('The detections'),
  'GET /feed/detected/': latest('The detections of detected APKs'),
  'GET /feed/<id>/': {
    summary: 'One package',
    access: 'token',
    policy: 'feed.read',
    answers: { 200: feedPackageSchema },
  },
  'GET /feed/<id>/<name>/': {
    summary: 'The zip of a package, by a signed link',
    access: 'anybody',
    query: signedQuerySchema,
    refusals: ['wrong-signature', 'link-lapsed', 'range-not-satisfiable'],
    answers: { 200: zipTypes, 206: zipTypes },
  },
} satisfies Operations;
