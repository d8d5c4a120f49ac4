// Models of PackageInstaller: apps written into sessions, and what their installers are told. Knows no screen that asks.
import { type HeapObject, JavaArray, type Value } from '../../machine/heap.ts';
import type { Machine, Models } from '../../machine/model.ts';
import { recorderOf } from '../../report/recorder.ts';
import { keepInstall } from '../../world/installs.ts';
import { worldOf } from '../../world/world.ts';
import { post } from '../components/activity-life.ts';
import type { BundleState } from '../components/bundle.ts';
import { sendBroadcast, sendPending } from '../components/delivery.ts';
import { newIntent } from '../components/intent-state.ts';
import { newUri } from '../data/uri.ts';
import { each, listOf, nothing, plain, type Reference, stateOf } from '../model-parts.ts';

const S = 'Ljava/lang/String;';
const senderType = 'Landroid/content/IntentSender;';
const installerType = 'Landroid/content/pm/PackageInstaller;';
const parametersType = 'Landroid/content/pm/PackageInstaller$SessionParams;';
const sessionType = 'Landroid/content/pm/PackageInstaller$Session;';

/** `PackageInstaller.STATUS_…` */
const statuses = { pendingUserAction: -1, success: 0 } as const;
/** Milliseconds until the owner is asked, and has said yes. */
const asking = 500;
const consenting = 3_000;

interface Parameters {
  packageName: string;
}

const parametersOf = (parameters: HeapObject): Parameters =>
  stateOf<Parameters>(parameters, () => ({ packageName: '' }));

/** Sessions outlive the objects that they are opened as. */
interface Session {
  readonly id: number;
  readonly packageName: string;
  /** Streams to be installed, by name. */
  readonly written: Map<string, HeapObject>;
}

const sessions = (machine: Machine): Map<number, Session> =>
  machine.state('android.install-sessions', () => new Map<number, Session>());

const sessionOf = (session: HeapObject): Session =>
  stateOf<Session>(session, () => ({ id: 0, packageName: '', written: new Map() }));

/** Sessions of one run. */
const maxSessions = 100;

function createSession(machine: Machine, parameters: Reference): number {
  const known = sessions(machine);
  const id = known.size + 1;
  const packageName = parameters === null ? '' : parametersOf(parameters).packageName;
  if (known.size < maxSessions) known.set(id, { id, packageName, written: new Map() });
  return id;
}

/**
 * The system asks the owner, who consents. The installer hears of the question and of the result; the new app is
 * broadcast.
 */
function commit(machine: Machine, session: HeapObject, sender: Reference): undefined {
  const { id, packageName, written } = sessionOf(session);
  for (const [name, stream] of written) {
    const bytes = machine.call(stream, 'toByteArray()[B');
    const elements = bytes instanceof JavaArray ? (bytes.elements as Int8Array) : new Int8Array(0);
    keepInstall(machine, 'installs', name, new Uint8Array(elements.buffer, elements.byteOffset, elements.length));
  }
  const tell = (status: number, more: readonly (readonly [string, Value])[]) => {
    const extras: BundleState = new Map([['android.content.pm.extra.STATUS', { kind: 'I', value: status, taint: 0 }]]);
    extras.set('android.content.pm.extra.SESSION_ID', { kind: 'I', value: id, taint: 0 });
    for (const [name, value] of more) extras.set(name, { kind: 'L', value, taint: 0 });
    sendPending(machine, sender, newIntent(machine, { extras }));
  };
  post(machine, asking, 'PackageInstaller', () => {
    const action = machine.string('android.content.pm.action.CONFIRM_INSTALL');
    tell(statuses.pendingUserAction, [['android.intent.extra.INTENT', newIntent(machine, { action })]]);
  });
  post(machine, consenting, 'PackageInstaller', () => {
    worldOf(machine).install(packageName);
    tell(statuses.success, [['android.content.pm.extra.PACKAGE_NAME', machine.string(packageName)]]);
    const action = machine.string('android.intent.action.PACKAGE_ADDED');
    sendBroadcast(machine, newIntent(machine, { action, data: newUri(machine, `package:${packageName}`) }), {
      sink: '',
    });
  });
}

export const packageInstallerModels: Models = {
  [installerType]: {
    methods: {
      [`createSession(${parametersType})I`]: (machine, _me, parameters: Reference) =>
        createSession(machine, parameters),
      [`openSession(I)${sessionType}`]: (machine, _me, id: number) => {
        const session = machine.allocate(sessionType);
        session.native = sessions(machine).get(id);
        return session;
      },
      'getMySessions()Ljava/util/List;': (machine) => listOf(machine, []),
      'abandonSession(I)V': nothing,
      [`uninstall(${S}${senderType})V`]: (machine, _me, name: Reference) =>
        recorderOf(machine).event('install', `asked to remove ${plain(machine, name)}`),
    },
  },
  [parametersType]: {
    methods: {
      '<init>(I)V': nothing,
      [`setAppPackageName(${S})V`]: (machine, me, name: Reference) => {
        parametersOf(me).packageName = plain(machine, name);
      },
      ...each(nothing, 'setInstallReason(I)V', 'setRequireUserAction(I)V', 'setSize(J)V', 'setInstallLocation(I)V'),
    },
  },
  [sessionType]: {
    implements: ['Ljava/io/Closeable;'],
    methods: {
      [`openWrite(${S}JJ)Ljava/io/OutputStream;`]: (machine, me, name: Reference) => {
        const stream = machine.construct('Ljava/io/ByteArrayOutputStream;', '<init>()V');
        sessionOf(me).written.set(plain(machine, name), stream);
        return stream;
      },
      [`commit(${senderType})V`]: commit,
      ...each(nothing, 'fsync(Ljava/io/OutputStream;)V', 'close()V', 'abandon()V', 'setStagingProgress(F)V'),
    },
  },
};
