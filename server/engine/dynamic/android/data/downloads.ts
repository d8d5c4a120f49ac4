// Models of DownloadManager: files that the system fetches for an app. Knows no installer.

import { made } from '../../java/values.ts';
import { virtualNetwork } from '../../java/virtual-network.ts';
import type { HeapObject, JavaArray } from '../../machine/heap.ts';
import type { Machine, Models } from '../../machine/model.ts';
import { virtualFiles } from '../../machine/virtual-files.ts';
import { recorderOf, sinkTaint } from '../../report/recorder.ts';
import { post } from '../components/activity-life.ts';
import { sendBroadcast } from '../components/delivery.ts';
import { newIntent } from '../components/intent-state.ts';
import { each, nothing, plain, type Reference, self, stateOf } from '../model-parts.ts';
import { newCursor } from './cursor.ts';
import { newUri, uriText } from './uri.ts';

const S = 'Ljava/lang/String;';
const C = 'Ljava/lang/CharSequence;';
const U = 'Landroid/net/Uri;';
const queryType = 'Landroid/app/DownloadManager$Query;';
const requestType = 'Landroid/app/DownloadManager$Request;';

interface DownloadState {
  readonly uri: Reference;
  path: string;
}

const downloadOf = (request: HeapObject): DownloadState =>
  stateOf<DownloadState>(request, () => ({ uri: null, path: '' }));

const shared = '/storage/emulated/0';

interface Download {
  readonly number: number;
  readonly url: string;
  readonly target: string;
  readonly size: number;
  readonly isThere: boolean;
}

const downloads = (machine: Machine): { next: number; done: Download[] } =>
  machine.state('android.downloads', () => ({ next: 17, done: [] }));

/** `DownloadManager.STATUS_SUCCESSFUL` and `STATUS_FAILED`, and the reason of a failure. */
const successful = 8;
const failed = 16;
const notFound = 404;

/** All downloads, the latest first, in the columns of DownloadManager. The app's filter is not applied. */
function query(machine: Machine): HeapObject {
  const names = [
    '_id',
    'uri',
    'local_uri',
    'local_filename',
    'title',
    'status',
    'reason',
    'total_size',
    'bytes_so_far',
  ];
  const rows = downloads(machine)
    .done.toReversed()
    .map(({ number, url, target, size, isThere }) =>
      [
        ...[number, url, `file://${target}`, target, target.replace(/.*\//, '')],
        ...[isThere ? successful : failed, isThere ? 0 : notFound, size, size],
      ].map((value) => ({ value, taint: 0 })),
    );
  return newCursor(machine, names, rows, 0);
}

/** Fetches a file at once, and tells of it as the system does. */
function enqueue(machine: Machine, request: HeapObject): bigint {
  const { uri, path } = downloadOf(request);
  const url = uri === null ? '' : uriText(uri);
  const taint = uri === null ? 0 : sinkTaint(machine, uri);
  const none = new Uint8Array(0);
  const parts = { method: 'GET', url, headers: [], body: none, taint, urlTaint: taint, bodyTaint: 0 };
  const answer = virtualNetwork(machine).http(machine, parts);
  const number = downloads(machine).next++;
  const target = path === '' ? `${shared}/Download/${url.replace(/[?#].*/, '').replace(/.*\//, '') || 'file'}` : path;
  recorderOf(machine).event('download', `downloaded ${url} to ${target}`);
  if (answer !== null) {
    machine.charge(answer.body.length + target.length);
    virtualFiles(machine).addFile(target, answer.body);
    recorderOf(machine).left.wrote(target);
  }
  downloads(machine).done.push({ number, url, target, size: answer?.body.length ?? 0, isThere: answer !== null });
  post(machine, 1_000, 'DownloadManager', () => {
    const extras = new Map([['extra_download_id', { kind: 'J', value: BigInt(number), taint: 0 }]]);
    const action = machine.string('android.intent.action.DOWNLOAD_COMPLETE');
    sendBroadcast(machine, newIntent(machine, { action, extras }), { sink: '', isLocal: true });
  });
  return BigInt(number);
}

export const downloadModels: Models = {
  'Landroid/app/DownloadManager;': {
    methods: {
      [`enqueue(!${requestType})J`]: (machine, _me, request: HeapObject) => enqueue(machine, request),
      [`query(!${queryType})Landroid/database/Cursor;`]: query,
      [`getUriForDownloadedFile(J)${U}`]: (machine, _me, number: bigint) => {
        const found = downloads(machine).done.find((each) => each.isThere && BigInt(each.number) === number);
        return found === undefined ? null : newUri(machine, `file://${found.target}`);
      },
      [`getMimeTypeForDownloadedFile(J)${S}`]: (machine) => machine.string('application/octet-stream'),
      'remove([J)I': (_machine, _me, numbers: JavaArray | null) => numbers?.elements.length ?? 0,
    },
  },
  [queryType]: {
    methods: {
      '<init>()V': nothing,
      ...each(self, `setFilterById([J)${queryType}`, `setFilterByStatus(I)${queryType}`),
    },
  },
  [requestType]: {
    methods: {
      '<init>(Landroid/net/Uri;)V': made((_machine, uri: Reference) => ({ uri, path: '' }) satisfies DownloadState),
      [`setDestinationInExternalPublicDir(${S}${S})${requestType}`]: (
        machine,
        me,
        folder: Reference,
        name: Reference,
      ) => {
        downloadOf(me).path = `${shared}/${plain(machine, folder)}/${plain(machine, name)}`;
        return me;
      },
      [`setDestinationInExternalFilesDir(!Landroid/content/Context;${S}${S})${requestType}`]: (
        machine,
        me,
        context: HeapObject,
        folder: Reference,
        name: Reference,
      ) => {
        const own = machine.call(context, `getExternalFilesDir(${S})Ljava/io/File;`, folder) as HeapObject;
        downloadOf(me).path = `${machine.toText(own).text}/${plain(machine, name)}`;
        return me;
      },
      [`setDestinationUri(Landroid/net/Uri;)${requestType}`]: (_machine, me, uri: HeapObject) => {
        downloadOf(me).path = uriText(uri).replace(/^file:\/\//, '');
        return me;
      },
      ...each(
        self,
        ...[
          `setTitle(${C})`,
          `setDescription(${C})`,
          `setMimeType(${S})`,
          `addRequestHeader(${S}${S})`,
          'setNotificationVisibility(I)',
          'setVisibleInDownloadsUi(Z)',
          'setAllowedNetworkTypes(I)',
          'setAllowedOverRoaming(Z)',
          'setAllowedOverMetered(Z)',
          'setShowRunningNotification(Z)',
        ].map((name) => `${name}${requestType}`),
      ),
      'allowScanningByMediaScanner()V': nothing,
    },
  },
};
