// Models of android.hardware.camera2: cameras are opened, sessions configured, and what requests ask for is drawn.
import { made } from '../../java/values.ts';
import type { HeapObject, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod } from '../../machine/model.ts';
import { recorderOf } from '../../report/recorder.ts';
import { post } from '../components/activity-life.ts';
import { callIfThere, each, elementsOf, nothing, plain, type Reference, stateOf, text } from '../model-parts.ts';
import { type Drawn, drawOn } from './surfaces.ts';

const S = 'Ljava/lang/String;';
const packageName = 'Landroid/hardware/camera2';
const handlerType = 'Landroid/os/Handler;';
const executorType = 'Ljava/util/concurrent/Executor;';
const surfaceType = 'Landroid/view/Surface;';
const sizeType = 'Landroid/util/Size;';
const deviceType = `${packageName}/CameraDevice;`;
const deviceCallbackType = `${packageName}/CameraDevice$StateCallback;`;
const sessionType = `${packageName}/CameraCaptureSession;`;
const sessionCallbackType = `${packageName}/CameraCaptureSession$StateCallback;`;
const captureCallbackType = `${packageName}/CameraCaptureSession$CaptureCallback;`;
const requestType = `${packageName}/CaptureRequest;`;
const builderType = `${packageName}/CaptureRequest$Builder;`;
const totalResultType = `${packageName}/TotalCaptureResult;`;
const characteristicsType = `${packageName}/CameraCharacteristics;`;
const mapType = `${packageName}/params/StreamConfigurationMap;`;
const configurationType = `${packageName}/params/SessionConfiguration;`;
const outputType = `${packageName}/params/OutputConfiguration;`;

const seen: Drawn = { tag: 'TAINT_CAMERA', api: 'CameraCaptureSession.capture' };
/** The camera at the back, and the one that sees who looks at the phone. */
const cameras = ['0', '1'] as const;
/** Milliseconds that a camera takes to open, to be set up, and to take a picture. */
const reaction = 150;

/** Tells a callback something; it may be null. */
function tell(machine: Machine, callback: Reference, signature: string, ...args: Value[]): void {
  if (callback === null) return;
  post(machine, reaction, callback.cls.name, () => callIfThere(machine, callback, signature, ...args));
}

const nameOf = (object: HeapObject): string => object.native as string;

/** An object of which no more is known than its name: a camera, a key. */
function named(machine: Machine, type: string, name: string): HeapObject {
  const object = machine.allocate(type);
  object.native = name;
  return object;
}

function open(machine: Machine, id: Reference, callback: Reference): undefined {
  const name = plain(machine, id);
  recorderOf(machine).event('camera', `opened the camera ${name}`);
  tell(machine, callback, `onOpened(${deviceType})V`, named(machine, deviceType, name));
}

function configure(machine: Machine, callback: Reference): undefined {
  const session = machine.allocate(sessionType);
  for (const event of ['onConfigured', 'onReady']) tell(machine, callback, `${event}(${sessionType})V`, session);
}

const targetsOf = (request: HeapObject): HeapObject[] => stateOf<HeapObject[]>(request, () => []);

const buildRequest: NativeMethod = (machine, me) => {
  const request = machine.allocate(requestType);
  request.native = [...targetsOf(me)];
  return request;
};

function take(machine: Machine, session: HeapObject, request: HeapObject, callback: Reference): void {
  for (const surface of targetsOf(request)) drawOn(machine, surface, seen);
  const result = machine.allocate(totalResultType);
  tell(machine, callback, `onCaptureStarted(${sessionType}${requestType}JJ)V`, session, request, 0n, 1n);
  tell(
    machine,
    callback,
    `onCaptureCompleted(${sessionType}${requestType}${totalResultType})V`,
    session,
    request,
    result,
  );
}

/** One picture, a burst, or the first picture of a preview. @param at index of the callback among the arguments */
const capture =
  (what: string, at: 0 | 1): NativeMethod =>
  (machine, me, asked: HeapObject, ...rest: Reference[]) => {
    recorderOf(machine).event('camera', what);
    const requests = asked.cls.descriptor === requestType ? [asked] : elementsOf(machine, asked);
    for (const request of requests) if (request !== null) take(machine, me, request, rest[at] ?? null);
    return 1;
  };

/** What is known of a camera, by the name of the key. */
const known: Readonly<Record<string, (machine: Machine, id: string) => HeapObject>> = {
  LENS_FACING: (machine, id) => machine.box('I', id === '1' ? 0 : 1),
  SENSOR_ORIENTATION: (machine) => machine.box('I', 90),
  INFO_SUPPORTED_HARDWARE_LEVEL: (machine) => machine.box('I', 1),
  FLASH_INFO_AVAILABLE: (machine) => machine.box('Z', 1),
  SCALER_STREAM_CONFIGURATION_MAP: (machine) => machine.allocate(mapType),
};

/** Keys of a class, which know their names only. */
const keysOf = (type: string, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [`${name}:${type}`, (machine: Machine) => named(machine, type, name)]));

const sizes: NativeMethod = (machine) =>
  machine.objectArray(
    sizeType,
    [
      [1920, 1080],
      [640, 480],
    ].map(([width, height]) => machine.construct(sizeType, '<init>(II)V', width!, height!)),
  );

interface ConfigurationState {
  readonly callback: Reference;
}

export const camera2Models: Models = {
  [`${packageName}/CameraManager;`]: {
    methods: {
      [`getCameraIdList()[${S}`]: (machine) =>
        machine.objectArray(
          S,
          cameras.map((id) => machine.string(id)),
        ),
      [`getCameraCharacteristics(${S})${characteristicsType}`]: (machine, _me, id: Reference) =>
        named(machine, characteristicsType, plain(machine, id)),
      [`openCamera(${S}${deviceCallbackType}${handlerType})V`]: (machine, _me, id: Reference, callback: Reference) =>
        open(machine, id, callback),
      [`openCamera(${S}${executorType}${deviceCallbackType})V`]: (
        machine,
        _me,
        id: Reference,
        _executor: Reference,
        callback: Reference,
      ) => open(machine, id, callback),
      ...each(
        nothing,
        `setTorchMode(${S}Z)V`,
        `registerAvailabilityCallback(${packageName}/CameraManager$AvailabilityCallback;${handlerType})V`,
      ),
    },
  },
  [`${packageName}/CameraCharacteristics$Key;`]: {},
  [`${packageName}/CaptureRequest$Key;`]: {},
  [characteristicsType]: {
    constants: keysOf(`${packageName}/CameraCharacteristics$Key;`, Object.keys(known)),
    methods: {
      [`get(${packageName}/CameraCharacteristics$Key;)Ljava/lang/Object;`]: (machine, me, key: Reference) =>
        key === null ? null : (known[nameOf(key)]?.(machine, nameOf(me)) ?? null),
    },
  },
  [mapType]: {
    methods: each(sizes, `getOutputSizes(I)[${sizeType}`, `getOutputSizes(Ljava/lang/Class;)[${sizeType}`),
  },
  [sizeType]: {
    fields: ['width:I', 'height:I'],
    methods: {
      '<init>(II)V': (machine, me, width: number, height: number) => {
        machine.setField(me, 'width', width);
        machine.setField(me, 'height', height);
      },
      'getWidth()I': (machine, me) => machine.getField(me, 'width'),
      'getHeight()I': (machine, me) => machine.getField(me, 'height'),
    },
  },
  [deviceType]: {
    isAbstract: true,
    implements: ['Ljava/lang/AutoCloseable;'],
    methods: {
      [`getId()${S}`]: (machine, me) => text(machine, nameOf(me)),
      [`createCaptureRequest(I)${builderType}`]: (machine) => machine.allocate(builderType),
      [`createCaptureSession(Ljava/util/List;${sessionCallbackType}${handlerType})V`]: (
        machine,
        _me,
        _outputs: Reference,
        callback: Reference,
      ) => configure(machine, callback),
      [`createCaptureSession(!${configurationType})V`]: (machine, _me, configuration: HeapObject) =>
        configure(machine, (configuration.native as ConfigurationState).callback),
      'close()V': nothing,
    },
  },
  [deviceCallbackType]: {
    isAbstract: true,
    methods: each(nothing, '<init>()V', `onClosed(${deviceType})V`),
    abstractMethods: [`onOpened(${deviceType})V`, `onDisconnected(${deviceType})V`, `onError(${deviceType}I)V`],
  },
  [outputType]: { methods: each(nothing, `<init>(${surfaceType})V`) },
  [configurationType]: {
    methods: {
      [`<init>(ILjava/util/List;${executorType}${sessionCallbackType})V`]: made(
        (_machine, _kind: number, _outputs: Reference, _executor: Reference, callback: Reference) =>
          ({ callback }) satisfies ConfigurationState,
      ),
    },
  },
  [builderType]: {
    methods: {
      [`addTarget(${surfaceType})V`]: (_machine, me, surface: Reference) => {
        if (surface !== null) targetsOf(me).push(surface);
      },
      ...each(nothing, `removeTarget(${surfaceType})V`, `set(${packageName}/CaptureRequest$Key;Ljava/lang/Object;)V`),
      [`build()${requestType}`]: buildRequest,
    },
  },
  [requestType]: {
    constants: keysOf(`${packageName}/CaptureRequest$Key;`, [
      'CONTROL_MODE',
      'CONTROL_AF_MODE',
      'CONTROL_AF_TRIGGER',
      'CONTROL_AE_MODE',
      'CONTROL_AE_PRECAPTURE_TRIGGER',
      'FLASH_MODE',
      'JPEG_ORIENTATION',
      'JPEG_QUALITY',
    ]),
  },
  [sessionType]: {
    isAbstract: true,
    implements: ['Ljava/lang/AutoCloseable;'],
    methods: {
      [`capture(!${requestType}${captureCallbackType}${handlerType})I`]: capture('took a picture', 0),
      [`captureSingleRequest(!${requestType}${executorType}${captureCallbackType})I`]: capture('took a picture', 1),
      [`captureBurst(!Ljava/util/List;${captureCallbackType}${handlerType})I`]: capture('took pictures', 0),
      [`setRepeatingRequest(!${requestType}${captureCallbackType}${handlerType})I`]: capture('watched by a camera', 0),
      [`setSingleRepeatingRequest(!${requestType}${executorType}${captureCallbackType})I`]: capture(
        'watched by a camera',
        1,
      ),
      ...each(nothing, 'stopRepeating()V', 'abortCaptures()V', 'close()V'),
    },
  },
  [sessionCallbackType]: {
    isAbstract: true,
    methods: each(
      nothing,
      '<init>()V',
      `onReady(${sessionType})V`,
      `onActive(${sessionType})V`,
      `onClosed(${sessionType})V`,
    ),
    abstractMethods: [`onConfigured(${sessionType})V`, `onConfigureFailed(${sessionType})V`],
  },
  [captureCallbackType]: {
    isAbstract: true,
    methods: each(
      nothing,
      '<init>()V',
      `onCaptureStarted(${sessionType}${requestType}JJ)V`,
      `onCaptureCompleted(${sessionType}${requestType}${totalResultType})V`,
    ),
  },
  [`${packageName}/CaptureResult;`]: {
    // Focus and exposure are reported as unknown, which apps accept.
    methods: { [`get(${packageName}/CaptureResult$Key;)Ljava/lang/Object;`]: () => null },
  },
  [totalResultType]: { extends: `${packageName}/CaptureResult;` },
};
