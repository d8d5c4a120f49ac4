// Models of RemoteInput and of the answers that other apps' notifications take: worms answer messages with their own link.
// Knows no listener.
import type { HeapObject, JavaArray, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod } from '../../machine/model.ts';
import { recorderOf } from '../../report/recorder.ts';
import { type BundleState, boxed, bundleOf, bundleTaint, newBundle } from '../components/bundle.ts';
import { intentOf } from '../components/intent-state.ts';
import { each, plain, type Reference, self, sideState, stateOf, yes } from '../model-parts.ts';

const inputType = 'Landroid/app/RemoteInput;';
const builderType = 'Landroid/app/RemoteInput$Builder;';
const actionType = 'Landroid/app/Notification$Action;';
const replyType = 'Landroid/app/NotificationReplyIntent;';
const intentType = 'Landroid/content/Intent;';
const S = 'Ljava/lang/String;';

/** Key of the reply's texts in an intent; Android keeps them in its clip data. */
const resultsKey = 'android.remoteinput.results';

interface InputState {
  key: string;
}

const inputOf = (input: HeapObject): InputState => stateOf<InputState>(input, () => ({ key: '' }));

const newInput = (machine: Machine, key: string): HeapObject => {
  const input = machine.allocate(inputType);
  input.native = { key } satisfies InputState;
  return input;
};

/** The app whose notification is answered, by its pending intent. */
const receiverOf = (machine: Machine, reply: HeapObject): { packageName: string } =>
  sideState(machine, 'replies', reply, () => ({ packageName: '' }));

/** The action by which a notification of another app can be answered. */
export function newReplyAction(machine: Machine, packageName: string): HeapObject {
  const intent = machine.allocate(replyType);
  receiverOf(machine, intent).packageName = packageName;
  const action = machine.allocate(actionType);
  action.native = machine.objectArray(inputType, [newInput(machine, 'quick_reply')]);
  machine.setField(action, 'title', machine.string('Antworten'));
  machine.setField(action, 'actionIntent', intent);
  return action;
}

const resultsOf = (intent: HeapObject): BundleState => {
  const kept = intentOf(intent).extras.get(resultsKey)?.value;
  return kept !== null && typeof kept === 'object' ? bundleOf(kept as HeapObject) : new Map();
};

const sendReply: NativeMethod = (machine, me, ...args: Value[]) => {
  const { packageName } = receiverOf(machine, me);
  const fill = args.find((arg) => arg !== null && typeof arg === 'object' && arg.cls.descriptor === intentType);
  const results: BundleState = fill === undefined ? new Map() : resultsOf(fill as HeapObject);
  const texts = [...results.values()].map((kept) => plain(machine, boxed(machine, kept)));
  const recorder = recorderOf(machine);
  recorder.event('notification', `answered the notification of ${packageName}: ${texts.join(' ')}`);
  recorder.leak('notification', 'PendingIntent.send', packageName, bundleTaint(machine, results));
};

const handlers = 'Landroid/app/PendingIntent$OnFinished;Landroid/os/Handler;';

export const remoteReplyModels: Models = {
  [inputType]: {
    implements: ['Landroid/os/Parcelable;'],
    methods: {
      [`getResultKey()${S}`]: (machine, me) => machine.string(inputOf(me).key),
      'getLabel()Ljava/lang/CharSequence;': (machine) => machine.string('Antworten'),
      'getAllowFreeFormInput()Z': yes,
    },
    staticMethods: {
      [`addResultsToIntent([${inputType}!${intentType}!Landroid/os/Bundle;)V`]: (
        machine,
        _inputs: JavaArray,
        intent: HeapObject,
        results: HeapObject,
      ) => {
        const value = newBundle(machine, new Map(bundleOf(results)));
        intentOf(intent).extras.set(resultsKey, { kind: 'L', value, taint: 0 });
      },
      [`getResultsFromIntent(!${intentType})Landroid/os/Bundle;`]: (machine, intent: HeapObject) => {
        const results = resultsOf(intent);
        return results.size === 0 ? null : newBundle(machine, results);
      },
    },
  },
  [builderType]: {
    methods: {
      [`<init>(${S})V`]: (machine, me, key: Reference) => {
        inputOf(me).key = plain(machine, key);
      },
      [`setLabel(Ljava/lang/CharSequence;)${builderType}`]: self,
      [`build()${inputType}`]: (machine, me) => newInput(machine, inputOf(me).key),
    },
  },
  [replyType]: {
    extends: 'Landroid/app/PendingIntent;',
    methods: each(
      sendReply,
      'send()V',
      'send(I)V',
      `send(Landroid/content/Context;I${intentType})V`,
      `send(Landroid/content/Context;I${intentType}${handlers})V`,
      `send(Landroid/content/Context;I${intentType}${handlers}${S})V`,
    ),
  },
};
