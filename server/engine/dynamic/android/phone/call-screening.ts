// Models of CallScreeningService, which decides on calls that come in, and of requests by USSD. Knows no call.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, Models } from '../../machine/model.ts';
import { recorderOf, sinkTaint } from '../../report/recorder.ts';
import { post } from '../components/activity-life.ts';
import { newUri } from '../data/uri.ts';
import { each, nothing, plain, type Reference, self, stateOf } from '../model-parts.ts';

const S = 'Ljava/lang/String;';
const serviceType = 'Landroid/telecom/CallScreeningService;';
const responseType = 'Landroid/telecom/CallScreeningService$CallResponse;';
const builderType = 'Landroid/telecom/CallScreeningService$CallResponse$Builder;';
const detailsType = 'Landroid/telecom/Call$Details;';
const phoneType = 'Landroid/telephony/TelephonyManager;';
const ussdType = 'Landroid/telephony/TelephonyManager$UssdResponseCallback;';

/** A call that comes in, as the system shows it. */
export function newCallDetails(machine: Machine, number: string): HeapObject {
  const details = machine.allocate(detailsType);
  details.native = newUri(machine, `tel:${number}`, machine.source('TAINT_PHONE_NUMBER', 'Call.Details.getHandle'));
  return details;
}

/** The network's answers to USSD requests. */
const ussdAnswer = 'Ihr Guthaben betraegt 14,20 EUR.';

interface Verdict {
  isDisallowed: boolean;
}

const verdictOf = (object: HeapObject): Verdict => stateOf<Verdict>(object, () => ({ isDisallowed: false }));
const disallow = (_machine: Machine, me: HeapObject, isDisallowed: number): HeapObject => {
  verdictOf(me).isDisallowed ||= isDisallowed !== 0;
  return me;
};

export const callScreeningModels: Models = {
  [serviceType]: {
    extends: 'Landroid/app/Service;',
    methods: {
      'onBind(Landroid/content/Intent;)Landroid/os/IBinder;': () => null,
      [`onScreenCall(${detailsType})V`]: nothing,
      [`respondToCall(${detailsType}!${responseType})V`]: (machine, _me, _details, response: HeapObject) => {
        if (verdictOf(response).isDisallowed) recorderOf(machine).event('call', 'refused a call that came in');
      },
    },
  },
  [responseType]: {},
  [builderType]: {
    methods: {
      '<init>()V': nothing,
      [`setDisallowCall(Z)${builderType}`]: disallow,
      [`setRejectCall(Z)${builderType}`]: disallow,
      ...each(
        self,
        `setSkipCallLog(Z)${builderType}`,
        `setSkipNotification(Z)${builderType}`,
        `setSilenceCall(Z)${builderType}`,
      ),
      [`build()${responseType}`]: (machine, me) => {
        const response = machine.allocate(responseType);
        verdictOf(response).isDisallowed = verdictOf(me).isDisallowed;
        return response;
      },
    },
  },
  [detailsType]: {
    methods: {
      'getHandle()Landroid/net/Uri;': (_machine, me) => (me.native as Reference | undefined) ?? null,
    },
  },
  [phoneType]: {
    methods: {
      [`sendUssdRequest(${S}${ussdType}Landroid/os/Handler;)V`]: (
        machine,
        me,
        request: Reference,
        callback: Reference,
      ) => {
        recorderOf(machine).phoneCall(plain(machine, request), sinkTaint(machine, request));
        if (callback === null) return;
        const answered = `onReceiveUssdResponse(${phoneType}${S}Ljava/lang/CharSequence;)V`;
        post(machine, 500, callback.cls.name, () => {
          machine.call(callback, answered, me, request, machine.string(ussdAnswer));
        });
      },
    },
  },
  [ussdType]: {
    methods: each(
      nothing,
      '<init>()V',
      `onReceiveUssdResponse(${phoneType}${S}Ljava/lang/CharSequence;)V`,
      `onReceiveUssdResponseFailed(${phoneType}${S}I)V`,
    ),
  },
};
