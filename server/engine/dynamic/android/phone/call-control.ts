// Models of what ends, takes and places calls by itself: the interface hidden from apps, and TelecomManager. Knows no call.
import type { HeapObject } from '../../machine/heap.ts';
import type { Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { recorderOf, sinkTaint } from '../../report/recorder.ts';
import { decoded, uriText } from '../data/uri.ts';
import { each, no, nothing, plain, type Reference } from '../model-parts.ts';
import { singleton } from './system-services.ts';

const S = 'Ljava/lang/String;';
const interfaceType = 'Lcom/android/internal/telephony/ITelephony;';
/** The system's implementation; apps bundle copies of the interface, but none of this class. */
const implementationType = 'Lcom/android/phone/PhoneInterfaceManager;';

const done =
  (what: string): NativeMethod =>
  (machine) => {
    recorderOf(machine).event('call', what);
    return 1;
  };

const endCall = done('ended a call');
const silence: NativeMethod = (machine) => {
  recorderOf(machine).event('call', 'silenced the ringing');
};
const answer: NativeMethod = (machine) => {
  recorderOf(machine).event('call', 'took a call');
};

const telephonyMethods: NativeMethods = {
  'endCall()Z': endCall,
  'silenceRinger()V': silence,
  'answerRingingCall()V': answer,
  [`call(${S}${S})V`]: (machine, _me, _caller: Reference, number: Reference) =>
    recorderOf(machine).phoneCall(plain(machine, number), sinkTaint(machine, number)),
  [`dial(${S})V`]: nothing,
  'cancelMissedCallsNotification()V': done('took the notice of missed calls away'),
  ...each(no, 'isRinging()Z', 'isOffhook()Z'),
};

export const callControlModels: Models = {
  'Landroid/telephony/TelephonyManager;': {
    methods: {
      [`getITelephony()${interfaceType}`]: (machine) => singleton(machine, implementationType),
      'endCall()Z': endCall,
    },
  },
  [interfaceType]: { isInterface: true, abstractMethods: Object.keys(telephonyMethods) },
  [implementationType]: { implements: [interfaceType], methods: telephonyMethods },
  'Landroid/telecom/TelecomManager;': {
    methods: {
      'endCall()Z': endCall,
      'silenceRinger()V': silence,
      'acceptRingingCall()V': answer,
      'isInCall()Z': no,
      [`getDefaultDialerPackage()${S}`]: (machine) => machine.string('com.samsung.android.dialer'),
      'placeCall(Landroid/net/Uri;Landroid/os/Bundle;)V': (machine, _me, uri: HeapObject) =>
        recorderOf(machine).phoneCall(decoded(uriText(uri).replace(/^tel:/, '')), sinkTaint(machine, uri)),
    },
  },
};
