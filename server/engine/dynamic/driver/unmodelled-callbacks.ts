// Calls back objects that the app handed to platform methods without a model. Knows
// no order of events.

import { post } from '../android/components/activity-life.ts';
import { type App, appOf } from '../android/components/app.ts';
import { handOver } from '../android/components/delivery.ts';
import { newIntent } from '../android/components/intent-state.ts';
import type { ClassInfo, MethodInfo } from '../machine/class-info.ts';
import { type UnmodelledCalls, unmodelledCallsKey } from '../machine/class-initialiser.ts';
import { primitives } from '../machine/conversion.ts';
import { HeapObject, JavaThrow, type Value } from '../machine/heap.ts';
import type { Machine } from '../machine/model.ts';
import { callNative, isNative } from './native-methods.ts';

/** Names that callbacks have; other methods of the object are not called. */
const callbackName =
  /^(?:on[A-Z]\w*|handle[A-Z]\w*|run|call|accept|completed|failed|success|failure|surface[A-Z]\w*|before[A-Z]\w*|after[A-Z]\w*)$/;
const notPublicOrStatic = 0x8 | 0x2 | 0x400;
const interfaceOrAbstract = 0x200 | 0x400;
const maxCallbacks = 12;

/** Registers what the app hands to methods that nothing models. */
export function watchUnmodelledCalls(machine: Machine): void {
  const calls = machine.state<UnmodelledCalls>(unmodelledCallsKey, () => ({ tell: null }));
  calls.tell = (method, args) => {
    if (isNative(method)) {
      const answer = callNative(machine, method, args);
      if (answer !== null) return answer;
    }
    const first = args.length - method.parameters.length;
    for (const [index, descriptor] of method.parameters.entries()) {
      const value = args[first + index];
      if (!(value instanceof HeapObject)) continue;
      if (value.cls.descriptor === 'Landroid/app/PendingIntent;') handOver(machine, value, 'unmodelled');
      else if (value.cls.isApp) listen(machine, appOf(machine), descriptor, value);
    }
    return null;
  };
}

function listen(machine: Machine, app: App, descriptor: string, object: HeapObject): void {
  const type = machine.classOf(descriptor);
  if (type.isApp || (!type.isUnmodelled && (type.accessFlags & interfaceOrAbstract) === 0)) return;
  const methods = callbacksOf(machine, object.cls);
  if (methods.length === 0) return;
  app.listen(`unmodelled#${app.numberOf(object)} ${descriptor}`, {
    kind: 'unmodelled',
    like: `${object.cls.name} ${descriptor}`,
    fire: () => {
      for (const method of methods) post(machine, 0, object.cls.name, () => tryCallback(machine, object, method));
    },
  });
}

/** An exception over made-up arguments is no crash of the app's: it is counted as not modelled. */
function tryCallback(machine: Machine, object: HeapObject, method: MethodInfo): void {
  const args = method.parameters.map((each) => plausible(machine, each));
  try {
    machine.invoke(method, [object, ...args]);
  } catch (error) {
    if (!(error instanceof JavaThrow)) throw error;
    machine.unmodelled(`made-up call of ${method.owner.name}.${method.name}: ${error.throwable.cls.name}`);
  }
}

/**
 * The app's methods of a callback's name that no known superclass or interface has: those the platform
 * would call. It knows no class of the app to call with.
 */
function callbacksOf(machine: Machine, cls: ClassInfo): MethodInfo[] {
  const found = new Map<string, MethodInfo>();
  const known = new Set<string>();
  const note = (type: ClassInfo) => {
    if (!type.isApp) for (const signature of type.methods.keys()) known.add(signature);
    for (const each of type.interfaces) note(each);
  };
  for (let each: ClassInfo | null = cls; each !== null; each = each.superclass) {
    note(each);
    if (!each.isApp) continue;
    for (const [signature, method] of each.methods) {
      const isCallback =
        callbackName.test(method.name) &&
        (method.accessFlags & notPublicOrStatic) === 0 &&
        !method.parameters.some((each) => machine.classOf(each.replace(/^\[+/, '')).isApp);
      if (isCallback && !found.has(signature)) found.set(signature, method);
    }
  }
  return [...found]
    .filter(([signature]) => !known.has(signature))
    .map(([, method]) => method)
    .slice(0, maxCallbacks);
}

/** A class that can stand for an interface or abstract class as an argument. */
const implementations: Readonly<Record<string, string>> = {
  'Landroid/view/Menu;': 'Landroid/view/MenuImpl;',
  'Landroid/view/SubMenu;': 'Landroid/view/MenuImpl;',
  'Landroid/view/ContextMenu;': 'Landroid/view/MenuImpl;',
  'Landroid/view/MenuItem;': 'Landroid/view/MenuItemImpl;',
  'Landroid/view/SurfaceHolder;': 'Landroid/view/SurfaceHolderImpl;',
  'Ljava/util/List;': 'Ljava/util/ArrayList;',
  'Ljava/util/Collection;': 'Ljava/util/ArrayList;',
  'Ljava/lang/Iterable;': 'Ljava/util/ArrayList;',
  'Ljava/util/Set;': 'Ljava/util/HashSet;',
  'Ljava/util/Map;': 'Ljava/util/HashMap;',
};

/** A value that the platform could call with. */
function plausible(machine: Machine, descriptor: string): Value {
  if (descriptor === 'J') return 0n;
  if (descriptor.length === 1) return 0;
  if (descriptor === 'Ljava/lang/String;' || descriptor === 'Ljava/lang/CharSequence;') return machine.string('');
  const primitive = primitives[descriptor];
  if (primitive !== undefined) return machine.box(primitive, primitive === 'J' ? 0n : 0);
  if (descriptor.startsWith('[')) return machine.array(descriptor.slice(1), 0);
  const app = appOf(machine);
  const type = machine.classOf(descriptor);
  if (app.front !== null && machine.isSubclass(app.front.object.cls, type)) return app.front.object;
  if (descriptor === 'Landroid/content/Context;') return app.application;
  if (descriptor === 'Landroid/content/Intent;') return newIntent(machine);
  if (machine.isSubclass(type, machine.classOf('Landroid/view/View;'))) {
    const context = app.front?.object ?? app.application;
    return machine.construct(descriptor, '<init>(Landroid/content/Context;)V', context);
  }
  const name = implementations[descriptor] ?? descriptor;
  if (name !== descriptor || machine.resolveMethod(type, '<init>()V')?.owner === type) {
    return machine.resolveMethod(machine.classOf(name), '<init>()V') === null
      ? machine.allocate(name)
      : machine.construct(name, '<init>()V');
  }
  return type.isUnmodelled || (type.accessFlags & interfaceOrAbstract) === 0 ? machine.allocate(descriptor) : null;
}
