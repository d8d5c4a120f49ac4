// Bytes of APKs over HTTP: uploads, downloads and icons, by token or by signed link.
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { apkDetailSchema, uploadQuerySchema } from '../../contract/apk.ts';
import { sha256Schema, signedQuerySchema } from '../../contract/list.ts';
import type { IntakeOptions } from '../../services/catalogue/intake.ts';
import { Failure } from '../../services/failure.ts';
import { callerAddress } from '../caller-address.ts';
import { type Answer, type Call, operation, type Resource } from '../operation.ts';
import { sendRanged } from '../ranged-file.ts';
import { uploadedFile } from '../uploaded-file.ts';
import { shownDetail } from './apks.ts';

/** What a sender hears who may not learn what is held. */
const receivedSchema = z.object({ sha256: sha256Schema, size: z.number().int() });

/** Milliseconds: answers that tell nothing come at whole ones of these, however long the work took. */
const untellingBeat = 1_000;

const uploadAnswers = { 201: apkDetailSchema, 200: apkDetailSchema };

async function take(
  {
    request,
    account,
    presenting,
    services,
  }: Pick<Call<'lenient', unknown, unknown>, 'request' | 'account' | 'presenting' | 'services'>,
  options: Omit<IntakeOptions, 'uploader' | 'address'>,
): Promise<Answer> {
  const { intake } = services;
  const bytes = await uploadedFile(request, await intake.maxBytes());
  const { apk, created } = await intake.receiveApk(bytes, {
    ...options,
    uploader: account,
    address: callerAddress(request),
  });
  return { status: created ? 201 : 200, body: await shownDetail(services, account, presenting, apk) };
}

const upload = operation(
  {
    summary: 'Uploads an APK whose hash need not be known',
    access: 'token',
    bodyKind: 'file',
    querySchema: uploadQuerySchema,
    answers: uploadAnswers,
  },
  async (call) => take(call, { priority: call.query.source ?? 'upload' }),
);

/** Takes an APK from somebody who may not learn whether it was held: neither by the answer nor by when it comes. */
async function takeUntelling(
  { request, services: { intake } }: Pick<Call<'lenient', unknown, unknown>, 'request' | 'services'>,
  expectedSha256: string,
): Promise<Answer> {
  const sent = await uploadedFile(request, await intake.maxBytes());
  let received = performance.now();
  const bytes = (async function* () {
    yield* sent;
    received = performance.now();
  })();
  const address = callerAddress(request);
  const { apk } = await intake.receiveApk(bytes, { uploader: null, address, expectedSha256, isUntold: true });
  const passed = performance.now() - received;
  await setTimeout(untellingBeat - (passed % untellingBeat));
  return { status: 201, body: { sha256: apk.sha256, size: apk.size } };
}

const uploadByLink = operation(
  {
    summary: 'Uploads the APK that a link was made for, for the analyst whose token is sent along, if any',
    // A stale token in a client's session must not keep a signed link from working.
    access: 'lenient',
    bodyKind: 'file',
    querySchema: signedQuerySchema,
    refusals: ['wrong-signature', 'link-lapsed', 'wrong-sha256', 'not-authenticated'],
    answers: { ...uploadAnswers, 201: z.union([apkDetailSchema, receivedSchema]) },
  },
  async (call) => {
    const sha256 = sha256Schema.safeParse(call.params.sha256);
    if (!sha256.success) throw new Failure('not-found');
    const { links, intake } = call.services;
    const purpose = links.check(['upload', 'anonymous-upload'], sha256.data, call.query);
    // It may have been closed since the link was given.
    const isAnybody = purpose === 'anonymous-upload' && call.account === null;
    if (isAnybody && !(await intake.isOpenToAnybody())) throw new Failure('not-authenticated');
    if (call.account === null && !(await intake.tellsAnybody())) return takeUntelling(call, sha256.data);
    return take(call, { expectedSha256: sha256.data });
  },
);

/** Whether the client holds this very version (RFC 9110 section 13.1.2). */
const isHeld = (tags: string | undefined, tag: string): boolean =>
  (tags ?? '').split(',').some((one) => ['*', tag].includes(one.trim().replace(/^W\//, '')));

const apkTypes = ['application/vnd.android.package-archive'] as const;

const download = operation(
  {
    summary: 'The file of an APK, by a signed link',
    isAudited: true,
    access: 'anybody',
    querySchema: signedQuerySchema,
    refusals: ['wrong-signature', 'link-lapsed', 'range-not-satisfiable'],
    answers: { 200: apkTypes, 206: apkTypes, 304: null },
  },
  async ({ request, response, params, query, services: { catalogue, links } }) => {
    const sha256 = sha256Schema.safeParse(params.name!.replace(/\.apk$/, ''));
    if (!sha256.success) throw new Failure('not-found');
    links.check('download', sha256.data, query);
    const apk = await catalogue.checkFile(sha256.data);
    const tag = `"${apk.sha256}"`;
    if (isHeld(request.get('if-none-match'), tag)) {
      response.set('ETag', tag).status(304).end();
      return null;
    }
    response.set({
      'Cache-Control': 'private, no-store',
      'Content-Disposition': `attachment; filename="${apk.sha256}.apk"`,
      'Content-Type': apkTypes[0],
    });
    await sendRanged(request, response, { size: apk.size, tag }, (start, end) => catalogue.stream(apk, start, end));
    return null;
  },
);

/** What an icon may be; anything else is sent as bytes that no browser shows. */
const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/svg+xml'] as const;

const icon = operation(
  {
    summary: "The icon of an APK's app, by the link in its record",
    access: 'anybody',
    querySchema: signedQuerySchema.pick({ signature: true }),
    refusals: ['wrong-signature'],
    answers: { 200: [...imageTypes, 'application/octet-stream'] },
  },
  async ({ response, params, query, services: { catalogue, links } }) => {
    const sha256 = sha256Schema.safeParse(params.sha256);
    if (!sha256.success) throw new Failure('not-found');
    links.check('icon', sha256.data, query);
    const { mediaType, bytes } = await catalogue.icon(sha256.data);
    response.set({
      'Cache-Control': 'private, max-age=3600',
      'Content-Type': imageTypes.find((type) => type === mediaType) ?? 'application/octet-stream',
      // A drawing comes from a hostile file: opened on its own it runs nothing and loads nothing.
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    });
    response.send(bytes);
    return null;
  },
);

export const fileResources: Resource[] = [
  { path: '/uploads', operations: { post: upload, put: upload } },
  { path: '/uploads/:sha256', operations: { post: uploadByLink, put: uploadByLink } },
  { path: '/downloads/:name', operations: { get: download } },
  { path: '/icons/:sha256', operations: { get: icon } },
];
