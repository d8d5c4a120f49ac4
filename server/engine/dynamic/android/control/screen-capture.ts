// Models of recording the screen: the owner's consent, the projection, and the display that it draws. Knows no reader of
// pictures.
import type { Value } from '../../machine/heap.ts';
import type { Models } from '../../machine/model.ts';
import { recorderOf } from '../../report/recorder.ts';
import { newIntent } from '../components/intent-state.ts';
import { each, nothing, type Reference } from '../model-parts.ts';
import { type Drawn, drawOn } from '../phone/surfaces.ts';

const projectionType = 'Landroid/media/projection/MediaProjection;';
const displayType = 'Landroid/hardware/display/VirtualDisplay;';
const surfaceType = 'Landroid/view/Surface;';

const screen: Drawn = { tag: 'TAINT_SCREEN', api: 'MediaProjection.createVirtualDisplay' };

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
        (machine, _me, ...args: Value[]) => {
          recorderOf(machine).event('screen', 'recorded the screen');
          drawOn(machine, args[5] as Reference, screen);
          return machine.allocate(displayType);
        },
      ...each(
        nothing,
        'stop()V',
        'registerCallback(Landroid/media/projection/MediaProjection$Callback;Landroid/os/Handler;)V',
      ),
    },
  },
  [displayType]: {
    methods: {
      [`setSurface(${surfaceType})V`]: (machine, _me, surface: Reference) => drawOn(machine, surface, screen),
      ...each(nothing, 'release()V', 'resize(III)V'),
    },
  },
};
