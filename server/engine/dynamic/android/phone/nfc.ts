// Models of NFC: a payment card that the owner holds to the phone, readers of it, and the phone that plays one. Knows no
// order of events.
import type { HeapObject, JavaArray } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod } from '../../machine/model.ts';
import { recorderOf, sinkTaint } from '../../report/recorder.ts';
import { appOf } from '../components/app.ts';
import { sendPending } from '../components/delivery.ts';
import { newIntent } from '../components/intent-state.ts';
import { always, each, type Kept, none, nothing, type Reference, yes } from '../model-parts.ts';
import { singleton } from './system-services.ts';

const S = 'Ljava/lang/String;';
const activityType = 'Landroid/app/Activity;';
const adapterType = 'Landroid/nfc/NfcAdapter;';
const callbackType = 'Landroid/nfc/NfcAdapter$ReaderCallback;';
const tagType = 'Landroid/nfc/Tag;';
const serviceType = 'Landroid/nfc/cardemulation/HostApduService;';

/** What a card answers where it knows the command: ISO 7816-4. */
const success = '9000';
/** By class and instruction, in hex: what stands before the status word. */
const answers: Readonly<Record<string, string>> = {
  // SELECT: the directory of payment applications, with one in it.
  '00a4': '6f23840e325041592e5359532e4444463031a511bf0c0e610c4f07a0000000041010870101',
  // READ RECORD: number and day of expiry.
  '00b2': '70165a0854133300890200115f24032512319f0702ff00',
  // GET PROCESSING OPTIONS.
  '80a8': '7710820219809404080101009f360200019f100101',
};

const seen = (machine: Machine, api: string) => machine.source('TAINT_NFC', api);

/** The owner's card, as it comes near the phone. */
const newTag = (machine: Machine): HeapObject => machine.allocate(tagType);

/** What intents say that tell of a card. */
export const cardExtras = (machine: Machine): Map<string, Kept> =>
  new Map([['android.nfc.extra.TAG', { kind: 'L', value: newTag(machine), taint: 0 }]]);

const foundCard = (machine: Machine): HeapObject =>
  newIntent(machine, { action: machine.string('android.nfc.action.TECH_DISCOVERED'), extras: cardExtras(machine) });

const transceive: NativeMethod = (machine, _me, command: JavaArray) => {
  const hex = Buffer.from(Int8Array.from(command.elements as Int8Array)).toString('hex');
  recorderOf(machine).event('nfc', `asked a card ${hex.slice(0, 80)}`);
  const answer = Buffer.from((answers[hex.slice(0, 4)] ?? '') + success, 'hex');
  return machine.byteArray(answer, seen(machine, 'IsoDep.transceive'));
};

const unlisten: NativeMethod = (machine, _me, activity: HeapObject) => {
  appOf(machine).unlisten(`card#${appOf(machine).numberOf(activity)}`);
};

/** Techniques of tags; a payment card has the first two. */
const technique = (name: string, isCards: boolean): Models => ({
  [`Landroid/nfc/tech/${name};`]: {
    implements: ['Landroid/nfc/tech/TagTechnology;'],
    staticMethods: {
      [`get(${tagType})Landroid/nfc/tech/${name};`]: isCards
        ? (machine) => machine.allocate(`Landroid/nfc/tech/${name};`)
        : none,
    },
    methods: {
      ...each(nothing, 'connect()V', 'close()V', 'setTimeout(I)V'),
      'isConnected()Z': yes,
      [`getTag()${tagType}`]: newTag,
      'getMaxTransceiveLength()I': always(261),
      'getTimeout()I': always(309),
      'transceive(![B)[B': transceive,
    },
  },
});

export const nfcModels: Models = {
  'Landroid/nfc/NfcManager;': {
    methods: { [`getDefaultAdapter()${adapterType}`]: (machine) => singleton(machine, adapterType) },
  },
  [callbackType]: { isInterface: true, abstractMethods: [`onTagDiscovered(${tagType})V`] },
  [adapterType]: {
    staticMethods: {
      [`getDefaultAdapter(Landroid/content/Context;)${adapterType}`]: (machine) => singleton(machine, adapterType),
    },
    methods: {
      'isEnabled()Z': yes,
      [`enableReaderMode(!${activityType}${callbackType}ILandroid/os/Bundle;)V`]: (
        machine,
        _me,
        activity: HeapObject,
        callback: Reference,
      ) => {
        if (callback === null) return;
        const app = appOf(machine);
        app.listen(`card#${app.numberOf(activity)}`, {
          kind: 'card',
          fire: () => void machine.call(callback, `onTagDiscovered(${tagType})V`, newTag(machine)),
        });
      },
      [`enableForegroundDispatch(!${activityType}Landroid/app/PendingIntent;[Landroid/content/IntentFilter;[[${S})V`]: (
        machine,
        _me,
        activity: HeapObject,
        pending: Reference,
      ) => {
        const app = appOf(machine);
        app.listen(`card#${app.numberOf(activity)}`, {
          kind: 'card',
          fire: () => sendPending(machine, pending, foundCard(machine)),
        });
      },
      ...each(unlisten, `disableReaderMode(!${activityType})V`, `disableForegroundDispatch(!${activityType})V`),
    },
  },
  [tagType]: {
    implements: ['Landroid/os/Parcelable;'],
    methods: {
      'getId()[B': (machine) => machine.byteArray(Uint8Array.of(4, 0x5e, 0x21, 0x7a), seen(machine, 'Tag.getId')),
      [`getTechList()[${S}`]: (machine) =>
        machine.objectArray(
          S,
          ['IsoDep', 'NfcA'].map((name) => machine.string(`android.nfc.tech.${name}`)),
        ),
    },
  },
  'Landroid/nfc/tech/TagTechnology;': { isInterface: true, abstractMethods: ['connect()V', 'close()V'] },
  ...technique('IsoDep', true),
  ...technique('NfcA', true),
  ...technique('Ndef', false),
  ...technique('MifareClassic', false),
  [serviceType]: {
    extends: 'Landroid/app/Service;',
    methods: {
      'sendResponseApdu([B)V': (machine, _me, answer: Reference) => {
        const taint = sinkTaint(machine, answer);
        recorderOf(machine).event('nfc', 'answered as a card');
        recorderOf(machine).leak('nfc', 'HostApduService.sendResponseApdu', 'a card reader', taint);
      },
      'notifyUnhandled()V': nothing,
    },
  },
};
