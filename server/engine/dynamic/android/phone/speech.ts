// Models of speech: what is read out is begun and done at once. Nothing sounds.
import type { HeapObject, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod } from '../../machine/model.ts';
import { post } from '../components/activity-life.ts';
import { always, callIfThere, each, no, nothing, plain, type Reference, stateOf } from '../model-parts.ts';

const S = 'Ljava/lang/String;';
const listenerTypes = {
  init: 'Landroid/speech/tts/TextToSpeech$OnInitListener;',
  progress: 'Landroid/speech/tts/UtteranceProgressListener;',
  completed: 'Landroid/speech/tts/TextToSpeech$OnUtteranceCompletedListener;',
};

interface SpeechState {
  progress: Reference;
  completed: Reference;
}

const speechOf = (speech: HeapObject): SpeechState =>
  stateOf<SpeechState>(speech, () => ({ progress: null, completed: null }));

const begin: NativeMethod = (machine, _me, _context: Reference, listener: Reference) => {
  if (listener !== null) post(machine, 0, listener.cls.name, () => callIfThere(machine, listener, 'onInit(I)V', 0));
};

/** The name under which a text's progress is told: the last argument, or an entry of the older table. */
function nameOf(machine: Machine, last: Value): string {
  if (last === null || typeof last !== 'object') return '';
  if (!machine.isInstance(last, 'Ljava/util/Map;')) return plain(machine, last);
  const key = machine.string('utteranceId');
  return plain(machine, machine.call(last, 'get(Ljava/lang/Object;)Ljava/lang/Object;', key) as Reference);
}

/** Only a text with a name has its progress told. */
const speak: NativeMethod = (machine, me, ...args: Value[]) => {
  const { progress, completed } = speechOf(me);
  const name = nameOf(machine, args.at(-1) ?? null);
  if (name === '') return 0;
  const tell = (listener: Reference, method: string) => {
    if (listener === null) return;
    post(machine, 0, listener.cls.name, () => callIfThere(machine, listener, `${method}(${S})V`, machine.string(name)));
  };
  tell(progress, 'onStart');
  tell(progress, 'onDone');
  tell(completed, 'onUtteranceCompleted');
  return 0;
};

export const speechModels: Models = {
  [listenerTypes.init]: { isInterface: true, abstractMethods: ['onInit(I)V'] },
  [listenerTypes.completed]: { isInterface: true, abstractMethods: [`onUtteranceCompleted(${S})V`] },
  [listenerTypes.progress]: {
    methods: each(nothing, '<init>()V', `onError(${S}I)V`, `onStop(${S}Z)V`, `onRangeStart(${S}III)V`),
    abstractMethods: [`onStart(${S})V`, `onDone(${S})V`, `onError(${S})V`],
  },
  'Landroid/speech/tts/TextToSpeech;': {
    methods: {
      ...each(
        begin,
        `<init>(Landroid/content/Context;${listenerTypes.init})V`,
        `<init>(Landroid/content/Context;${listenerTypes.init}${S})V`,
      ),
      ...each(
        speak,
        `speak(${S}ILjava/util/HashMap;)I`,
        `speak(Ljava/lang/CharSequence;ILandroid/os/Bundle;${S})I`,
        `synthesizeToFile(${S}Ljava/util/HashMap;${S})I`,
        `synthesizeToFile(Ljava/lang/CharSequence;Landroid/os/Bundle;Ljava/io/File;${S})I`,
      ),
      [`setOnUtteranceProgressListener(${listenerTypes.progress})I`]: (_machine, me, listener: Reference) => {
        speechOf(me).progress = listener;
        return 0;
      },
      [`setOnUtteranceCompletedListener(${listenerTypes.completed})I`]: (_machine, me, listener: Reference) => {
        speechOf(me).completed = listener;
        return 0;
      },
      ...each(always(1), 'setLanguage(Ljava/util/Locale;)I', 'isLanguageAvailable(Ljava/util/Locale;)I'),
      ...each(no, 'stop()I', 'isSpeaking()Z', 'setPitch(F)I', 'setSpeechRate(F)I'),
      'shutdown()V': nothing,
    },
  },
};
