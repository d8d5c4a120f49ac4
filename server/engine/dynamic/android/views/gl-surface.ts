// Models of views that a renderer of the app draws on: a surface is made, and some pictures are drawn. Knows no OpenGL.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod } from '../../machine/model.ts';
import { worldOf } from '../../world/world.ts';
import { post } from '../components/activity-life.ts';
import { callIfThere, each, nothing, type Reference, sideState } from '../model-parts.ts';

const gl = 'Ljavax/microedition/khronos/opengles/GL10;';
const config = 'Ljavax/microedition/khronos/egl/EGLConfig;';
/** Pictures that are drawn of themselves. */
const firstPictures = 3;

interface SurfaceState {
  renderer: Reference;
  wrapper: Reference;
  gl: Reference;
}

const surfaceOf = (machine: Machine, view: HeapObject): SurfaceState =>
  sideState<SurfaceState>(machine, 'gl-surface', view, () => ({ renderer: null, wrapper: null, gl: null }));

function draw(machine: Machine, view: HeapObject): void {
  const { renderer, gl: drawn } = surfaceOf(machine, view);
  if (renderer !== null && drawn !== null) callIfThere(machine, renderer, `onDrawFrame(${gl})V`, drawn);
}

/** The app may have its own OpenGL take the place of the platform's. */
const setRenderer: NativeMethod = (machine, me, renderer: Reference) => {
  if (renderer === null) return;
  const state = surfaceOf(machine, me);
  state.renderer = renderer;
  post(machine, 0, renderer.cls.name, () => {
    const own = machine.allocate(gl);
    const { wrapper } = state;
    const wrap = 'wrap(Ljavax/microedition/khronos/opengles/GL;)Ljavax/microedition/khronos/opengles/GL;';
    state.gl = wrapper === null ? own : (machine.call(wrapper, wrap, own) as Reference);
    const { width, height } = worldOf(machine).device.screen;
    callIfThere(machine, renderer, `onSurfaceCreated(${gl}${config})V`, state.gl, machine.allocate(config));
    callIfThere(machine, renderer, `onSurfaceChanged(${gl}II)V`, state.gl, width, height);
    for (let count = 0; count < firstPictures; count++) draw(machine, me);
  });
};

export const glSurfaceModels: Models = {
  'Landroid/opengl/GLSurfaceView;': {
    extends: 'Landroid/view/SurfaceView;',
    methods: {
      'setRenderer(Landroid/opengl/GLSurfaceView$Renderer;)V': setRenderer,
      'setGLWrapper(Landroid/opengl/GLSurfaceView$GLWrapper;)V': (machine, me, wrapper: Reference) => {
        surfaceOf(machine, me).wrapper = wrapper;
      },
      'requestRender()V': (machine, me) => {
        post(machine, 0, me.cls.name, () => draw(machine, me));
      },
      'queueEvent(Ljava/lang/Runnable;)V': (machine, _me, work: Reference) => {
        if (work !== null) post(machine, 0, work.cls.name, () => machine.call(work, 'run()V'));
      },
      ...each(
        nothing,
        'onPause()V',
        'onResume()V',
        'setRenderMode(I)V',
        'setDebugFlags(I)V',
        'setEGLContextClientVersion(I)V',
        'setPreserveEGLContextOnPause(Z)V',
        'setEGLConfigChooser(Z)V',
        'setEGLConfigChooser(IIIIII)V',
      ),
    },
  },
};
