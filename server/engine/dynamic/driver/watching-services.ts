// What services that watch the phone see: other apps' screens and key presses, notifications, calls. Knows no
// other component.
import { callApp } from '../android/components/activity-life.ts';
import {
  eventTypes,
  type ForeignScreen,
  newAccessibilityEvent,
  showForeignScreen,
} from '../android/control/foreign-screens.ts';
import { newPostedNotification, type PostedNotification } from '../android/control/posted-notifications.ts';
import { newCallDetails } from '../android/phone/call-screening.ts';
import type { HeapObject, Value } from '../machine/heap.ts';
import type { Machine } from '../machine/model.ts';
import { contacts, messages, typedText } from '../world/people.ts';
import { worldOf } from '../world/world.ts';
import { maxRounds } from './budget.ts';

const screens: readonly ForeignScreen[] = [
  {
    packageName: 'com.whatsapp',
    className: 'com.whatsapp.Conversation',
    views: [
      { kind: 'text', text: messages[0]!.body, id: 'id/message_text' },
      { kind: 'field', text: typedText.text, id: 'id/entry' },
      { kind: 'button', text: 'Senden', id: 'id/send' },
    ],
  },
  {
    packageName: 'de.sparbank.mobile',
    className: 'de.sparbank.mobile.LoginActivity',
    views: [
      { kind: 'text', text: 'Anmelden', id: 'id/title' },
      { kind: 'field', text: typedText.email, id: 'id/user' },
      { kind: 'password', text: typedText.password, id: 'id/password' },
      { kind: 'button', text: 'OK', id: 'id/login' },
    ],
  },
  {
    packageName: 'com.android.settings',
    className: 'com.android.settings.SubSettings',
    views: [
      { kind: 'text', text: 'Einstellungen', id: 'id/title' },
      { kind: 'button', text: 'Deinstallieren', id: 'id/left_button' },
    ],
  },
];

const notifications: readonly PostedNotification[] = [
  { packageName: 'com.whatsapp', title: 'Jonas Keller', text: messages[3]!.body },
  { packageName: 'com.samsung.android.messaging', title: messages[2]!.address, text: messages[2]!.body },
];

/** Who calls. */
const friendNumber = contacts[0]!.phone;

/** Apps and screens shown per round because a service compared others with their names. */
const maxLearned = 20;

/** As `usual`, and then again with the names that the app compared those under `keys` with. */
function* withLearned<T>(machine: Machine, usual: readonly T[], ...keys: readonly (keyof T & string)[]): Generator<T> {
  const { prompts } = worldOf(machine);
  const met = new Set<string>();
  const metBefore = (item: T): boolean => {
    const name = keys.map((key) => item[key]).join(' ');
    if (met.has(name)) return true;
    met.add(name);
    return false;
  };
  let items = usual;
  for (let round = 0; round < maxRounds; round++) {
    const fresh = items.filter((item) => !metBefore(item)).slice(0, round === 0 ? usual.length : maxLearned);
    for (const item of fresh) {
      for (const key of keys) prompts.tell(item[key] as string);
      yield item;
    }
    items = fresh.flatMap((item) =>
      keys.flatMap((key) => prompts.answersTo(item[key] as string).map((wanted) => ({ ...item, [key]: wanted }))),
    );
  }
}

/** Lets a running service of accessibility, of notifications or of calls see what happens on a phone. */
export function useWatchingService(machine: Machine, name: string, service: HeapObject): void {
  const call = (signature: string, ...args: Value[]) =>
    void callApp(machine, name, () => machine.call(service, signature, ...args));
  if (machine.isInstance(service, 'Landroid/accessibilityservice/AccessibilityService;')) {
    call('onServiceConnected()V');
    for (const screen of withLearned(machine, screens, 'packageName', 'className')) {
      const root = showForeignScreen(machine, screen);
      const tell = (type: number, index?: number) =>
        call(
          'onAccessibilityEvent(Landroid/view/accessibility/AccessibilityEvent;)V',
          newAccessibilityEvent(machine, type, root, index),
        );
      tell(eventTypes.windowChanged);
      tell(eventTypes.contentChanged);
      for (const [index, { kind }] of screen.views.entries()) {
        if (kind === 'button') tell(eventTypes.clicked, index);
        if (kind !== 'field' && kind !== 'password') continue;
        tell(eventTypes.focused, index);
        tell(eventTypes.textChanged, index);
      }
      tell(eventTypes.notified, 0);
    }
  }
  if (machine.isInstance(service, 'Landroid/telecom/CallScreeningService;'))
    call('onScreenCall(Landroid/telecom/Call$Details;)V', newCallDetails(machine, friendNumber));
  if (machine.isInstance(service, 'Landroid/service/notification/NotificationListenerService;')) {
    call('onListenerConnected()V');
    const types =
      'Landroid/service/notification/StatusBarNotification;Landroid/service/notification/NotificationListenerService$RankingMap;';
    for (const posted of withLearned(machine, notifications, 'packageName', 'title')) {
      const object = newPostedNotification(machine, posted);
      call(`onNotificationPosted(${types})V`, object, null);
      call(`onNotificationRemoved(${types})V`, object, null);
    }
    call('onListenerDisconnected()V');
  }
}
