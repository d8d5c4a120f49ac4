// Model of MediaPlayer: what is played lasts three minutes of the virtual clock, unless it is stopped. Nothing sounds.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { post } from '../components/activity-life.ts';
import { always, callIfThere, each, flag, nothing, type Reference, sideState } from '../model-parts.ts';

const player = 'Landroid/media/MediaPlayer;';
const lengthInMilliseconds = 180_000;
const listenerKinds = [
  'Prepared',
  'Completion',
  'BufferingUpdate',
  'Error',
  'Info',
  'SeekComplete',
  'VideoSizeChanged',
] as const;

interface PlayerState {
  readonly listeners: Map<string, Reference>;
  isPlaying: boolean;
  /** Milliseconds into what is played, and the time of the clock at which it was there. */
  position: number;
  since: number;
  /** Raised by whatever makes a coming end untrue. */
  turn: number;
  isLooping: boolean;
}

const playerOf = (machine: Machine, me: HeapObject): PlayerState =>
  sideState<PlayerState>(machine, 'media-player', me, () => ({
    ...{ listeners: new Map(), isPlaying: false, position: 0 },
    ...{ since: 0, turn: 0, isLooping: false },
  }));

function tell(
  machine: Machine,
  me: HeapObject,
  kind: (typeof listenerKinds)[number],
  rest: readonly number[] = [],
): void {
  const listener = playerOf(machine, me).listeners.get(kind) ?? null;
  if (listener !== null) callIfThere(machine, listener, `on${kind}(${player}${'I'.repeat(rest.length)})V`, me, ...rest);
}

function positionOf(machine: Machine, me: HeapObject): number {
  const { isPlaying, position, since } = playerOf(machine, me);
  return Math.min(lengthInMilliseconds, position + (isPlaying ? Math.round(machine.clock.elapsed - since) : 0));
}

/** Stands still, at a position. */
function halt(machine: Machine, me: HeapObject, position: number): void {
  const state = playerOf(machine, me);
  Object.assign(state, { isPlaying: false, position, turn: state.turn + 1 });
}

const start: NativeMethod = (machine, me) => {
  const state = playerOf(machine, me);
  if (state.isPlaying) return;
  const position = state.position >= lengthInMilliseconds ? 0 : state.position;
  const turn = state.turn + 1;
  Object.assign(state, { isPlaying: true, position, turn, since: machine.clock.elapsed });
  post(machine, lengthInMilliseconds - position, me.cls.name, () => {
    if (state.turn !== turn || state.isLooping) return;
    halt(machine, me, lengthInMilliseconds);
    tell(machine, me, 'Completion');
  });
};

const prepare: NativeMethod = (machine, me) => {
  post(machine, 50, me.cls.name, () => {
    tell(machine, me, 'BufferingUpdate', [100]);
    tell(machine, me, 'VideoSizeChanged', [640, 360]);
    tell(machine, me, 'Prepared');
  });
};

const seek: NativeMethod = (machine, me, to: number | bigint) => {
  const state = playerOf(machine, me);
  const { isPlaying } = state;
  halt(machine, me, Math.max(0, Math.min(lengthInMilliseconds, Number(to))));
  if (isPlaying) start(machine, me);
  post(machine, 20, me.cls.name, () => tell(machine, me, 'SeekComplete'));
};

const methods: NativeMethods = {
  '<init>()V': nothing,
  'start()V': start,
  'pause()V': (machine, me) => halt(machine, me, positionOf(machine, me)),
  ...each((machine, me) => halt(machine, me, 0), 'stop()V', 'reset()V', 'release()V'),
  ...each(prepare, 'prepare()V', 'prepareAsync()V'),
  ...each(seek, 'seekTo(I)V', 'seekTo(JI)V'),
  'isPlaying()Z': (machine, me) => flag(playerOf(machine, me).isPlaying),
  'getCurrentPosition()I': (machine, me) => positionOf(machine, me),
  'getDuration()I': always(lengthInMilliseconds),
  'getVideoWidth()I': always(640),
  'getVideoHeight()I': always(360),
  'getAudioSessionId()I': always(1),
  'isLooping()Z': (machine, me) => flag(playerOf(machine, me).isLooping),
  'setLooping(Z)V': (machine, me, isLooping: number) => {
    playerOf(machine, me).isLooping = isLooping !== 0;
  },
  ...Object.fromEntries(
    listenerKinds.map((kind): [string, NativeMethod] => [
      `setOn${kind}Listener(Landroid/media/MediaPlayer$On${kind}Listener;)V`,
      (machine, me, listener: Reference) => {
        playerOf(machine, me).listeners.set(kind, listener);
      },
    ]),
  ),
  ...each(
    nothing,
    'setDataSource(Ljava/lang/String;)V',
    'setDataSource(Landroid/content/Context;Landroid/net/Uri;)V',
    'setDataSource(Landroid/content/Context;Landroid/net/Uri;Ljava/util/Map;)V',
    'setDataSource(Ljava/io/FileDescriptor;)V',
    'setDataSource(Ljava/io/FileDescriptor;JJ)V',
    'setDataSource(Landroid/content/res/AssetFileDescriptor;)V',
    'setAudioStreamType(I)V',
    'setAudioAttributes(Landroid/media/AudioAttributes;)V',
    'setVolume(FF)V',
    'setWakeMode(Landroid/content/Context;I)V',
    'setScreenOnWhilePlaying(Z)V',
    'setDisplay(Landroid/view/SurfaceHolder;)V',
    'setSurface(Landroid/view/Surface;)V',
    'setVideoScalingMode(I)V',
  ),
};

export const mediaPlayerModels: Models = {
  [player]: {
    methods,
    staticMethods: Object.fromEntries(
      ['Landroid/content/Context;I', 'Landroid/content/Context;Landroid/net/Uri;'].map((parameters) => [
        `create(${parameters})${player}`,
        (machine: Machine) => machine.construct(player, '<init>()V'),
      ]),
    ),
  },
};
