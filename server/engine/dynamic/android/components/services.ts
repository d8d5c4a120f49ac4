// Models of Service, BroadcastReceiver, Binder, Messenger, jobs and pending intents. Knows no activity.
import { made } from '../../java/values.ts';
import { type HeapObject, type JavaArray, JavaThrow, type Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods, StaticMethod } from '../../machine/model.ts';
import { each, listOf, no, none, nothing, plain, type Reference, sideState, stateOf, yes } from '../model-parts.ts';
import { singleton } from '../phone/system-services.ts';
import { post } from './activity-life.ts';
import { appOf } from './app.ts';
import { type ComponentState, componentOf } from './component-name.ts';
import { broadcastOf, newPendingIntent, type PendingState, sendPending, serviceFor, stopService } from './delivery.ts';
import { newIntent } from './intent-state.ts';

const stopSelf: NativeMethod = (machine, me) => {
  const record = [...appOf(machine).services.values()].find(({ object }) => object === me);
  if (record !== undefined) post(machine, 0, record.component.name, () => void stopService(machine, record.component));
  return 1;
};

const serviceMethods: NativeMethods = {
  ...each(
    nothing,
    '<init>()V',
    'onCreate()V',
    'onStart(Landroid/content/Intent;I)V',
    'onDestroy()V',
    'onRebind(Landroid/content/Intent;)V',
    'onTaskRemoved(Landroid/content/Intent;)V',
    'onLowMemory()V',
    'onTrimMemory(I)V',
    'onConfigurationChanged(Landroid/content/res/Configuration;)V',
    'startForeground(ILandroid/app/Notification;)V',
    'startForeground(ILandroid/app/Notification;I)V',
    'stopForeground(Z)V',
    'stopForeground(I)V',
  ),
  'onStartCommand(Landroid/content/Intent;II)I': (machine, me, intent: Reference, _flags: number, id: number) => {
    machine.call(me, 'onStart(Landroid/content/Intent;I)V', intent, id);
    return 1;
  },
  'onBind(Landroid/content/Intent;)Landroid/os/IBinder;': none,
  'onUnbind(Landroid/content/Intent;)Z': no,
  'getApplication()Landroid/app/Application;': (machine) => appOf(machine).application,
  'stopSelf()V': stopSelf,
  'stopSelf(I)V': stopSelf,
  'stopSelfResult(I)Z': stopSelf,
};

const handleIntent: NativeMethod = (machine, me, intent: Reference, _flags: number, id: number) => {
  const thread = machine.construct(
    'Ljava/lang/Thread;',
    '<init>(Ljava/lang/String;)V',
    machine.string('IntentService'),
  );
  machine.startThread(thread, () => {
    try {
      machine.call(me, 'onHandleIntent(Landroid/content/Intent;)V', intent);
    } catch (error) {
      if (!(error instanceof JavaThrow)) throw error;
      appOf(machine).onCrash(error, me.cls.name);
    }
    stopSelf(machine, me, id);
  });
  return 2;
};

const setter =
  (apply: (state: ReturnType<typeof broadcastOf>, value: Value) => void): NativeMethod =>
  (_machine, me, value: Value) =>
    void apply(broadcastOf(me), value);

const receiverMethods: NativeMethods = {
  ...each(
    nothing,
    '<init>()V',
    'onReceive(Landroid/content/Context;Landroid/content/Intent;)V',
    'setDebugUnregister(Z)V',
    'setOrderedHint(Z)V',
  ),
  'abortBroadcast()V': (_machine, me) => {
    broadcastOf(me).isAborted = true;
  },
  'clearAbortBroadcast()V': (_machine, me) => {
    broadcastOf(me).isAborted = false;
  },
  'getAbortBroadcast()Z': (_machine, me) => broadcastOf(me).isAborted,
  'isOrderedBroadcast()Z': (_machine, me) => broadcastOf(me).isOrdered,
  'isInitialStickyBroadcast()Z': (_machine, me) => broadcastOf(me).isSticky,
  'getResultCode()I': (_machine, me) => broadcastOf(me).code,
  'setResultCode(I)V': setter((state, value) => {
    state.code = value as number;
  }),
  'getResultData()Ljava/lang/String;': (_machine, me) => broadcastOf(me).data,
  'setResultData(Ljava/lang/String;)V': setter((state, value) => {
    state.data = value as Reference;
  }),
  'getResultExtras(Z)Landroid/os/Bundle;': (machine, me, makes: number) => {
    const state = broadcastOf(me);
    if (state.extras === null && makes !== 0) state.extras = machine.construct('Landroid/os/Bundle;', '<init>()V');
    return state.extras;
  },
  'setResultExtras(Landroid/os/Bundle;)V': setter((state, value) => {
    state.extras = value as Reference;
  }),
  'setResult(ILjava/lang/String;Landroid/os/Bundle;)V': (
    _machine,
    me,
    code: number,
    data: Reference,
    extras: Reference,
  ) => {
    Object.assign(broadcastOf(me), { code, data, extras });
  },
  'goAsync()Landroid/content/BroadcastReceiver$PendingResult;': (machine) =>
    machine.allocate('Landroid/content/BroadcastReceiver$PendingResult;'),
  'peekService(Landroid/content/Context;Landroid/content/Intent;)Landroid/os/IBinder;': none,
};

// Binders talk within the process.

interface BinderState {
  owner: Reference;
  descriptor: string;
}

const binderOf = (machine: Machine, binder: HeapObject): BinderState =>
  sideState<BinderState>(machine, 'binder', binder, () => ({ owner: null, descriptor: '' }));

const transact: NativeMethod = (machine, me, code: number, data: Reference, reply: Reference, flags: number) => {
  for (const parcel of [data, reply]) if (parcel !== null) machine.call(parcel, 'setDataPosition(I)V', 0);
  const answer = machine.call(me, 'onTransact(ILandroid/os/Parcel;Landroid/os/Parcel;I)Z', code, data, reply, flags);
  if (reply !== null) machine.call(reply, 'setDataPosition(I)V', 0);
  return answer;
};

const binderMethods: NativeMethods = {
  '<init>()V': nothing,
  '<init>(Ljava/lang/String;)V': nothing,
  'attachInterface(Landroid/os/IInterface;Ljava/lang/String;)V': (machine, me, owner: Reference, name: Reference) => {
    Object.assign(binderOf(machine, me), { owner, descriptor: plain(machine, name) });
  },
  'queryLocalInterface(Ljava/lang/String;)Landroid/os/IInterface;': (machine, me, name: Reference) => {
    const { owner, descriptor } = binderOf(machine, me);
    return descriptor === plain(machine, name) ? owner : null;
  },
  'getInterfaceDescriptor()Ljava/lang/String;': (machine, me) => machine.string(binderOf(machine, me).descriptor),
  'transact(ILandroid/os/Parcel;Landroid/os/Parcel;I)Z': transact,
  'onTransact(ILandroid/os/Parcel;Landroid/os/Parcel;I)Z': no,
  'pingBinder()Z': yes,
  'isBinderAlive()Z': yes,
  'linkToDeath(Landroid/os/IBinder$DeathRecipient;I)V': nothing,
  'unlinkToDeath(Landroid/os/IBinder$DeathRecipient;I)Z': yes,
};

interface MessengerState {
  readonly handler: HeapObject | null;
}

const handlerOfMessenger = (messenger: HeapObject): HeapObject | null =>
  (messenger.native as MessengerState | undefined)?.handler ?? null;

// Pending intents.

const pendingType = 'Landroid/app/PendingIntent;';
/** Reuse: the same intent shape again answers with extras updated, which a new object serves as well. */
const makePending =
  (kind: PendingState['kind']): StaticMethod =>
  (machine, _context: Reference, requestCode: number, intent: Reference) =>
    newPendingIntent(machine, { kind, intent: intent ?? newIntent(machine), requestCode });

const sendOf: NativeMethod = (machine, me, ...args: Value[]) => {
  const fill = args.find(
    (arg) => arg !== null && typeof arg === 'object' && arg.cls.descriptor === 'Landroid/content/Intent;',
  );
  sendPending(machine, me, (fill ?? null) as Reference);
};

// Jobs.

interface JobState {
  id: number;
  service: ComponentState | null;
  extras: Reference;
  isPeriodic: boolean;
}

const jobOf = (job: HeapObject): JobState =>
  stateOf<JobState>(job, () => ({ id: 0, service: null, extras: null, isPeriodic: false }));

const jobBuilderType = 'Landroid/app/job/JobInfo$Builder;';

/** Jobs that are planned, by their number. */
const plannedIn = (scheduler: HeapObject): Map<number, HeapObject> => stateOf(scheduler, () => new Map());

const scheduleJob: NativeMethod = (machine, me, job: HeapObject) => {
  const app = appOf(machine);
  const { id, service, extras, isPeriodic } = jobOf(job);
  const component = app.components.find(({ kind, name }) => kind === 'service' && name === service?.className);
  if (component === undefined) return 0;
  plannedIn(me).set(id, job);
  app.listen(`job#${id}`, {
    kind: 'job',
    isOnce: true,
    fire: () => {
      const parameters = machine.allocate('Landroid/app/job/JobParameters;');
      parameters.native = { id, extras };
      if (!isPeriodic) plannedIn(me).delete(id);
      const record = serviceFor(machine, app, component);
      if (record === null) return;
      machine.call(record.object, 'onStartJob(Landroid/app/job/JobParameters;)Z', parameters);
    },
  });
  return 1;
};

const builderStep =
  (apply?: (state: JobState, value: Value) => void): NativeMethod =>
  (_machine, me, value: Value = null) => {
    apply?.(jobOf(me), value);
    return me;
  };

const serviceSubclass = (methods: NativeMethods = {}) => ({ extends: 'Landroid/app/Service;', methods });

export const serviceModels: Models = {
  'Landroid/app/Service;': {
    extends: 'Landroid/content/ContextWrapper;',
    implements: ['Landroid/content/ComponentCallbacks2;'],
    methods: serviceMethods,
    constants: { 'START_STICKY:I': 1, 'START_NOT_STICKY:I': 2, 'START_REDELIVER_INTENT:I': 3 },
  },
  'Landroid/app/IntentService;': serviceSubclass({
    '<init>(Ljava/lang/String;)V': nothing,
    'onStartCommand(Landroid/content/Intent;II)I': handleIntent,
    'onHandleIntent(Landroid/content/Intent;)V': nothing,
    'setIntentRedelivery(Z)V': nothing,
  }),
  'Landroid/app/job/JobService;': serviceSubclass({
    'onStartJob(Landroid/app/job/JobParameters;)Z': no,
    'onStopJob(Landroid/app/job/JobParameters;)Z': no,
    'jobFinished(Landroid/app/job/JobParameters;Z)V': nothing,
  }),
  'Landroid/inputmethodservice/InputMethodService;': serviceSubclass(
    each(no, 'onKeyDown(ILandroid/view/KeyEvent;)Z', 'onKeyUp(ILandroid/view/KeyEvent;)Z'),
  ),
  'Landroid/net/VpnService;': serviceSubclass(),
  'Landroid/service/wallpaper/WallpaperService;': serviceSubclass(),
  'Landroid/service/wallpaper/WallpaperService$Engine;': {
    methods: {
      ...each(
        nothing,
        '<init>(Landroid/service/wallpaper/WallpaperService;)V',
        'onCreate(Landroid/view/SurfaceHolder;)V',
        'onSurfaceCreated(Landroid/view/SurfaceHolder;)V',
        'onSurfaceChanged(Landroid/view/SurfaceHolder;III)V',
        'onVisibilityChanged(Z)V',
        'onTouchEvent(Landroid/view/MotionEvent;)V',
        'onSurfaceDestroyed(Landroid/view/SurfaceHolder;)V',
        'onDestroy()V',
        'setTouchEventsEnabled(Z)V',
      ),
      'getSurfaceHolder()Landroid/view/SurfaceHolder;': (machine) =>
        singleton(machine, 'Landroid/view/SurfaceHolderImpl;'),
      'isVisible()Z': yes,
      'isPreview()Z': no,
    },
  },
  'Landroid/content/BroadcastReceiver;': { methods: receiverMethods },
  'Landroid/content/BroadcastReceiver$PendingResult;': { methods: { 'finish()V': nothing } },
  'Landroid/os/IBinder;': {
    isInterface: true,
    abstractMethods: [
      'transact(ILandroid/os/Parcel;Landroid/os/Parcel;I)Z',
      'queryLocalInterface(Ljava/lang/String;)Landroid/os/IInterface;',
    ],
  },
  'Landroid/os/IInterface;': { isInterface: true, abstractMethods: ['asBinder()Landroid/os/IBinder;'] },
  'Landroid/os/Binder;': {
    implements: ['Landroid/os/IBinder;'],
    methods: binderMethods,
    staticMethods: {
      'getCallingUid()I': () => 10_217,
      'getCallingPid()I': () => 14_233,
      'clearCallingIdentity()J': () => 0n,
      'restoreCallingIdentity(J)V': nothing,
    },
  },
  'Landroid/os/BinderProxy;': {
    implements: ['Landroid/os/IBinder;'],
    methods: {
      ...binderMethods,
      'transact(ILandroid/os/Parcel;Landroid/os/Parcel;I)Z': yes,
    },
  },
  'Landroid/os/RemoteException;': { extends: 'Ljava/lang/Exception;' },
  'Landroid/os/DeadObjectException;': { extends: 'Landroid/os/RemoteException;' },
  'Landroid/content/ActivityNotFoundException;': { extends: 'Ljava/lang/RuntimeException;' },
  'Landroid/os/NetworkOnMainThreadException;': { extends: 'Ljava/lang/RuntimeException;' },
  'Landroid/os/Messenger;': {
    implements: ['Landroid/os/Parcelable;'],
    methods: {
      '<init>(Landroid/os/Handler;)V': made((_machine, handler: HeapObject) => ({ handler }) satisfies MessengerState),
      '<init>(Landroid/os/IBinder;)V': made(
        (_machine, binder: Reference) =>
          ({
            handler: (binder?.native as MessengerState | undefined)?.handler ?? null,
          }) satisfies MessengerState,
      ),
      'getBinder()Landroid/os/IBinder;': (machine, me) => {
        const binder = machine.allocate('Landroid/os/Binder;');
        binder.native = { handler: handlerOfMessenger(me) } satisfies MessengerState;
        return binder;
      },
      'send(!Landroid/os/Message;)V': (machine, me, message: HeapObject) => {
        const handler = handlerOfMessenger(me);
        if (handler !== null) machine.call(handler, 'sendMessage(Landroid/os/Message;)Z', message);
      },
    },
  },
  'Landroid/os/ResultReceiver;': {
    implements: ['Landroid/os/Parcelable;'],
    methods: {
      '<init>(Landroid/os/Handler;)V': nothing,
      'onReceiveResult(ILandroid/os/Bundle;)V': nothing,
      'send(ILandroid/os/Bundle;)V': (machine, me, code: number, data: Reference) => {
        post(machine, 0, me.cls.name, () => machine.call(me, 'onReceiveResult(ILandroid/os/Bundle;)V', code, data));
      },
    },
  },
  [pendingType]: {
    extends: 'Landroid/content/IntentSender;',
    implements: ['Landroid/os/Parcelable;'],
    methods: {
      ...each(
        sendOf,
        'send()V',
        'send(I)V',
        'send(Landroid/content/Context;ILandroid/content/Intent;)V',
        'send(ILandroid/app/PendingIntent$OnFinished;Landroid/os/Handler;)V',
        'send(Landroid/content/Context;ILandroid/content/Intent;Landroid/app/PendingIntent$OnFinished;Landroid/os/Handler;)V',
        'send(Landroid/content/Context;ILandroid/content/Intent;Landroid/app/PendingIntent$OnFinished;Landroid/os/Handler;Ljava/lang/String;)V',
        'send(Landroid/content/Context;ILandroid/content/Intent;Landroid/app/PendingIntent$OnFinished;Landroid/os/Handler;Ljava/lang/String;Landroid/os/Bundle;)V',
      ),
      'getIntentSender()Landroid/content/IntentSender;': (_machine, me) => me,
      'cancel()V': nothing,
      'getCreatorPackage()Ljava/lang/String;': (machine) => machine.string(appOf(machine).packageName),
      'getTargetPackage()Ljava/lang/String;': (machine) => machine.string(appOf(machine).packageName),
    },
    staticMethods: {
      [`getActivity(Landroid/content/Context;ILandroid/content/Intent;I)${pendingType}`]: makePending('activity'),
      [`getActivity(Landroid/content/Context;ILandroid/content/Intent;ILandroid/os/Bundle;)${pendingType}`]:
        makePending('activity'),
      [`getActivities(Landroid/content/Context;I![Landroid/content/Intent;I)${pendingType}`]: (
        machine,
        context: Reference,
        code: number,
        intents: JavaArray,
      ) => makePending('activity')(machine, context, code, intents.elements.at(-1) ?? null),
      [`getService(Landroid/content/Context;ILandroid/content/Intent;I)${pendingType}`]: makePending('service'),
      [`getForegroundService(Landroid/content/Context;ILandroid/content/Intent;I)${pendingType}`]:
        makePending('service'),
      [`getBroadcast(Landroid/content/Context;ILandroid/content/Intent;I)${pendingType}`]: makePending('broadcast'),
    },
    constants: { 'FLAG_UPDATE_CURRENT:I': 0x8000000 },
  },
  'Landroid/app/job/JobScheduler;': {
    methods: {
      'schedule(!Landroid/app/job/JobInfo;)I': scheduleJob,
      'cancel(I)V': (machine, me, id: number) => {
        plannedIn(me).delete(id);
        appOf(machine).unlisten(`job#${id}`);
      },
      'cancelAll()V': (machine, me) => {
        plannedIn(me).clear();
        appOf(machine).unlistenAll('job#');
      },
      'getAllPendingJobs()Ljava/util/List;': (machine, me) => listOf(machine, [...plannedIn(me).values()]),
      'getPendingJob(I)Landroid/app/job/JobInfo;': (_machine, me, id: number) => plannedIn(me).get(id) ?? null,
    },
  },
  'Landroid/app/job/JobInfo;': {
    methods: {
      'getId()I': (_machine, me) => jobOf(me).id,
      'isPeriodic()Z': (_machine, me) => jobOf(me).isPeriodic,
    },
  },
  [jobBuilderType]: {
    methods: {
      '<init>(I!Landroid/content/ComponentName;)V': made(
        (_machine, id: number, name: HeapObject) =>
          ({ id, service: componentOf(name), extras: null, isPeriodic: false }) satisfies JobState,
      ),
      [`setExtras(Landroid/os/PersistableBundle;)${jobBuilderType}`]: builderStep((state, value) => {
        state.extras = value as Reference;
      }),
      ...each(
        builderStep(),
        ...[
          'setPeriodic(J)',
          'setPeriodic(JJ)',
          'setMinimumLatency(J)',
          'setOverrideDeadline(J)',
          'setPersisted(Z)',
          'setRequiredNetworkType(I)',
          'setRequiresCharging(Z)',
          'setRequiresDeviceIdle(Z)',
          'setBackoffCriteria(JI)',
        ].map((name) => `${name}${jobBuilderType}`),
      ),
      'build()Landroid/app/job/JobInfo;': (machine, me) => {
        const job = machine.allocate('Landroid/app/job/JobInfo;');
        job.native = { ...jobOf(me) };
        return job;
      },
    },
  },
  'Landroid/app/job/JobParameters;': {
    methods: {
      'getJobId()I': (_machine, me) => (me.native as { id: number }).id,
      'getExtras()Landroid/os/PersistableBundle;': (_machine, me) => (me.native as { extras: Reference }).extras,
    },
  },
};
