// Models of NotificationListenerService and of what it sees: notifications that other apps posted. Knows no builder of one.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, Models } from '../../machine/model.ts';
import { recorderOf } from '../../report/recorder.ts';
import { newBundle } from '../components/bundle.ts';
import { each, none, nothing, plain, type Reference, stateOf, yes } from '../model-parts.ts';
import { newReplyAction } from './remote-replies.ts';

const postedType = 'Landroid/service/notification/StatusBarNotification;';
const rankingType = 'Landroid/service/notification/NotificationListenerService$RankingMap;';
const S = 'Ljava/lang/String;';

/** A notification of another app. */
export interface PostedNotification {
  readonly packageName: string;
  readonly title: string;
  readonly text: string;
}

const postedOf = (posted: HeapObject): PostedNotification =>
  stateOf<PostedNotification>(posted, () => ({ packageName: '', title: '', text: '' }));

const keyOf = ({ packageName }: PostedNotification): string => `0|${packageName}|1|null|10143`;

export function newPostedNotification(machine: Machine, state: PostedNotification): HeapObject {
  const posted = machine.allocate(postedType);
  posted.native = state;
  return posted;
}

/** Messengers, whose notifications can be answered. */
const messengers: ReadonlySet<string> = new Set(['com.whatsapp', 'com.samsung.android.messaging']);

function notificationOf(machine: Machine, { packageName, title, text }: PostedNotification): HeapObject {
  const taint = machine.source('TAINT_NOTIFICATION', 'StatusBarNotification.getNotification');
  const notification = machine.allocate('Landroid/app/Notification;');
  const extras = Object.entries({ title, text, bigText: text }).map(
    ([name, value]) => [`android.${name}`, { kind: 'L', value: machine.string(value, taint), taint: 0 }] as const,
  );
  machine.setField(notification, 'extras', newBundle(machine, new Map(extras)));
  const actions = messengers.has(packageName) ? [newReplyAction(machine, packageName)] : [];
  machine.setField(notification, 'actions', machine.objectArray('Landroid/app/Notification$Action;', actions));
  machine.setField(notification, 'tickerText', machine.string(`${title}: ${text}`, taint));
  return notification;
}

export const postedNotificationModels: Models = {
  [postedType]: {
    implements: ['Landroid/os/Parcelable;'],
    methods: {
      ...each((machine, me) => machine.string(postedOf(me).packageName), `getPackageName()${S}`, `getOpPkg()${S}`),
      'getId()I': () => 1,
      [`getTag()${S}`]: none,
      ...each((machine, me) => machine.string(keyOf(postedOf(me))), `getKey()${S}`, `getGroupKey()${S}`),
      'getPostTime()J': (machine) => BigInt(Math.round(machine.clock.wall)),
      'isClearable()Z': yes,
      'isOngoing()Z': () => 0,
      'getNotification()Landroid/app/Notification;': (machine, me) => notificationOf(machine, postedOf(me)),
    },
  },
  'Landroid/service/notification/NotificationListenerService;': {
    extends: 'Landroid/app/Service;',
    methods: {
      ...each(
        nothing,
        'onListenerConnected()V',
        'onListenerDisconnected()V',
        `onNotificationPosted(${postedType})V`,
        `onNotificationRemoved(${postedType})V`,
        'requestInterruptionFilter(I)V',
        'requestUnbind()V',
      ),
      // The system calls the longer overload, whose default calls the shorter one.
      [`onNotificationPosted(${postedType}${rankingType})V`]: (machine, me, posted: Reference) =>
        machine.call(me, `onNotificationPosted(${postedType})V`, posted),
      [`onNotificationRemoved(${postedType}${rankingType})V`]: (machine, me, posted: Reference) =>
        machine.call(me, `onNotificationRemoved(${postedType})V`, posted),
      [`cancelNotification(${S})V`]: (machine, _me, key: Reference) =>
        recorderOf(machine).event('notification', `removed the notification ${plain(machine, key)}`),
      [`cancelNotification(${S}${S}I)V`]: (machine, _me, name: Reference) =>
        recorderOf(machine).event('notification', `removed a notification of ${plain(machine, name)}`),
      [`snoozeNotification(${S}J)V`]: (machine, _me, key: Reference) =>
        recorderOf(machine).event('notification', `put off the notification ${plain(machine, key)}`),
      'cancelAllNotifications()V': (machine) => recorderOf(machine).event('notification', 'removed all notifications'),
      [`getActiveNotifications()[${postedType}`]: (machine) => machine.objectArray(postedType, []),
    },
  },
};
