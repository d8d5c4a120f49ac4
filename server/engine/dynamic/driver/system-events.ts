// What happens on a phone in a day: broadcasts with the extras they come with. Knows no order of events.
import { type IntentState, newIntent } from '../android/components/intent-state.ts';
import { newUri } from '../android/data/uri.ts';
import type { Kept } from '../android/model-parts.ts';
import { deliverPdu } from '../android/phone/text-messages.ts';
import type { HeapObject, Value } from '../machine/heap.ts';
import type { Machine } from '../machine/model.ts';
import { phone } from '../world/device.ts';
import { messages } from '../world/people.ts';
import { worldOf } from '../world/world.ts';

const smsActions: ReadonlySet<string> = new Set([
  'android.provider.Telephony.SMS_RECEIVED',
  'android.provider.Telephony.SMS_DELIVER',
  'android.intent.action.DATA_SMS_RECEIVED',
]);
/** Messages made of what the app compares others with, per round. */
const maxAnswers = 40;
const maxBodies = 200;

type Extras = readonly (readonly [name: string, kind: string, value: Value])[];

const extrasOf = (extras: Extras): Map<string, Kept> =>
  new Map(extras.map(([name, kind, value]) => [name, { kind, value, taint: 0 }] as const));

const text = (machine: Machine, name: string, value: string, taint = 0) =>
  [name, 'L', machine.string(value, taint)] as const;
const int = (name: string, value: number) => [name, 'I', value] as const;
const bool = (name: string, value: boolean) => [name, 'Z', value ? 1 : 0] as const;

/** Who writes and calls. */
const friend = '+491729968534';

/** Texts that remote-controlled apps wait for, beside the bank's and a friend's. */
const incoming: readonly (readonly [from: string, body: string])[] = [
  ['+491729968533', 'Bist du um sieben da? Bring Brot mit'],
  ['Sparbank', messages[2]!.body],
  [friend, '#start'],
];

/** Senders and texts of messages that answer what the app compared earlier ones with. */
function answers(machine: Machine, sent: ReadonlySet<string>): (readonly [from: string, body: string])[] {
  const { prompts } = worldOf(machine);
  const usualSender = incoming.at(-1)![0];
  const senders = new Set(incoming.flatMap(([from]) => prompts.answersTo(from)));
  const bodies = new Set<string>();
  // The app may compare an answer with further texts in turn.
  for (const [, body] of incoming) for (const answer of prompts.answersTo(body)) bodies.add(answer);
  for (const body of bodies) {
    for (const answer of prompts.answersTo(body)) if (bodies.size < maxBodies) bodies.add(answer);
  }
  const pairs = [...senders, usualSender].flatMap((from) =>
    [...bodies, ...incoming.map(([, body]) => body)].map((body) => [from, body] as const),
  );
  return pairs
    .filter(([from, body]) => (senders.has(from) || bodies.has(body)) && !sent.has(`${from} ${body}`))
    .slice(0, maxAnswers);
}

function smsExtras(machine: Machine, from: string, body: string): Extras {
  const { prompts } = worldOf(machine);
  prompts.tell(from);
  prompts.tell(body);
  const taint = machine.source('TAINT_SMS', 'android.provider.Telephony.SMS_RECEIVED');
  const pdu = machine.byteArray(deliverPdu(from, body, machine.clock.wall), taint);
  return [
    ['pdus', 'L', machine.objectArray('Ljava/lang/Object;', [pdu])],
    text(machine, 'format', '3gpp'),
    int('subscription', 1),
  ];
}

/** Extras of the system's broadcasts by action; several where it comes in several forms, none that is in `sent`. */
function variants(machine: Machine, action: string, sent: Set<string>): readonly Extras[] {
  if (sent.has(action)) return [];
  if (!smsActions.has(action)) sent.add(action);
  switch (action) {
    case 'android.provider.Telephony.SMS_RECEIVED':
    case 'android.provider.Telephony.SMS_DELIVER':
    case 'android.intent.action.DATA_SMS_RECEIVED':
      return [...incoming, ...keywords(machine), ...answers(machine, sent)]
        .filter(([from, body]) => !sent.has(`${from} ${body}`))
        .map(([from, body]) => {
          sent.add(`${from} ${body}`);
          return smsExtras(machine, from, body);
        });
    case 'android.provider.Telephony.WAP_PUSH_RECEIVED':
    case 'android.provider.Telephony.WAP_PUSH_DELIVER': {
      const taint = machine.source('TAINT_SMS', action);
      return [[['data', 'L', machine.byteArray(mmsNotice, taint)], int('transactionId', 1), int('pduType', 6)]];
    }
    case 'android.intent.action.PHONE_STATE': {
      const number = () =>
        text(machine, 'incoming_number', friend, machine.source('TAINT_PHONE_NUMBER', 'PHONE_STATE'));
      return ['RINGING', 'OFFHOOK', 'IDLE'].map((state) => [text(machine, 'state', state), number()]);
    }
    case 'android.intent.action.NEW_OUTGOING_CALL':
      return [
        [
          text(
            machine,
            'android.intent.extra.PHONE_NUMBER',
            '+493023125010',
            machine.source('TAINT_PHONE_NUMBER', 'NEW_OUTGOING_CALL'),
          ),
        ],
      ];
    case 'android.intent.action.BATTERY_CHANGED':
      return [
        [
          int('level', 67),
          int('scale', 100),
          int('status', 3),
          int('plugged', 0),
          int('health', 2),
          int('temperature', 287),
          int('voltage', 3912),
          bool('present', true),
          text(machine, 'technology', 'Li-ion'),
        ],
      ];
    case 'android.net.conn.CONNECTIVITY_CHANGE':
      return [
        [
          bool('noConnectivity', false),
          int('networkType', 1),
          ['networkInfo', 'L', machine.allocate('Landroid/net/NetworkInfo;')],
        ],
      ];
    case 'android.net.wifi.WIFI_STATE_CHANGED':
      return [[int('wifi_state', 3), int('previous_wifi_state', 2)]];
    case 'android.net.wifi.STATE_CHANGE':
      return [
        [['networkInfo', 'L', machine.allocate('Landroid/net/NetworkInfo;')], text(machine, 'bssid', phone.wifi.bssid)],
      ];
    case 'android.intent.action.AIRPLANE_MODE':
      return [[bool('state', false)]];
    case 'android.intent.action.HEADSET_PLUG':
      return [[int('state', 1), int('microphone', 1), text(machine, 'name', 'h2w')]];
    case 'com.android.vending.INSTALL_REFERRER':
      return [[text(machine, 'referrer', 'utm_source=google-play&utm_medium=organic')]];
    case 'android.bluetooth.adapter.action.STATE_CHANGED':
      return [[int('android.bluetooth.adapter.extra.STATE', 12)]];
    case 'android.intent.action.DOWNLOAD_COMPLETE':
      return [[['extra_download_id', 'J', 17n]]];
    default:
      return [[]];
  }
}

/** Short texts in the app's own code that look like commands, offered by the driver. */
const keywords = (machine: Machine): (readonly [string, string])[] =>
  machine.state('driver.keywords', () => [] as string[]).map((word) => [friend, word] as const);

/** The head of a notice that a multimedia message waits: its kind, transaction and version. OMA-TS-MMS-ENC, 6.2. */
const mmsNotice = Uint8Array.from([0x8c, 0x82, 0x98, 0x54, 0x31, 0x00, 0x8d, 0x90]);

/** What `data` a system broadcast carries. */
function dataOf(action: string): string | null {
  if (/PACKAGE_(?:ADDED|REMOVED|REPLACED|CHANGED|INSTALL|FULLY_REMOVED|RESTARTED|DATA_CLEARED)$/.test(action))
    return 'package:com.example.news';
  if (/MEDIA_(?:MOUNTED|UNMOUNTED|EJECT|REMOVED|SCANNER_)/.test(action)) return 'file:///storage/emulated/0';
  if (action === 'android.provider.Telephony.SECRET_CODE') return 'android_secret_code://4636';
  return null;
}

/**
 * The intents with which the system sends an action.
 * @param sent what was sent before, which is not sent again: asked anew, only messages come that the app has meanwhile
 *   turned out to wait for
 */
export function broadcastsOf(machine: Machine, action: string, sent = new Set<string>()): HeapObject[] {
  const data = dataOf(action);
  return variants(machine, action, sent).map((extras) => {
    const parts: Partial<IntentState> = { action: machine.string(action), extras: extrasOf(extras) };
    if (data !== null) parts.data = newUri(machine, data);
    if (action.includes('.WAP_PUSH_')) parts.type = machine.string('application/vnd.wap.mms-message');
    return newIntent(machine, parts);
  });
}

/** Sticky broadcasts: receivers that register later get them too. */
export const stickyActions = ['android.intent.action.BATTERY_CHANGED', 'android.intent.action.HEADSET_PLUG'] as const;

/** Actions of the system that receivers registered at run time may wait for; any other comes from another app. */
export const isSystemAction = (action: string): boolean =>
  /^(?:android\.|com\.android\.|com\.google\.android\.)/.test(action);
