// Models of the ways to further apps: downloads, and sessions of the package installer. Knows no screen that asks.
import { virtualFiles } from '../java/virtual-files.ts';
import { virtualNetwork } from '../java/virtual-network.ts';
import { type HeapObject, JavaArray } from '../machine/heap.ts';
import type { Machine, Models } from '../machine/model.ts';
import { recorderOf, sinkTaint } from '../report/recorder.ts';
import { keepInstall } from '../world/installs.ts';
import { post } from './activity-life.ts';
import { sendBroadcast } from './delivery.ts';
import { newIntent } from './intent-state.ts';
import { each, nothing, plain, type Reference, self, stateOf } from './model-parts.ts';
import { uriText } from './uri.ts';

const S = 'Ljava/lang/String;';
const C = 'Ljava/lang/CharSequence;';
const requestType = 'Landroid/app/DownloadManager$Request;';
const installerType = 'Landroid/content/pm/PackageInstaller;';
const sessionType = 'Landroid/content/pm/PackageInstaller$Session;';

interface DownloadState {
  readonly uri: Reference;
  path: string;
}

const downloadOf = (request: HeapObject): DownloadState =>
  stateOf<DownloadState>(request, () => ({ uri: null, path: '' }));

const shared = '/storage/emulated/0';

/** Fetches a file at once, and tells of it as the system does. */
function enqueue(machine: Machine, request: HeapObject): bigint {
  const { uri, path } = downloadOf(request);
  const url = uri === null ? '' : uriText(uri);
  const taint = uri === null ? 0 : sinkTaint(machine, uri);
  const none = new Uint8Array(0);
  const parts = { method: 'GET', url, headers: [], body: none, taint, urlTaint: taint, bodyTaint: 0 };
  const answer = virtualNetwork(machine).http(machine, parts);
  const number = machine.state('android.downloads', () => ({ next: 17 })).next++;
  const target = path === '' ? `${shared}/Download/${url.replace(/[?#].*/, '').replace(/.*\//, '') || 'file'}` : path;
  recorderOf(machine).event('download', `downloaded ${url} to ${target}`);
  if (answer !== null) {
    machine.charge(answer.body.length + target.length);
    virtualFiles(machine).addFile(target, answer.body);
  }
  post(machine, 1_000, 'DownloadManager', () => {
    const extras = new Map([['extra_download_id', { kind: 'J', value: BigInt(number), taint: 0 }]]);
    const action = machine.string('android.intent.action.DOWNLOAD_COMPLETE');
    sendBroadcast(machine, newIntent(machine, { action, extras }), { sink: '', isLocal: true });
  });
  return BigInt(number);
}

interface SessionState {
  /** Streams to be installed, by name. */
  readonly written: Map<string, HeapObject>;
}

const sessionOf = (session: HeapObject): SessionState => stateOf<SessionState>(session, () => ({ written: new Map() }));

function commit(machine: Machine, session: HeapObject): undefined {
  for (const [name, stream] of sessionOf(session).written) {
    const bytes = machine.call(stream, 'toByteArray()[B');
    const elements = bytes instanceof JavaArray ? (bytes.elements as Int8Array) : new Int8Array(0);
    keepInstall(machine, 'installs', name, new Uint8Array(elements.buffer, elements.byteOffset, elements.length));
  }
}

export const installingModels: Models = {
  'Landroid/app/DownloadManager;': {
    methods: {
      [`enqueue(${requestType})J`]: (machine, _me: HeapObject, request: HeapObject) => enqueue(machine, request),
    },
  },
  [requestType]: {
    methods: {
      '<init>(Landroid/net/Uri;)V': (_machine, me: HeapObject, uri: Reference) => {
        me.native = { uri, path: '' } satisfies DownloadState;
      },
      [`setDestinationInExternalPublicDir(${S}${S})${requestType}`]: (
        machine,
        me: HeapObject,
        folder: Reference,
        name: Reference,
      ) => {
        downloadOf(me).path = `${shared}/${plain(machine, folder)}/${plain(machine, name)}`;
        return me;
      },
      [`setDestinationUri(Landroid/net/Uri;)${requestType}`]: (_machine, me: HeapObject, uri: HeapObject) => {
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
  [installerType]: {
    methods: {
      'createSession(Landroid/content/pm/PackageInstaller$SessionParams;)I': () => 1,
      [`openSession(I)${sessionType}`]: (machine) => machine.allocate(sessionType),
    },
  },
  'Landroid/content/pm/PackageInstaller$SessionParams;': {
    methods: each(
      nothing,
      '<init>(I)V',
      `setAppPackageName(${S})V`,
      'setInstallReason(I)V',
      'setRequireUserAction(I)V',
    ),
  },
  [sessionType]: {
    implements: ['Ljava/io/Closeable;'],
    methods: {
      [`openWrite(${S}JJ)Ljava/io/OutputStream;`]: (machine, me: HeapObject, name: Reference) => {
        const stream = machine.construct('Ljava/io/ByteArrayOutputStream;', '<init>()V');
        sessionOf(me).written.set(plain(machine, name), stream);
        return stream;
      },
      'commit(Landroid/content/IntentSender;)V': (machine, me: HeapObject) => commit(machine, me),
      ...each(nothing, 'fsync(Ljava/io/OutputStream;)V', 'close()V', 'abandon()V'),
    },
  },
};
