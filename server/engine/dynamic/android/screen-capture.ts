// Models of recording the screen: the owner's consent, the projection, and the pictures that readers get of it.
import type { HeapObject, Value } from '../machine/heap.ts';
import type { Machine, Models } from '../machine/model.ts';
import { recorderOf } from '../report/recorder.ts';
import { post } from './activity-life.ts';
import { newIntent } from './intent-state.ts';
import { each, nothing, type Reference, stateOf } from './model-parts.ts';

const projectionType = 'Landroid/media/projection/MediaProjection;';
const displayType = 'Landroid/hardware/display/VirtualDisplay;';
const readerType = 'Landroid/media/ImageReader;';
const imageType = 'Landroid/media/Image;';
const planeType = 'Landroid/media/Image$Plane;';
const surfaceType = 'Landroid/view/Surface;';

interface ReaderState {
  listener: Reference;
  /** Whether something draws on its surface. */
  isFed: boolean;
}

const readerOf = (reader: HeapObject): ReaderState =>
  stateOf<ReaderState>(reader, () => ({ listener: null, isFed: false }));

/** The first picture comes once there is somebody to draw and somebody to look. */
function tellOfImage(machine: Machine, reader: HeapObject): void {
  const { listener, isFed } = readerOf(reader);
  if (listener === null || !isFed) return;
  post(machine, 200, listener.cls.name, () => machine.call(listener, `onImageAvailable(${readerType})V`, reader));
}

const pixels = (machine: Machine): Value =>
  machine.callStatic(
    'Ljava/nio/ByteBuffer;',
    'wrap([B)Ljava/nio/ByteBuffer;',
    machine.byteArray(Buffer.alloc(64, 0x7f), machine.source('TAINT_SCREEN', 'ImageReader.acquireLatestImage')),
  );

export const screenCaptureModels: Models = {
  'Landroid/media/projection/MediaProjectionManager;': {
    methods: {
      'createScreenCaptureIntent()Landroid/content/Intent;': (machine) =>
        newIntent(machine, {
          component: {
            packageName: 'com.android.systemui',
            className: 'com.android.systemui.media.MediaProjectionPermissionActivity',
            taint: 0,
          },
        }),
      [`getMediaProjection(ILandroid/content/Intent;)${projectionType}`]: (machine) => machine.allocate(projectionType),
    },
  },
  [projectionType]: {
    methods: {
      [`createVirtualDisplay(Ljava/lang/String;IIII${surfaceType}Landroid/hardware/display/VirtualDisplay$Callback;Landroid/os/Handler;)${displayType}`]:
        (machine, _me: HeapObject, ...args: Value[]) => {
          recorderOf(machine).event('screen', 'recorded the screen');
          const reader = (args[5] as Reference)?.native as HeapObject | undefined;
          if (reader !== undefined) {
            readerOf(reader).isFed = true;
            tellOfImage(machine, reader);
          }
          return machine.allocate(displayType);
        },
      ...each(
        nothing,
        'stop()V',
        'registerCallback(Landroid/media/projection/MediaProjection$Callback;Landroid/os/Handler;)V',
      ),
    },
  },
  [surfaceType]: { methods: { 'isValid()Z': () => 1, 'release()V': nothing } },
  [displayType]: { methods: each(nothing, 'release()V', `setSurface(${surfaceType})V`) },
  [readerType]: {
    staticMethods: { [`newInstance(IIII)${readerType}`]: (machine) => machine.allocate(readerType) },
    methods: {
      [`getSurface()${surfaceType}`]: (machine, me: HeapObject) => {
        const surface = machine.allocate(surfaceType);
        surface.native = me;
        return surface;
      },
      'setOnImageAvailableListener(Landroid/media/ImageReader$OnImageAvailableListener;Landroid/os/Handler;)V': (
        machine,
        me: HeapObject,
        listener: Reference,
      ) => {
        readerOf(me).listener = listener;
        tellOfImage(machine, me);
      },
      ...each(
        (machine) => machine.allocate(imageType),
        `acquireLatestImage()${imageType}`,
        `acquireNextImage()${imageType}`,
      ),
      'getWidth()I': () => 1080,
      'getHeight()I': () => 1920,
      'close()V': nothing,
    },
  },
  'Landroid/media/ImageReader$OnImageAvailableListener;': {
    isInterface: true,
    abstractMethods: [`onImageAvailable(${readerType})V`],
  },
  [imageType]: {
    implements: ['Ljava/lang/AutoCloseable;'],
    methods: {
      [`getPlanes()[${planeType}`]: (machine) => machine.objectArray(planeType, [machine.allocate(planeType)]),
      'getWidth()I': () => 4,
      'getHeight()I': () => 4,
      'close()V': nothing,
    },
  },
  [planeType]: {
    methods: {
      'getBuffer()Ljava/nio/ByteBuffer;': pixels,
      'getPixelStride()I': () => 4,
      'getRowStride()I': () => 16,
    },
  },
};
