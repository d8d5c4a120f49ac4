// Models of camera, microphone and pictures: what they give is tainted. Knows no view.
import { virtualFiles } from '../java/virtual-files.ts';
import type { HeapObject, JavaArray, Value } from '../machine/heap.ts';
import type { Machine, Models, NativeMethod } from '../machine/model.ts';
import { recorderOf } from '../report/recorder.ts';
import { post } from './activity-life.ts';
import { always, callIfThere, each, flag, listOf, no, nothing, plain, type Reference, yes } from './model-parts.ts';

const picture = (machine: Machine): JavaArray =>
  machine.byteArray(
    Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46]),
    machine.source('TAINT_CAMERA', 'Camera.takePicture'),
  );

const takePicture: NativeMethod = (machine, me: HeapObject, ...callbacks: Reference[]) => {
  recorderOf(machine).event('camera', 'took a picture');
  for (const callback of callbacks) {
    if (callback === null) continue;
    post(machine, 300, callback.cls.name, () => {
      callIfThere(machine, callback, 'onShutter()V');
      callIfThere(machine, callback, 'onPictureTaken([BLandroid/hardware/Camera;)V', picture(machine), me);
    });
  }
};

const preview: NativeMethod = (machine, me: HeapObject, callback: Reference) => {
  if (callback !== null)
    post(machine, 100, callback.cls.name, () =>
      machine.call(callback, 'onPreviewFrame([BLandroid/hardware/Camera;)V', picture(machine), me),
    );
};

/** Bytes that a microphone gives in a millisecond, at 8 kHz and 16 bits. */
const audioRate = 16;

/** Reads as much as is asked for, which takes the time that it sounds. */
const readAudio: NativeMethod = (machine, _me: HeapObject, target: JavaArray, offset: number, length: number) =>
  machine.blockThen(
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

interface RecorderState {
  path: string;
}
const fileOf = (recorder: HeapObject): RecorderState => (recorder.native as RecorderState | undefined) ?? { path: '' };

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

export const mediaModels: Models = {
  'Landroid/graphics/SurfaceTexture;': { methods: each(nothing, '<init>(I)V', 'release()V') },
  'Landroid/hardware/Camera$PictureCallback;': {
    isInterface: true,
    abstractMethods: ['onPictureTaken([BLandroid/hardware/Camera;)V'],
  },
  'Landroid/hardware/Camera;': {
    staticMethods: {
      ...each(
        (machine) => machine.allocate('Landroid/hardware/Camera;'),
        'open()Landroid/hardware/Camera;',
        'open(I)Landroid/hardware/Camera;',
      ),
      'getNumberOfCameras()I': always(2),
      'getCameraInfo(ILandroid/hardware/Camera$CameraInfo;)V': (machine, index: number, info: HeapObject) => {
        machine.setField(info, 'facing', flag(index === 1));
        machine.setField(info, 'orientation', 90);
      },
    },
    methods: {
      ...each(
        takePicture,
        'takePicture(Landroid/hardware/Camera$ShutterCallback;Landroid/hardware/Camera$PictureCallback;Landroid/hardware/Camera$PictureCallback;)V',
        'takePicture(Landroid/hardware/Camera$ShutterCallback;Landroid/hardware/Camera$PictureCallback;Landroid/hardware/Camera$PictureCallback;Landroid/hardware/Camera$PictureCallback;)V',
      ),
      ...each(
        preview,
        'setPreviewCallback(Landroid/hardware/Camera$PreviewCallback;)V',
        'setOneShotPreviewCallback(Landroid/hardware/Camera$PreviewCallback;)V',
      ),
      'getParameters()Landroid/hardware/Camera$Parameters;': (machine) =>
        machine.allocate('Landroid/hardware/Camera$Parameters;'),
      'autoFocus(Landroid/hardware/Camera$AutoFocusCallback;)V': (machine, me: HeapObject, callback: Reference) => {
        if (callback !== null)
          post(machine, 100, callback.cls.name, () =>
            machine.call(callback, 'onAutoFocus(ZLandroid/hardware/Camera;)V', 1, me),
          );
      },
      ...each(
        nothing,
        'setParameters(Landroid/hardware/Camera$Parameters;)V',
        'setPreviewDisplay(Landroid/view/SurfaceHolder;)V',
        'setPreviewTexture(Landroid/graphics/SurfaceTexture;)V',
        'startPreview()V',
        'stopPreview()V',
        'release()V',
        'setDisplayOrientation(I)V',
        'lock()V',
        'unlock()V',
        'reconnect()V',
        'cancelAutoFocus()V',
      ),
    },
  },
  'Landroid/hardware/Camera$CameraInfo;': { fields: ['facing:I', 'orientation:I'], methods: { '<init>()V': nothing } },
  'Landroid/hardware/Camera$Parameters;': {
    methods: {
      ...each(
        (machine) => listOf(machine, []),
        'getSupportedPreviewSizes()Ljava/util/List;',
        'getSupportedPictureSizes()Ljava/util/List;',
        'getSupportedFocusModes()Ljava/util/List;',
        'getSupportedFlashModes()Ljava/util/List;',
      ),
      ...each(
        nothing,
        'setPreviewSize(II)V',
        'setPictureSize(II)V',
        'setPictureFormat(I)V',
        'setFlashMode(Ljava/lang/String;)V',
        'setFocusMode(Ljava/lang/String;)V',
        'setJpegQuality(I)V',
        'setRotation(I)V',
      ),
    },
  },
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
        'setAudioSource(I)V',
        'setVideoSource(I)V',
        'setOutputFormat(I)V',
        'setAudioEncoder(I)V',
        'setVideoEncoder(I)V',
        'setMaxDuration(I)V',
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
      'setOutputFile(Ljava/lang/String;)V': (machine, me: HeapObject, path: Reference) => {
        me.native = { path: plain(machine, path) } satisfies RecorderState;
      },
      'start()V': (machine) => void recorderOf(machine).event('microphone', 'started to record') as undefined,
      'stop()V': (machine, me: HeapObject) => {
        const { path } = fileOf(me);
        const handle = path === '' ? 'none' : virtualFiles(machine).open(machine, path, 'w');
        if (typeof handle !== 'string')
          handle.write(machine, Buffer.from('#!AMR\n'), machine.source('TAINT_MIC', 'MediaRecorder.start'));
      },
      'getMaxAmplitude()I': always(1200),
    },
  },
  'Landroid/media/AudioManager;': {
    methods: {
      ...each(
        nothing,
        'setRingerMode(I)V',
        'setStreamVolume(III)V',
        'setMode(I)V',
        'setSpeakerphoneOn(Z)V',
        'adjustVolume(II)V',
        'setMicrophoneMute(Z)V',
        'setStreamMute(IZ)V',
      ),
      'getRingerMode()I': always(2),
      'getStreamVolume(I)I': always(7),
      'getStreamMaxVolume(I)I': always(15),
      'getMode()I': no,
      'isMusicActive()Z': no,
      'isSpeakerphoneOn()Z': no,
      'isWiredHeadsetOn()Z': no,
      'requestAudioFocus(Landroid/media/AudioManager$OnAudioFocusChangeListener;II)I': yes,
    },
  },
  'Landroid/graphics/Bitmap;': {
    implements: ['Landroid/os/Parcelable;'],
    methods: {
      'getWidth()I': always(64),
      'getHeight()I': always(64),
      'isRecycled()Z': no,
      'recycle()V': nothing,
      'compress(Landroid/graphics/Bitmap$CompressFormat;ILjava/io/OutputStream;)Z': (
        machine,
        me: HeapObject,
        _format: Reference,
        _quality: number,
        stream: HeapObject,
      ) => {
        machine.call(stream, 'write([B)V', machine.byteArray(Buffer.from('\u0089PNG', 'latin1'), me.taint));
        return 1;
      },
      'getPixel(II)I': no,
      'eraseColor(I)V': nothing,
      'copy(Landroid/graphics/Bitmap$Config;Z)Landroid/graphics/Bitmap;': (_machine, me: HeapObject) => me,
    },
    staticMethods: each(
      newBitmap,
      'createBitmap(IILandroid/graphics/Bitmap$Config;)Landroid/graphics/Bitmap;',
      'createBitmap(Landroid/graphics/Bitmap;)Landroid/graphics/Bitmap;',
      'createBitmap(Landroid/graphics/Bitmap;IIII)Landroid/graphics/Bitmap;',
      'createScaledBitmap(Landroid/graphics/Bitmap;IIZ)Landroid/graphics/Bitmap;',
      'createBitmap(Landroid/graphics/Bitmap;IIIILandroid/graphics/Matrix;Z)Landroid/graphics/Bitmap;',
    ),
  },
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
  'Landroid/speech/tts/TextToSpeech;': { methods: { 'speak(Ljava/lang/String;ILjava/util/HashMap;)I': no } },
};
