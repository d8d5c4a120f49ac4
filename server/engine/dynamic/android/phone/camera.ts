// Models of android.hardware.Camera, the older interface to cameras. Knows no surface.
import type { HeapObject, JavaArray } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod } from '../../machine/model.ts';
import { recorderOf } from '../../report/recorder.ts';
import { post } from '../components/activity-life.ts';
import { always, callIfThere, each, flag, listOf, nothing, type Reference } from '../model-parts.ts';

const picture = (machine: Machine): JavaArray =>
  machine.byteArray(
    Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46]),
    machine.source('TAINT_CAMERA', 'Camera.takePicture'),
  );

const takePicture: NativeMethod = (machine, me, ...callbacks: Reference[]) => {
  recorderOf(machine).event('camera', 'took a picture');
  for (const callback of callbacks) {
    if (callback === null) continue;
    post(machine, 300, callback.cls.name, () => {
      callIfThere(machine, callback, 'onShutter()V');
      callIfThere(machine, callback, 'onPictureTaken([BLandroid/hardware/Camera;)V', picture(machine), me);
    });
  }
};

const preview: NativeMethod = (machine, me, callback: Reference) => {
  if (callback !== null)
    post(machine, 100, callback.cls.name, () =>
      machine.call(callback, 'onPreviewFrame([BLandroid/hardware/Camera;)V', picture(machine), me),
    );
};

export const cameraModels: Models = {
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
      'getCameraInfo(I!Landroid/hardware/Camera$CameraInfo;)V': (machine, index: number, info: HeapObject) => {
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
      'autoFocus(Landroid/hardware/Camera$AutoFocusCallback;)V': (machine, me, callback: Reference) => {
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
};
