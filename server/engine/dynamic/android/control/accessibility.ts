// Models of services of accessibility: what they ask the system to do, gestures, and pictures of the screen. Knows no node.
import type { HeapObject } from '../../machine/heap.ts';
import type { Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { recorderOf } from '../../report/recorder.ts';
import { post } from '../components/activity-life.ts';
import { each, listOf, none, nothing, type Reference, self, text } from '../model-parts.ts';
import { eventType, frontRoot, nodeType, screenTaint } from './foreign-screens.ts';

const S = 'Ljava/lang/String;';
const infoType = 'Landroid/accessibilityservice/AccessibilityServiceInfo;';
const gestureType = 'Landroid/accessibilityservice/GestureDescription;';
const gestureBuilderType = 'Landroid/accessibilityservice/GestureDescription$Builder;';
const screenshotType = 'Landroid/accessibilityservice/AccessibilityService$ScreenshotResult;';
const screenshotCallbackType = 'Landroid/accessibilityservice/AccessibilityService$TakeScreenshotCallback;';

const globalActions: Readonly<Record<number, string>> = {
  1: 'back',
  2: 'home',
  3: 'recent apps',
  4: 'notifications',
  5: 'quick settings',
  6: 'the power dialog',
  8: 'the lock screen',
  9: 'a screenshot',
};

const dispatchGesture: NativeMethod = (machine, _me, gesture: Reference, callback: Reference) => {
  recorderOf(machine).event('accessibility', 'made a gesture on the screen');
  const onCompleted = 'onCompleted(Landroid/accessibilityservice/GestureDescription;)V';
  if (callback !== null) machine.call(callback, onCompleted, gesture);
  return 1;
};

const serviceMethods: NativeMethods = {
  ...each(nothing, 'onServiceConnected()V', 'onInterrupt()V', `onAccessibilityEvent(${eventType})V`),
  'performGlobalAction(I)Z': (machine, _me, action: number) => {
    recorderOf(machine).event('accessibility', `asked the system for ${globalActions[action] ?? `action ${action}`}`);
    return 1;
  },
  [`getRootInActiveWindow()${nodeType}`]: (machine) => frontRoot(machine),
  'getWindows()Ljava/util/List;': (machine) => listOf(machine, []),
  [`getServiceInfo()${infoType}`]: (machine) =>
    machine.state('android.accessibility-info', () => machine.allocate(infoType)),
  [`setServiceInfo(${infoType})V`]: nothing,
  'disableSelf()V': nothing,
  'dispatchGesture(Landroid/accessibilityservice/GestureDescription;Landroid/accessibilityservice/AccessibilityService$GestureResultCallback;Landroid/os/Handler;)Z':
    dispatchGesture,
  [`takeScreenshot(ILjava/util/concurrent/Executor;!${screenshotCallbackType})V`]: (
    machine,
    _me,
    _display: number,
    _executor: Reference,
    callback: HeapObject,
  ) => {
    recorderOf(machine).event('screen', 'took a screenshot');
    const picture = machine.allocate(screenshotType);
    post(machine, 100, callback.cls.name, () => machine.call(callback, `onSuccess(${screenshotType})V`, picture));
  },
};

const gestureModels: Models = {
  [gestureType]: {},
  [`${gestureType.slice(0, -1)}$StrokeDescription;`]: {
    methods: each(nothing, '<init>(Landroid/graphics/Path;JJ)V', '<init>(Landroid/graphics/Path;JJZ)V'),
  },
  [gestureBuilderType]: {
    methods: {
      '<init>()V': nothing,
      [`addStroke(${gestureType.slice(0, -1)}$StrokeDescription;)${gestureBuilderType}`]: self,
      [`build()${gestureType}`]: (machine) => machine.allocate(gestureType),
    },
  },
};

const screenshotModels: Models = {
  [screenshotCallbackType]: {
    isInterface: true,
    abstractMethods: [`onSuccess(${screenshotType})V`, 'onFailure(I)V'],
  },
  [screenshotType]: {
    methods: {
      'getHardwareBuffer()Landroid/hardware/HardwareBuffer;': (machine) => {
        const buffer = machine.allocate('Landroid/hardware/HardwareBuffer;');
        buffer.taint = screenTaint(machine, false, 'AccessibilityService.takeScreenshot');
        return buffer;
      },
      'getColorSpace()Landroid/graphics/ColorSpace;': none,
    },
  },
  'Landroid/hardware/HardwareBuffer;': { methods: each(nothing, 'close()V') },
};

export const accessibilityModels: Models = {
  ...gestureModels,
  ...screenshotModels,
  'Landroid/accessibilityservice/AccessibilityService;': {
    extends: 'Landroid/app/Service;',
    methods: serviceMethods,
  },
  [infoType]: {
    methods: { '<init>()V': nothing, [`getId()${S}`]: (machine) => text(machine, '') },
    fields: ['eventTypes:I', 'feedbackType:I', 'flags:I', 'notificationTimeout:J', `packageNames:[${S}`],
  },
};
