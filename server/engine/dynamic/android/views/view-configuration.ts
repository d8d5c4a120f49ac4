// Model of ViewConfiguration: the distances and times by which gestures are told apart, on a phone of density 2.
import type { Models } from '../../machine/model.ts';
import { always } from '../model-parts.ts';
import { singleton } from '../phone/system-services.ts';

const type = 'Landroid/view/ViewConfiguration;';

/** In pixels. */
const scaled: Readonly<Record<string, number>> = {
  TouchSlop: 16,
  DoubleTapSlop: 200,
  PagingTouchSlop: 32,
  WindowTouchSlop: 32,
  MinimumFlingVelocity: 100,
  MaximumFlingVelocity: 16_000,
  EdgeSlop: 24,
  ScrollBarSize: 8,
  FadingEdgeLength: 24,
  OverscrollDistance: 0,
  OverflingDistance: 12,
  HoverSlop: 8,
};
/** In milliseconds. */
const times: Readonly<Record<string, number>> = {
  TapTimeout: 100,
  LongPressTimeout: 400,
  DoubleTapTimeout: 300,
  JumpTapTimeout: 500,
  PressedStateDuration: 64,
  KeyRepeatTimeout: 400,
  KeyRepeatDelay: 50,
  ScrollBarFadeDuration: 250,
  ScrollDefaultDelay: 300,
  TouchSlop: 8,
  MinimumFlingVelocity: 50,
  MaximumFlingVelocity: 8_000,
  EdgeSlop: 12,
};

export const viewConfigurationModels: Models = {
  [type]: {
    methods: {
      ...Object.fromEntries(Object.entries(scaled).map(([name, value]) => [`getScaled${name}()I`, always(value)])),
      'getScaledHorizontalScrollFactor()F': always(128),
      'getScaledVerticalScrollFactor()F': always(128),
      'hasPermanentMenuKey()Z': always(0),
    },
    staticMethods: {
      [`get(Landroid/content/Context;)${type}`]: (machine) => singleton(machine, type),
      ...Object.fromEntries(Object.entries(times).map(([name, value]) => [`get${name}()I`, () => value])),
      'getScrollFriction()F': () => Math.fround(0.015),
    },
  },
};
