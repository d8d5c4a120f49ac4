// Bytes of APKs over HTTP: uploads, downloads and icons, by token or by signed link.
import { setTimeout } from 'node:timers/promises';
import { fileNameOf } from '../../contract/catalogue/file-name.ts';
import { sha256Schema } from '../../contract/list.ts';
import { type fileOperations, iconTypes } from '../../contract/operations/files.ts';
import type { IntakeOptions } from '../../services/catalogue/intake.ts';
import { Failure } from '../../services/failure.ts';
import { callerAddress } from '../caller-address.ts';
import { lockedZip } from '../locked-zip.ts';
import { type Call, created, type Handlers, ok } from '../operation.ts';
import { sendRanged } from '../ranged-file.ts';
import { sendStream } from '../sent-stream.ts';
import { uploadedFile } from '../uploaded-file.ts';
import { shownDetail } from './apks.ts';

/** Milliseconds. Answers that must not reveal what is held come at multiples of this, however long the work took. */
const untellingBeat = 1_000;

async function take(
  { request, account, presenting, services }: Call<never, 'lenient'>,
  options: Omit<IntakeOptions, 'uploader' | 'address'>,
) {
  const { intake } = services;
  const { bytes, name } = await uploadedFile(request, await intake.maxBytes());
  const { apk, created: isNew } = await intake.receiveApk(bytes, {
    ...options,
    name: name || options.name,
    uploader: account,
    address: callerAddress(request),
  });
  return (isNew ? created : ok)(await shownDetail(services, account, presenting, apk), { subject: apk.sha256 });
}

/** Takes an APK from a guest who must not learn, by the answer or its timing, whether it was held already. */
async function takeUntelling({ request, services: { intake } }: Call<never, 'lenient'>, expectedSha256: string) {
  const { bytes: sent, name } = await uploadedFile(request, await intake.maxBytes());
  let received = performance.now();
  const bytes = (async function* () {
    yield* sent;
    received = performance.now();
  })();
  const address = callerAddress(request);
  const { apk } = await intake.receiveApk(bytes, { uploader: null, address, expectedSha256, name, isUntold: true });
  const passed = performance.now() - received;
  await setTimeout(untellingBeat - (passed % untellingBeat));
  return created({ sha256: apk.sha256, size: apk.size }, { subject: apk.sha256 });
}

/** Whether the client holds this very version (RFC 9110 section 13.1.2). */
const isHeld = (tags: string | undefined, tag: string): boolean =>
  (tags ?? '').split(',').some((one) => ['*', tag].includes(one.trim().replace(/^W\//, '')));

export const fileHandlers: Handlers<typeof fileOperations> = {
  'POST|PUT /uploads/': async (call) => {
    const { source, name, part_of, container, container_name } = call.query;
    return take(call, {
      priority: source ?? 'upload',
      name,
      partOf: part_of?.split(','),
      container: container === undefined ? undefined : { sha256: container, name: fileNameOf(container_name ?? '') },
    });
  },

  'POST|PUT /uploads/<sha256>/': async (call) => {
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

  'GET /downloads/<name>/': async ({ request, response, params, query, services: { catalogue, links } }) => {
    const sha256 = sha256Schema.safeParse(params.name.replace(/\.(?:apk|zip)$/, ''));
    if (!sha256.success) throw new Failure('not-found');
    links.check('download', sha256.data, query);
    const apk = await catalogue.checkFile(sha256.data);
    if (params.name.endsWith('.zip')) {
      response.set({
        'Cache-Control': 'private, no-store',
        'Content-Disposition': `attachment; filename="${apk.sha256}.zip"`,
        'Content-Type': 'application/zip',
      });
      const open = async () => lockedZip(await catalogue.stream(apk, 0, apk.size), `${apk.sha256}.apk`, apk.createdAt);
      await sendStream(request, response, open);
      return null;
    }
    const tag = `"${apk.sha256}"`;
    if (isHeld(request.get('if-none-match'), tag)) {
      response.set('ETag', tag).status(304).end();
      return null;
    }
    response.set({
      'Cache-Control': 'private, no-store',
      'Content-Disposition': `attachment; filename="${apk.sha256}.apk"`,
      'Content-Type': 'application/vnd.android.package-archive',
    });
    await sendRanged(request, response, { size: apk.size, tag }, (start, end) => catalogue.stream(apk, start, end));
    return null;
  },

  'GET /icons/<sha256>/': async ({ response, params, query, services: { catalogue, links } }) => {
    const sha256 = sha256Schema.safeParse(params.sha256);
    if (!sha256.success) throw new Failure('not-found');
    links.check('icon', sha256.data, query);
    const { mediaType, bytes } = await catalogue.icon(sha256.data);
    response.set({
      'Cache-Control': 'private, max-age=3600',
      'Content-Type': iconTypes.find((type) => type === mediaType) ?? 'application/octet-stream',
      // A drawing comes from a hostile file: opened on its own it runs nothing and loads nothing.
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    });
    response.send(bytes);
    return null;
  },
};
