// Models of SMS: messages sent, and those that come in as PDUs. Knows no receiver of them.
import { bytesOf } from '../../java/values.ts';
import type { HeapObject, JavaArray, JavaString, Taint, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods, StaticMethod } from '../../machine/model.ts';
import { recorderOf, sinkTaint } from '../../report/recorder.ts';
import { appOf } from '../components/app.ts';
import { handOver } from '../components/delivery.ts';
import { always, each, elementsOf, listOf, no, plain, type Reference } from '../model-parts.ts';
import { singleton } from './system-services.ts';

// Outgoing messages.

const sendText: NativeMethod = (
  machine,
  _me,
  destination: Reference,
  _center: Reference,
  body: Reference,
  ...intents: Value[]
) => {
  send(
    machine,
    destination,
    body === null ? '' : plain(machine, body),
    sinkTaint(machine, body, destination),
    'SmsManager.sendTextMessage',
  );
  tellSent(machine, intents);
};

/** Sends the pending intents that report a message as sent and delivered. */
function tellSent(machine: Machine, intents: readonly Value[]): void {
  for (const pending of intents)
    if (pending !== null && typeof pending === 'object') handOver(machine, pending as HeapObject, 'sms-sent');
}

function send(machine: Machine, destination: Reference, body: string, taint: Taint, sink: string): void {
  const number = destination === null ? '' : plain(machine, destination);
  recorderOf(machine).sms(number, body, taint, sink);
}

const smsMethods: NativeMethods = {
  'sendTextMessage(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Landroid/app/PendingIntent;Landroid/app/PendingIntent;)V':
    sendText,
  'sendTextMessageWithoutPersisting(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Landroid/app/PendingIntent;Landroid/app/PendingIntent;)V':
    sendText,
  'sendMultipartTextMessage(Ljava/lang/String;Ljava/lang/String;!Ljava/util/ArrayList;Ljava/util/ArrayList;Ljava/util/ArrayList;)V':
    (machine, _me, destination: Reference, _center: Reference, parts: HeapObject, ...intents: Reference[]) => {
      const texts = elementsOf(machine, parts);
      const body = texts.map((part) => plain(machine, part)).join('');
      send(
        machine,
        destination,
        body,
        sinkTaint(machine, destination, ...texts),
        'SmsManager.sendMultipartTextMessage',
      );
      for (const list of intents) if (list !== null) tellSent(machine, elementsOf(machine, list));
    },
  'sendDataMessage(Ljava/lang/String;Ljava/lang/String;S![BLandroid/app/PendingIntent;Landroid/app/PendingIntent;)V': (
    machine,
    _me,
    destination: Reference,
    _center: Reference,
    _port: number,
    data: JavaArray,
    ...intents: Value[]
  ) => {
    send(
      machine,
      destination,
      Buffer.from(bytesOf(data)).toString('latin1'),
      sinkTaint(machine, destination, data),
      'SmsManager.sendDataMessage',
    );
    tellSent(machine, intents);
  },
  'divideMessage(!Ljava/lang/String;)Ljava/util/ArrayList;': (machine, _me, body: JavaString) =>
    listOf(
      machine,
      (body.text.match(/[\s\S]{1,160}/g) ?? ['']).map((part) => machine.string(part, body.taint)),
    ),
  'getSubscriptionId()I': always(1),
};

// Incoming messages.

interface SmsState {
  readonly address: string;
  readonly body: string;
  readonly time: number;
  readonly taint: Taint;
}

const smsOf = (message: HeapObject): SmsState => message.native as SmsState;

const semiOctets = (digits: string): Buffer => {
  const padded = digits.length % 2 === 0 ? digits : `${digits}f`;
  return Buffer.from(padded.replace(/(.)(.)/g, '$2$1'), 'hex');
};
const readSemiOctets = (bytes: Uint8Array, digits: number): string =>
  Buffer.from(bytes)
    .toString('hex')
    .replace(/(.)(.)/g, '$2$1')
    .slice(0, digits);

/**
 * An SMS-DELIVER as the network brings it, the text in UCS-2.
 * @see https://www.etsi.org/deliver/etsi_ts/123000_123099/123040/
 */
export function deliverPdu(address: string, body: string, wall: number): Uint8Array {
  const digits = address.replace(/\D/g, '');
  const text = Buffer.from(body.slice(0, 70), 'utf16le').swap16();
  const time = new Date(wall).toISOString().replace(/\D/g, '').slice(2, 14);
  return Buffer.concat([
    Buffer.from([0x00, 0x04, digits.length, address.startsWith('+') ? 0x91 : 0x81]),
    semiOctets(digits),
    Buffer.from([0x00, 0x08]),
    semiOctets(`${time}00`),
    Buffer.from([text.length]),
    text,
  ]);
}

/** Seven bits for each character, packed. */
function unpackSeptets(bytes: Uint8Array, count: number): string {
  let bits = 0;
  let buffer = 0;
  let text = '';
  for (const byte of bytes) {
    buffer |= byte << bits;
    bits += 8;
    while (bits >= 7 && text.length < count) {
      text += String.fromCharCode(buffer & 0x7f);
      buffer >>= 7;
      bits -= 7;
    }
  }
  return text;
}

/** Reads an SMS-DELIVER PDU; null where it is not one. */
export function readPdu(pdu: Uint8Array): { address: string; body: string } | null {
  let at = 1 + (pdu[0] ?? 0);
  if ((pdu[at] ?? 1) & 3) return null;
  at += 1;
  const digits = pdu[at] ?? 0;
  const type = pdu[at + 1] ?? 0;
  const addressLength = (digits + 1) >> 1;
  const address = readSemiOctets(pdu.subarray(at + 2, at + 2 + addressLength), digits);
  at += 2 + addressLength;
  const coding = pdu[at + 1] ?? 0;
  at += 9;
  const length = pdu[at] ?? 0;
  const data = pdu.subarray(at + 1);
  const body =
    (coding & 0x0c) === 8
      ? Buffer.from(data.subarray(0, length & ~1))
          .swap16()
          .toString('utf16le')
      : (coding & 0x0c) === 4
        ? Buffer.from(data.subarray(0, length)).toString('latin1')
        : unpackSeptets(data, length);
  return { address: (type === 0x91 ? '+' : '') + address, body };
}

const fromPdu: StaticMethod = (machine, pdu: JavaArray | null) => {
  const read = pdu === null ? null : readPdu(bytesOf(pdu));
  if (pdu === null || read === null) return null;
  const message = machine.allocate('Landroid/telephony/SmsMessage;');
  const own = sinkTaint(machine, pdu);
  const taint = own === 0 ? machine.source('TAINT_SMS', 'SmsMessage.createFromPdu') : own;
  message.native = { ...read, time: machine.clock.wall, taint } satisfies SmsState;
  message.taint = taint;
  return message;
};

const smsText =
  (pick: (state: SmsState) => string): NativeMethod =>
  (machine, me) =>
    machine.string(pick(smsOf(me)), smsOf(me).taint);

const messageMethods: NativeMethods = {
  ...each(
    smsText(({ body }) => body),
    'getMessageBody()Ljava/lang/String;',
    'getDisplayMessageBody()Ljava/lang/String;',
  ),
  ...each(
    smsText(({ address }) => address),
    'getOriginatingAddress()Ljava/lang/String;',
    'getDisplayOriginatingAddress()Ljava/lang/String;',
  ),
  'getTimestampMillis()J': (_machine, me) => BigInt(Math.trunc(smsOf(me).time)),
  'getServiceCenterAddress()Ljava/lang/String;': always('+491722270333'),
  'getUserData()[B': (machine, me) => machine.byteArray(Buffer.from(smsOf(me).body), smsOf(me).taint),
  'getPdu()[B': (machine, me) =>
    machine.byteArray(deliverPdu(smsOf(me).address, smsOf(me).body, smsOf(me).time), smsOf(me).taint),
  'getStatus()I': no,
  'getProtocolIdentifier()I': no,
  'getIndexOnIcc()I': always(-1),
  ...each(no, 'isEmail()Z', 'isReplace()Z', 'isStatusReportMessage()Z', 'isMWISetMessage()Z'),
};

const smsManagerModel = (descriptor: string) => ({
  methods: smsMethods,
  staticMethods: each(
    (machine) => singleton(machine, descriptor),
    `getDefault()${descriptor}`,
    `getSmsManagerForSubscriptionId(I)${descriptor}`,
  ),
});

const messageModel = (descriptor: string) => ({
  methods: messageMethods,
  staticMethods: each(fromPdu, `createFromPdu([B)${descriptor}`, `createFromPdu([BLjava/lang/String;)${descriptor}`),
});

export const textMessageModels: Models = {
  'Landroid/telephony/SmsManager;': smsManagerModel('Landroid/telephony/SmsManager;'),
  'Landroid/telephony/gsm/SmsManager;': smsManagerModel('Landroid/telephony/gsm/SmsManager;'),
  'Landroid/telephony/SmsMessage;': messageModel('Landroid/telephony/SmsMessage;'),
  'Landroid/telephony/gsm/SmsMessage;': messageModel('Landroid/telephony/gsm/SmsMessage;'),
  'Landroid/provider/Telephony$Sms$Intents;': {
    staticMethods: {
      'getMessagesFromIntent(!Landroid/content/Intent;)[Landroid/telephony/SmsMessage;': (
        machine,
        intent: HeapObject,
      ) => {
        const pdus = machine.call(
          intent,
          'getSerializableExtra(Ljava/lang/String;)Ljava/io/Serializable;',
          machine.string('pdus'),
        ) as JavaArray | null;
        const messages =
          pdus === null
            ? []
            : (pdus.elements as Reference[]).map((pdu) => fromPdu(machine, pdu as JavaArray) as Reference);
        return machine.objectArray('Landroid/telephony/SmsMessage;', messages);
      },
    },
  },
  'Landroid/provider/Telephony$Sms;': {
    staticMethods: {
      'getDefaultSmsPackage(Landroid/content/Context;)Ljava/lang/String;': (machine) =>
        machine.string(appOf(machine).smsApp),
    },
  },
};
