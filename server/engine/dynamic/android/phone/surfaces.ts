// Models of what pictures are drawn on, and of the readers that hand them to apps. Knows neither cameras nor the screen.
import type { HeapObject, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod } from '../../machine/model.ts';
import { post } from '../components/activity-life.ts';
import { always, each, nothing, type Reference, stateOf, yes } from '../model-parts.ts';

const readerType = 'Landroid/media/ImageReader;';
const imageType = 'Landroid/media/Image;';
const planeType = 'Landroid/media/Image$Plane;';
const surfaceType = 'Landroid/view/Surface;';

/** The source of a picture: its taint's tag, and the method that drew it. */
export interface Drawn {
  readonly tag: 'TAINT_SCREEN' | 'TAINT_CAMERA';
  readonly api: string;
}

const drawings = (machine: Machine): WeakMap<HeapObject, Drawn> =>
  machine.state('android.drawings', () => new WeakMap<HeapObject, Drawn>());

/** What was drawn last for the owner of a surface: a reader, a recorder. */
export const drawnFor = (machine: Machine, owner: HeapObject): Drawn | undefined => drawings(machine).get(owner);

/** `getSurface()` of those who take pictures. */
export const newSurface: NativeMethod = (machine, owner: HeapObject) => {
  const surface = machine.allocate(surfaceType);
  surface.native = owner;
  return surface;
};

/** Draws on a surface; nothing reads the surfaces of views. */
export function drawOn(machine: Machine, surface: Reference, drawn: Drawn): void {
  const owner = surface?.native as HeapObject | undefined;
  if (owner === undefined) return;
  drawings(machine).set(owner, drawn);
  if (owner.cls.descriptor === readerType) tellOfImage(machine, owner);
}

interface ReaderState {
  readonly width: number;
  readonly height: number;
  /** `ImageFormat.…` */
  readonly format: number;
  listener: Reference;
}

const readerOf = (reader: HeapObject): ReaderState =>
  stateOf<ReaderState>(reader, () => ({ width: 1080, height: 1920, format: rgba, listener: null }));

const rgba = 1;
const yuv = 35;
const jpeg = 256;

/** A picture is reported once the surface has both a producer and a consumer. */
function tellOfImage(machine: Machine, reader: HeapObject): void {
  const { listener } = readerOf(reader);
  if (listener === null || drawnFor(machine, reader) === undefined) return;
  post(machine, 200, listener.cls.name, () => machine.call(listener, `onImageAvailable(${readerType})V`, reader));
}

/** A picture as it was when it was taken from its reader. */
interface ImageState {
  readonly reader: ReaderState;
  readonly drawn: Drawn | undefined;
}

const imageOf = (image: HeapObject): ImageState => image.native as ImageState;

const acquire: NativeMethod = (machine, me) => {
  const image = machine.allocate(imageType);
  image.native = { reader: readerOf(me), drawn: drawnFor(machine, me) } satisfies ImageState;
  return image;
};

const planes: NativeMethod = (machine, me) =>
  machine.objectArray(
    planeType,
    Array.from({ length: imageOf(me).reader.format === yuv ? 3 : 1 }, () => {
      const plane = machine.allocate(planeType);
      plane.native = me.native;
      return plane;
    }),
  );

/** The first bytes of a picture: all that apps do with them is to pass them on. */
function pixels(machine: Machine, plane: HeapObject): Value {
  const { reader, drawn } = imageOf(plane);
  const bytes = Buffer.alloc(64, 0x7f);
  if (reader.format === jpeg) bytes.write('ffd8ffe000104a464946', 'hex');
  const taint = drawn === undefined ? 0 : machine.source(drawn.tag, drawn.api);
  return machine.callStatic('Ljava/nio/ByteBuffer;', 'wrap([B)Ljava/nio/ByteBuffer;', machine.byteArray(bytes, taint));
}

export const surfaceModels: Models = {
  [surfaceType]: {
    methods: {
      ...each(nothing, '<init>(Landroid/graphics/SurfaceTexture;)V', 'release()V'),
      'isValid()Z': yes,
    },
  },
  'Landroid/graphics/SurfaceTexture;': {
    methods: each(nothing, '<init>(I)V', 'setDefaultBufferSize(II)V', 'release()V'),
  },
  [readerType]: {
    staticMethods: {
      [`newInstance(IIII)${readerType}`]: (machine, width: number, height: number, format: number) => {
        const reader = machine.allocate(readerType);
        reader.native = { width, height, format, listener: null } satisfies ReaderState;
        return reader;
      },
    },
    methods: {
      [`getSurface()${surfaceType}`]: newSurface,
      'setOnImageAvailableListener(Landroid/media/ImageReader$OnImageAvailableListener;Landroid/os/Handler;)V': (
        machine,
        me,
        listener: Reference,
      ) => {
        readerOf(me).listener = listener;
        tellOfImage(machine, me);
      },
      ...each(acquire, `acquireLatestImage()${imageType}`, `acquireNextImage()${imageType}`),
      'getWidth()I': (_machine, me) => readerOf(me).width,
      'getHeight()I': (_machine, me) => readerOf(me).height,
      'getImageFormat()I': (_machine, me) => readerOf(me).format,
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
      [`getPlanes()[${planeType}`]: planes,
      // A few pixels only, which `pixels` has.
      ...each(always(4), 'getWidth()I', 'getHeight()I'),
      'getFormat()I': (_machine, me) => imageOf(me).reader.format,
      'getTimestamp()J': (machine) => BigInt(Math.round(machine.clock.elapsed)) * 1_000_000n,
      'close()V': nothing,
    },
  },
  [planeType]: {
    methods: {
      'getBuffer()Ljava/nio/ByteBuffer;': pixels,
      'getPixelStride()I': always(4),
      'getRowStride()I': always(16),
    },
  },
};
