// Models of notifications and toasts. Knows no screen.
import { type HeapObject, JavaArray, type Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod } from '../../machine/model.ts';
import { recorderOf } from '../../report/recorder.ts';
import { handOver } from '../components/delivery.ts';
import { each, none, nothing, type Reference, self, stateOf, yes } from '../model-parts.ts';
import { quoted, shownText } from '../views/view-words.ts';

const pendingSetters = (suffix: string): string[] =>
  [
    'setContentIntent(Landroid/app/PendingIntent;)',
    'setDeleteIntent(Landroid/app/PendingIntent;)',
    'setFullScreenIntent(Landroid/app/PendingIntent;Z)',
  ].map((name) => `${name}${suffix}`);

const notificationBuilder = 'Landroid/app/Notification$Builder;';

/** Holds the pending intents of a notification; `notify` hands them to the system. */
const notePending: NativeMethod = (_machine, me, ...args: Value[]) => {
  const waiting = stateOf<HeapObject[]>(me, () => []);
  for (const arg of args) {
    if (arg === null || typeof arg !== 'object') continue;
    if (arg.cls.descriptor === 'Landroid/app/PendingIntent;') waiting.push(arg as HeapObject);
    else if (Array.isArray(arg.native)) waiting.push(...(arg.native as HeapObject[]));
  }
  return me;
};

const notify: NativeMethod = (machine, _me, ...args: Value[]) => {
  const notification = args.at(-1) as Reference;
  if (notification === null) return;
  recorderOf(machine).event('notification', 'showed a notification');
  const fields = ['contentIntent', 'deleteIntent', 'fullScreenIntent'].map(
    (name) => machine.getField(notification, name) as Reference,
  );
  const noted = Array.isArray(notification.native) ? (notification.native as HeapObject[]) : [];
  for (const pending of [...fields, ...noted]) handOver(machine, pending, 'notification');
};

const toastOf = (toast: HeapObject): { text: string } => stateOf(toast, () => ({ text: '' }));
const setToast = (machine: Machine, toast: HeapObject, text: Reference | number): undefined => {
  toastOf(toast).text = shownText(machine, text);
};

export const notificationModels: Models = {
  'Landroid/widget/Toast;': {
    methods: {
      ...each(nothing, '<init>(Landroid/content/Context;)V', 'cancel()V', 'setGravity(III)V', 'setDuration(I)V'),
      ...each(setToast, 'setText(Ljava/lang/CharSequence;)V', 'setText(I)V'),
      'show()V': (machine, me) => recorderOf(machine).event('dialog', `showed a toast${quoted(toastOf(me).text)}`),
      'setView(Landroid/view/View;)V': nothing,
      'getView()Landroid/view/View;': none,
    },
    staticMethods: each(
      (machine, _context: Reference, text: Reference | number) => {
        const toast = machine.allocate('Landroid/widget/Toast;');
        setToast(machine, toast, text);
        return toast;
      },
      'makeText(Landroid/content/Context;Ljava/lang/CharSequence;I)Landroid/widget/Toast;',
      'makeText(Landroid/content/Context;II)Landroid/widget/Toast;',
    ),
  },
  'Landroid/app/NotificationManager;': {
    methods: {
      'notify(ILandroid/app/Notification;)V': notify,
      'notify(Ljava/lang/String;ILandroid/app/Notification;)V': notify,
      ...each(
        nothing,
        'cancel(I)V',
        'cancel(Ljava/lang/String;I)V',
        'cancelAll()V',
        'createNotificationChannel(Landroid/app/NotificationChannel;)V',
      ),
      'areNotificationsEnabled()Z': yes,
    },
  },
  'Landroid/app/Notification;': {
    implements: ['Landroid/os/Parcelable;'],
    methods: {
      '<init>()V': nothing,
      '<init>(ILjava/lang/CharSequence;J)V': nothing,
      'setLatestEventInfo(Landroid/content/Context;Ljava/lang/CharSequence;Ljava/lang/CharSequence;Landroid/app/PendingIntent;)V':
        (machine, me, ...args: Value[]) => notePending(machine, me, ...args),
    },
    fields: [
      'contentIntent:Landroid/app/PendingIntent;',
      'deleteIntent:Landroid/app/PendingIntent;',
      'fullScreenIntent:Landroid/app/PendingIntent;',
      'flags:I',
      'icon:I',
      'defaults:I',
      'number:I',
      'priority:I',
      'when:J',
      'contentView:Landroid/widget/RemoteViews;',
      'tickerText:Ljava/lang/CharSequence;',
      'vibrate:[J',
      'ledARGB:I',
      'ledOnMS:I',
      'ledOffMS:I',
      'sound:Landroid/net/Uri;',
      'extras:Landroid/os/Bundle;',
      'actions:[Landroid/app/Notification$Action;',
    ],
  },
  [notificationBuilder]: {
    methods: {
      ...each(nothing, '<init>(Landroid/content/Context;)V', '<init>(Landroid/content/Context;!Ljava/lang/String;)V'),
      ...each(
        notePending,
        ...pendingSetters(notificationBuilder),
        `addAction(ILjava/lang/CharSequence;Landroid/app/PendingIntent;)${notificationBuilder}`,
        `addAction(Landroid/app/Notification$Action;)${notificationBuilder}`,
      ),
      ...each(
        self,
        ...[
          'setContentTitle(Ljava/lang/CharSequence;)',
          'setContentText(Ljava/lang/CharSequence;)',
          'setTicker(Ljava/lang/CharSequence;)',
          'setSmallIcon(I)',
          'setAutoCancel(Z)',
          'setOngoing(Z)',
          'setWhen(J)',
          'setPriority(I)',
          'setDefaults(I)',
          'setLargeIcon(Landroid/graphics/Bitmap;)',
          'setChannelId(Ljava/lang/String;)',
          'setNumber(I)',
          'setStyle(Landroid/app/Notification$Style;)',
          'setCategory(Ljava/lang/String;)',
          'setShowWhen(Z)',
          'setColor(I)',
          'setVibrate([J)',
          'setSound(Landroid/net/Uri;)',
          'setProgress(IIZ)',
          'setContent(Landroid/widget/RemoteViews;)',
          'setContentInfo(Ljava/lang/CharSequence;)',
          'setOnlyAlertOnce(Z)',
          'setVisibility(I)',
        ].map((name) => `${name}${notificationBuilder}`),
      ),
      ...each(
        (machine, me) => {
          const notification = machine.allocate('Landroid/app/Notification;');
          notification.native = me.native;
          return notification;
        },
        'build()Landroid/app/Notification;',
        'getNotification()Landroid/app/Notification;',
      ),
    },
  },
  'Landroid/app/Notification$Action;': {
    methods: {
      // What can be typed into it; only those of other apps have any.
      'getRemoteInputs()[Landroid/app/RemoteInput;': (_machine, me) =>
        me.native instanceof JavaArray ? me.native : null,
      'getTitle()Ljava/lang/CharSequence;': (machine, me) => machine.getField(me, 'title'),
      '<init>(ILjava/lang/CharSequence;Landroid/app/PendingIntent;)V': (machine, me, ...args: Value[]) =>
        notePending(machine, me, ...args),
    },
    fields: ['title:Ljava/lang/CharSequence;', 'actionIntent:Landroid/app/PendingIntent;'],
  },
  'Landroid/app/Notification$Action$Builder;': {
    methods: {
      '<init>(ILjava/lang/CharSequence;Landroid/app/PendingIntent;)V': (machine, me, ...args: Value[]) =>
        notePending(machine, me, ...args),
      '<init>(Landroid/graphics/drawable/Icon;Ljava/lang/CharSequence;Landroid/app/PendingIntent;)V': (
        machine,
        me,
        ...args: Value[]
      ) => notePending(machine, me, ...args),
      'build()Landroid/app/Notification$Action;': (machine, me) => {
        const action = machine.allocate('Landroid/app/Notification$Action;');
        action.native = me.native;
        return action;
      },
    },
  },
  'Landroid/app/NotificationChannel;': {
    methods: each(
      nothing,
      '<init>(Ljava/lang/String;Ljava/lang/CharSequence;I)V',
      'setDescription(Ljava/lang/String;)V',
      'setShowBadge(Z)V',
      'setLockscreenVisibility(I)V',
      'enableLights(Z)V',
      'enableVibration(Z)V',
      'setSound(Landroid/net/Uri;Landroid/media/AudioAttributes;)V',
    ),
  },
};
