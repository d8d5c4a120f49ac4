// Model of Instrumentation as `am instrument` starts it: it runs beside the app, on a thread of its own. How it makes an
// Application stands with the process's own state. Knows no life cycles.
import type { HeapObject } from '../../machine/heap.ts';
import type { Models, NativeMethods } from '../../machine/model.ts';
import { each, nothing, type Reference } from '../model-parts.ts';
import { post } from './activity-life.ts';
import { appOf } from './app.ts';

const contextClass = 'Landroid/content/Context;';
/** A thread of its own, on which an instrumentation goes on once it is started. */
const instrumentationThread = 'Landroid/app/Instrumentation$Thread;';

const instrumentationMethods: NativeMethods = {
  ...each(
    nothing,
    'onCreate(Landroid/os/Bundle;)V',
    'onStart()V',
    'onDestroy()V',
    'sendStatus(ILandroid/os/Bundle;)V',
    'waitForIdleSync()V',
  ),
  'start()V': (machine, me) => {
    const task = machine.allocate(instrumentationThread);
    task.native = me;
    const thread = machine.construct('Ljava/lang/Thread;', '<init>(Ljava/lang/Runnable;)V', task);
    machine.call(thread, 'start()V');
  },
  'finish(ILandroid/os/Bundle;)V': (machine, me) => machine.call(me, 'onDestroy()V'),
  'waitForIdle(Ljava/lang/Runnable;)V': (machine, me, task: Reference) => {
    if (task !== null) post(machine, 0, me.cls.name, () => machine.call(task, 'run()V'));
  },
  'runOnMainSync(!Ljava/lang/Runnable;)V': (machine, me, task: HeapObject) => {
    let isDone = false;
    post(machine, 0, me.cls.name, () => {
      try {
        machine.call(task, 'run()V');
      } finally {
        isDone = true;
      }
    });
    return machine.blockThen(
      () => isDone,
      60_000,
      () => undefined,
    );
  },
  [`getContext()${contextClass}`]: (machine) => appOf(machine).application,
  [`getTargetContext()${contextClass}`]: (machine) => appOf(machine).application,
};

export const instrumentationModels: Models = {
  'Landroid/app/Instrumentation;': { methods: instrumentationMethods },
  [instrumentationThread]: {
    implements: ['Ljava/lang/Runnable;'],
    methods: { 'run()V': (machine, me) => machine.call(me.native as HeapObject, 'onStart()V') },
  },
};
