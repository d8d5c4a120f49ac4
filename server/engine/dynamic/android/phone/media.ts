// Models of microphone, recorder and pictures: what they give is tainted. Knows no view and no camera.
import type { ByteOutput } from '../../java/io/byte-output.ts';
import { enumModel } from '../../java/lang/enum.ts';
import { HeapObject, type JavaArray, type Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod } from '../../machine/model.ts';
import { virtualFiles } from '../../machine/virtual-files.ts';
import { recorderOf } from '../../report/recorder.ts';
import { appOf } from '../components/app.ts';
import { always, callIfThere, each, no, nothing, plain, type Reference, stateOf } from '../model-parts.ts';
import { drawnFor, newSurface } from './surfaces.ts';

/** Bytes that a microphone gives in a millisecond, at 8 kHz and 16 bits. */
const audioRate = 16;

const focusListener = 'Landroid/media/AudioManager$OnAudioFocusChangeListener;';
/** A call comes and ends, a message is read out, another player starts: `AudioManager.AUDIOFOCUS_…` */
const focusChanges = [-2, 1, -3, 1, -1] as const;

/** AudioRecord.ERROR_BAD_VALUE. */
const badValue = -2;

/** Reads as much as is asked for, which takes the time that it sounds. */
const readAudio: NativeMethod = (machine, _me, target: JavaArray | null, offset: number, length: number) =>
  target === null
    ? badValue
    : machine.blockThen(
        () => false,
        Math.max(0, length) / audioRate,
        () => fillAudio(machine, target, offset, length),
      );

function fillAudio(machine: Machine, target: JavaArray, offset: number, length: number): number {
  const elements = target.elements as Int8Array;
  const taint = machine.source('TAINT_MIC', 'AudioRecord.read');
  target.elementTaints ??= Array.from(elements, () => 0);
  const end = Math.min(elements.length, offset + length);
  for (let index = offset; index < end; index++) {
    elements[index] = (index * 37) & 0x7f;
    target.elementTaints[index] = taint;
  }
  return Math.max(0, end - offset);
}

/** By AudioManager's numbers. */
const ringerModes = ['silent', 'to vibrate', 'to ring'];
const ringerOf = (manager: HeapObject): { mode: number } => stateOf(manager, () => ({ mode: 2 }));

interface RecorderState {
  /** What the recording is written to when it ends; null where that cannot be. */
  open: () => ByteOutput | null;
  /** Of sound, and of the camera where it is not by way of a surface. */
  readonly sources: Set<'TAINT_MIC' | 'TAINT_CAMERA'>;
}

const recordingOf = (recorder: HeapObject): RecorderState =>
  stateOf<RecorderState>(recorder, () => ({ open: () => null, sources: new Set() }));

function fileOutput(machine: Machine, path: string): ByteOutput | null {
  const handle = virtualFiles(machine).open(machine, path, 'w');
  return typeof handle === 'string' ? null : { write: (data, taint) => void handle.write(machine, data, taint) };
}

/** `MediaRecorder.VideoSource.CAMERA`; else it is a surface. */
const cameraSource = 1;

function startRecording(machine: Machine, me: HeapObject): undefined {
  const { sources } = recordingOf(me);
  if (sources.has('TAINT_CAMERA')) recorderOf(machine).event('camera', 'started to record');
  if (sources.has('TAINT_MIC')) recorderOf(machine).event('microphone', 'started to record');
}

function endRecording(machine: Machine, me: HeapObject): undefined {
  const { open, sources } = recordingOf(me);
  const drawn = drawnFor(machine, me);
  let taint = drawn === undefined ? 0 : machine.source(drawn.tag, drawn.api);
  for (const tag of sources) taint = machine.union(taint, machine.source(tag, 'MediaRecorder.start'));
  open()?.write(Buffer.from('#!AMR\n'), taint, machine);
}

const configType = 'Landroid/graphics/Bitmap$Config;';
const formatType = 'Landroid/graphics/Bitmap$CompressFormat;';

interface BitmapState {
  readonly width: number;
  readonly height: number;
}

const newBitmap: NativeMethod = (machine, ...args: Value[]) => {
  const bitmap = machine.allocate('Landroid/graphics/Bitmap;');
  bitmap.native = { width: 64, height: 64 } satisfies BitmapState;
  for (const arg of args)
    if (arg !== null && typeof arg === 'object')
      bitmap.taint = machine.union(bitmap.taint, machine.deepTaint(arg as HeapObject));
  return bitmap;
};

/** What pixels come from is in the picture. */
const drawnInto: NativeMethod = (machine, me, from: Value) => {
  const taint = from instanceof HeapObject ? machine.deepTaint(from) : machine.argumentTaint(3);
  me.taint = machine.union(me.taint, taint);
};

export const mediaModels: Models = {
  'Landroid/media/AudioRecord;': {
    methods: {
      '<init>(IIIII)V': nothing,
      ...each(nothing, 'startRecording()V', 'stop()V', 'release()V'),
      'getState()I': always(1),
      'getRecordingState()I': always(3),
      ...each(readAudio, 'read([BII)I', 'read([SII)I', 'read([BIII)I', 'read([SIII)I'),
    },
    staticMethods: { 'getMinBufferSize(III)I': always(1280) },
  },
  'Landroid/media/MediaRecorder;': {
    methods: {
      ...each(
        nothing,
        '<init>()V',
        'setOutputFormat(I)V',
        'setAudioEncoder(I)V',
        'setVideoEncoder(I)V',
        'setMaxDuration(I)V',
        'setVideoSize(II)V',
        'setVideoFrameRate(I)V',
        'setVideoEncodingBitRate(I)V',
        'setOrientationHint(I)V',
        'setMaxFileSize(J)V',
        'setAudioEncodingBitRate(I)V',
        'setAudioSamplingRate(I)V',
        'setAudioChannels(I)V',
        'setPreviewDisplay(Landroid/view/Surface;)V',
        'setCamera(Landroid/hardware/Camera;)V',
        'prepare()V',
        'reset()V',
        'release()V',
        'setOnErrorListener(Landroid/media/MediaRecorder$OnErrorListener;)V',
        'setOnInfoListener(Landroid/media/MediaRecorder$OnInfoListener;)V',
      ),
      'setAudioSource(I)V': (_machine, me) => {
        recordingOf(me).sources.add('TAINT_MIC');
      },
      'setVideoSource(I)V': (_machine, me, source: number) => {
        if (source === cameraSource) recordingOf(me).sources.add('TAINT_CAMERA');
      },
      'setOutputFile(Ljava/lang/String;)V': (machine, me, path: Reference) => {
        const name = plain(machine, path);
        recordingOf(me).open = () => fileOutput(machine, name);
      },
      'setOutputFile(Ljava/io/File;)V': (machine, me, file: HeapObject) => {
        const name = machine.toText(file).text;
        recordingOf(me).open = () => fileOutput(machine, name);
      },
      'setOutputFile(!Ljava/io/FileDescriptor;)V': (_machine, me, descriptor: HeapObject) => {
        recordingOf(me).open = () => (descriptor.native as ByteOutput | undefined) ?? null;
      },
      'getSurface()Landroid/view/Surface;': newSurface,
      'start()V': startRecording,
      'stop()V': endRecording,
      'getMaxAmplitude()I': always(1200),
    },
  },
  'Landroid/media/AudioManager;': {
    methods: {
      ...each(
        nothing,
        'setStreamVolume(III)V',
        'adjustStreamVolume(III)V',
        'setMode(I)V',
        'setSpeakerphoneOn(Z)V',
        'adjustVolume(II)V',
        'setMicrophoneMute(Z)V',
        'setStreamMute(IZ)V',
      ),
      'setRingerMode(I)V': (machine, me, mode: number) => {
        ringerOf(me).mode = mode;
        recorderOf(machine).event('sound', `set the ringer ${ringerModes[mode] ?? mode}`);
      },
      'getRingerMode()I': (_machine, me) => ringerOf(me).mode,
      'getStreamVolume(I)I': always(7),
      'getStreamMaxVolume(I)I': always(15),
      'getMode()I': no,
      'isMusicActive()Z': no,
      'isSpeakerphoneOn()Z': no,
      'isWiredHeadsetOn()Z': no,
      [`requestAudioFocus(${focusListener}II)I`]: (machine, _me, listener: Reference) => {
        if (listener === null) return 1;
        const app = appOf(machine);
        const tell = (change: number) => callIfThere(machine, listener, 'onAudioFocusChange(I)V', change);
        const fire = () => focusChanges.forEach(tell);
        app.listen(`focus#${app.numberOf(listener)}`, { kind: 'audio-focus', like: listener.cls.name, fire });
        return 1;
      },
      [`abandonAudioFocus(${focusListener})I`]: (machine, _me, listener: Reference) => {
        if (listener !== null) appOf(machine).unlisten(`focus#${appOf(machine).numberOf(listener)}`);
        return 1;
      },
    },
  },
  'Landroid/graphics/Bitmap;': {
    implements: ['Landroid/os/Parcelable;'],
    methods: {
      'getWidth()I': always(64),
      'getHeight()I': always(64),
      'isRecycled()Z': no,
      'recycle()V': nothing,
      'compress(Landroid/graphics/Bitmap$CompressFormat;I!Ljava/io/OutputStream;)Z': (
        machine,
        me,
        _format: Reference,
        _quality: number,
        stream: HeapObject,
      ) => {
        machine.call(stream, 'write([B)V', machine.byteArray(Buffer.from('\u0089PNG', 'latin1'), me.taint));
        return 1;
      },
      'getPixel(II)I': no,
      'eraseColor(I)V': nothing,
      ...each(drawnInto, 'copyPixelsFromBuffer(Ljava/nio/Buffer;)V', 'setPixels([IIIIIII)V', 'setPixel(III)V'),
      'copy(Landroid/graphics/Bitmap$Config;Z)Landroid/graphics/Bitmap;': (_machine, me) => me,
    },
    staticMethods: each(
      newBitmap,
      'createBitmap(IILandroid/graphics/Bitmap$Config;)Landroid/graphics/Bitmap;',
      'createBitmap([IIILandroid/graphics/Bitmap$Config;)Landroid/graphics/Bitmap;',
      'wrapHardwareBuffer(Landroid/hardware/HardwareBuffer;Landroid/graphics/ColorSpace;)Landroid/graphics/Bitmap;',
      'createBitmap(Landroid/graphics/Bitmap;)Landroid/graphics/Bitmap;',
      'createBitmap(Landroid/graphics/Bitmap;IIII)Landroid/graphics/Bitmap;',
      'createScaledBitmap(Landroid/graphics/Bitmap;IIZ)Landroid/graphics/Bitmap;',
      'createBitmap(Landroid/graphics/Bitmap;IIIILandroid/graphics/Matrix;Z)Landroid/graphics/Bitmap;',
    ),
  },
  [configType]: enumModel(configType, ['ALPHA_8', 'RGB_565', 'ARGB_4444', 'ARGB_8888', 'RGBA_F16', 'HARDWARE']),
  [formatType]: enumModel(formatType, ['JPEG', 'PNG', 'WEBP', 'WEBP_LOSSY', 'WEBP_LOSSLESS']),
  'Landroid/graphics/BitmapFactory;': {
    staticMethods: each(
      newBitmap,
      'decodeByteArray([BII)Landroid/graphics/Bitmap;',
      'decodeByteArray([BIILandroid/graphics/BitmapFactory$Options;)Landroid/graphics/Bitmap;',
      'decodeStream(Ljava/io/InputStream;)Landroid/graphics/Bitmap;',
      'decodeResource(Landroid/content/res/Resources;I)Landroid/graphics/Bitmap;',
      'decodeFile(Ljava/lang/String;)Landroid/graphics/Bitmap;',
      'decodeFile(Ljava/lang/String;Landroid/graphics/BitmapFactory$Options;)Landroid/graphics/Bitmap;',
    ),
  },
};
