import type { HeapObject, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import type { Device } from '../../world/device.ts';
import { worldOf } from '../../world/world.ts';
import { appOf } from '../components/app.ts';
import {
  always,
  callIfThere,
  each,
  isAppMethod,
  listOf,
  no,
  nothing,
  plain,
  type Reference,
  yes,
} from '../model-parts.ts';
import { singleton } from './system-services.ts';

const sourceOf =
  (tag: string, api: string, pick: (device: Device) => string): NativeMethod =>
  (machine) =>
    machine.string(pick(worldOf(machine).device), machine.source(tag, api));

const source = (tag: string, method: string, pick: (device: Device) => string): NativeMethod =>
  sourceOf(tag, `TelephonyManager.${method}`, pick);

const known =
  (pick: (device: Device) => string): NativeMethod =>
  (machine) =>
    machine.string(pick(worldOf(machine).device));

const subscriptionType = 'Landroid/telephony/SubscriptionInfo;';

const lineNumber = (api: string) => sourceOf('TAINT_PHONE_NUMBER', api, (device) => device.lineNumber);

const imei = (api: string) => source('TAINT_IMEI', api, ({ imei: value }) => value);

const callerNumber = (machine: Machine) =>
  machine.string('+491729968534', machine.source('TAINT_PHONE_NUMBER', 'PhoneStateListener.onCallStateChanged'));

/** What a listener of the phone's state is told, by the bit it asked with. */
const phoneEvents: readonly (readonly [
  bit: number,
  signature: string,
  args: (machine: Machine) => readonly Value[],
])[] = [
  // It rings, somebody answers, somebody hangs up.
  [0x20, 'onCallStateChanged(ILjava/lang/String;)V', (machine) => [1, callerNumber(machine)]],
  [0x20, 'onCallStateChanged(ILjava/lang/String;)V', (machine) => [2, callerNumber(machine)]],
  [0x20, 'onCallStateChanged(ILjava/lang/String;)V', (machine) => [0, machine.string('')]],
  [
    0x1,
    'onServiceStateChanged(Landroid/telephony/ServiceState;)V',
    (machine) => [machine.allocate('Landroid/telephony/ServiceState;')],
  ],
  [0x10, 'onCellLocationChanged(Landroid/telephony/CellLocation;)V', (machine) => [cellLocation(machine)]],
  [0x40, 'onDataConnectionStateChanged(I)V', () => [2]],
  [0x80, 'onDataActivity(I)V', () => [3]],
  [
    0x100,
    'onSignalStrengthsChanged(Landroid/telephony/SignalStrength;)V',
    (machine) => [machine.allocate('Landroid/telephony/SignalStrength;')],
  ],
];

const listen: NativeMethod = (machine, _me, listener: HeapObject, events: number) => {
  const app = appOf(machine);
  const key = `phone#${app.numberOf(listener)}`;
  if (events === 0) app.unlisten(key);
  else {
    app.listen(key, {
      kind: 'phone-state',
      fire: () => {
        for (const [bit, signature, args] of phoneEvents) {
          if ((events & bit) !== 0) callIfThere(machine, listener, signature, ...args(machine));
        }
      },
    });
  }
};

/** Newer listeners are told of all that they have a method for. */
const register: NativeMethod = (machine, _me, _executor: Reference, callback: HeapObject) => {
  const app = appOf(machine);
  app.listen(`phone#${app.numberOf(callback)}`, {
    kind: 'phone-state',
    fire: () => {
      for (const state of [1, 2, 0]) callIfThere(machine, callback, 'onCallStateChanged(I)V', state);
      for (const [, signature, args] of phoneEvents) {
        if (isAppMethod(machine, callback, signature)) machine.call(callback, signature, ...args(machine));
      }
    },
  });
};

const cellLocation = (machine: Machine): HeapObject => {
  const location = machine.allocate('Landroid/telephony/gsm/GsmCellLocation;');
  location.taint = machine.source('TAINT_LOCATION', 'TelephonyManager.getCellLocation');
  return location;
};

const telephonyMethods: NativeMethods = {
  ...each(imei('getDeviceId'), 'getDeviceId()Ljava/lang/String;', 'getDeviceId(I)Ljava/lang/String;'),
  ...each(
    imei('getImei'),
    'getImei()Ljava/lang/String;',
    'getImei(I)Ljava/lang/String;',
    'getMeid()Ljava/lang/String;',
  ),
  'getSubscriberId()Ljava/lang/String;': source('TAINT_IMSI', 'getSubscriberId', ({ imsi }) => imsi),
  'getSimSerialNumber()Ljava/lang/String;': source('TAINT_ICCID', 'getSimSerialNumber', ({ iccid }) => iccid),
  'getLine1Number()Ljava/lang/String;': source('TAINT_PHONE_NUMBER', 'getLine1Number', ({ lineNumber }) => lineNumber),
  'getVoiceMailNumber()Ljava/lang/String;': source(
    'TAINT_PHONE_NUMBER',
    'getVoiceMailNumber',
    ({ voiceMailNumber }) => voiceMailNumber,
  ),
  'getVoiceMailAlphaTag()Ljava/lang/String;': always('Mailbox'),
  'getDeviceSoftwareVersion()Ljava/lang/String;': always('51'),
  'getNetworkOperator()Ljava/lang/String;': known(({ networkOperator }) => networkOperator),
  'getNetworkOperatorName()Ljava/lang/String;': known(({ networkOperatorName }) => networkOperatorName),
  'getNetworkCountryIso()Ljava/lang/String;': known(({ networkCountry }) => networkCountry),
  'getSimOperator()Ljava/lang/String;': known(({ networkOperator }) => networkOperator),
  'getSimOperatorName()Ljava/lang/String;': known(({ networkOperatorName }) => networkOperatorName),
  'getSimCountryIso()Ljava/lang/String;': known(({ networkCountry }) => networkCountry),
  ...each(always(5), 'getSimState()I', 'getSimState(I)I'),
  'getPhoneType()I': always(1),
  ...each(always(13), 'getNetworkType()I', 'getDataNetworkType()I', 'getVoiceNetworkType()I'),
  'getDataState()I': always(2),
  'getDataActivity()I': always(3),
  'getCallState()I': no,
  'getPhoneCount()I': always(1),
  'hasIccCard()Z': yes,
  'isNetworkRoaming()Z': no,
  'isSmsCapable()Z': yes,
  'isVoiceCapable()Z': yes,
  'getCellLocation()Landroid/telephony/CellLocation;': cellLocation,
  'getAllCellInfo()Ljava/util/List;': (machine) => listOf(machine, []),
  'getNeighboringCellInfo()Ljava/util/List;': (machine) => listOf(machine, []),
  'listen(!Landroid/telephony/PhoneStateListener;I)V': listen,
  'registerTelephonyCallback(Ljava/util/concurrent/Executor;!Landroid/telephony/TelephonyCallback;)V': register,
  'unregisterTelephonyCallback(!Landroid/telephony/TelephonyCallback;)V': (machine, _me, callback: HeapObject) =>
    appOf(machine).unlisten(`phone#${appOf(machine).numberOf(callback)}`),
  'createForSubscriptionId(I)Landroid/telephony/TelephonyManager;': (_machine, me) => me,
  'silenceRinger()V': nothing,
};

export const telephonyModels: Models = {
  'Landroid/telephony/TelephonyManager;': {
    methods: telephonyMethods,
    staticMethods: {
      'getDefault()Landroid/telephony/TelephonyManager;': (machine) =>
        singleton(machine, 'Landroid/telephony/TelephonyManager;'),
    },
    // Names of an enum's constants, which compilers do not put where they are used.
    constants: Object.fromEntries(
      ['IDLE', 'OFFHOOK', 'RINGING'].map((name) => [`EXTRA_STATE_${name}:Ljava/lang/String;`, name]),
    ),
  },
  'Landroid/telephony/PhoneStateListener;': {
    methods: {
      ...each(nothing, '<init>()V'),
      ...Object.fromEntries(phoneEvents.map(([, signature]) => [signature, nothing])),
    },
  },
  'Landroid/telephony/CellLocation;': { isAbstract: true },
  'Landroid/telephony/gsm/GsmCellLocation;': {
    extends: 'Landroid/telephony/CellLocation;',
    methods: {
      'getCid()I': (machine, me) => {
        machine.setResultTaint(me.taint);
        return worldOf(machine).device.cell.cid;
      },
      'getLac()I': (machine, me) => {
        machine.setResultTaint(me.taint);
        return worldOf(machine).device.cell.lac;
      },
    },
  },
  'Landroid/telephony/SubscriptionManager;': {
    methods: {
      'getActiveSubscriptionInfoList()Ljava/util/List;': (machine) =>
        listOf(machine, [singleton(machine, subscriptionType)]),
      ...each(
        (machine) => singleton(machine, subscriptionType),
        `getActiveSubscriptionInfo(I)${subscriptionType}`,
        `getActiveSubscriptionInfoForSimSlotIndex(I)${subscriptionType}`,
      ),
      ...each(always(1), 'getActiveSubscriptionInfoCount()I', 'getActiveSubscriptionInfoCountMax()I'),
      'getPhoneNumber(I)Ljava/lang/String;': lineNumber('SubscriptionManager.getPhoneNumber'),
    },
    staticMethods: {
      'from(Landroid/content/Context;)Landroid/telephony/SubscriptionManager;': (machine) =>
        singleton(machine, 'Landroid/telephony/SubscriptionManager;'),
      ...each(always(1), 'getDefaultSubscriptionId()I', 'getDefaultSmsSubscriptionId()I'),
    },
  },
  [subscriptionType]: {
    methods: {
      'getNumber()Ljava/lang/String;': lineNumber('SubscriptionInfo.getNumber'),
      'getIccId()Ljava/lang/String;': sourceOf('TAINT_ICCID', 'SubscriptionInfo.getIccId', ({ iccid }) => iccid),
      ...each(
        known(({ networkOperatorName }) => networkOperatorName),
        'getCarrierName()Ljava/lang/CharSequence;',
        'getDisplayName()Ljava/lang/CharSequence;',
      ),
      'getCountryIso()Ljava/lang/String;': known(({ networkCountry }) => networkCountry),
      'getSubscriptionId()I': always(1),
      'getSimSlotIndex()I': always(0),
    },
  },
  'Landroid/telephony/TelephonyCallback;': { methods: each(nothing, '<init>()V') },
  'Landroid/telephony/TelephonyCallback$CallStateListener;': {
    isInterface: true,
    abstractMethods: ['onCallStateChanged(I)V'],
  },
  'Landroid/telephony/PhoneNumberUtils;': {
    pureStatic: {
      'stripSeparators(Ljava/lang/String;)Ljava/lang/String;': (machine, value: Reference) =>
        value === null ? null : machine.string(plain(machine, value).replace(/[^\d*#+,;NpwPW]/g, '')),
      'formatNumber(Ljava/lang/String;)Ljava/lang/String;': (_machine, value: Reference) => value,
    },
    staticMethods: { 'isEmergencyNumber(Ljava/lang/String;)Z': no },
  },
};
