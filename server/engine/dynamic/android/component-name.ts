// Model of ComponentName: the class of a component, and the app it belongs to.
import type { HeapObject, Taint } from '../machine/heap.ts';
import type { Machine, Models } from '../machine/model.ts';
import { appOf } from './app.ts';
import { classNameOf, each, flag, plain, type Reference, self } from './model-parts.ts';

export interface ComponentState {
  readonly packageName: string;
  readonly className: string;
  readonly taint: Taint;
}

export function newComponentName(machine: Machine, state: ComponentState): HeapObject {
  const name = machine.allocate('Landroid/content/ComponentName;');
  name.native = state;
  return name;
}

export const componentFrom = (
  machine: Machine,
  packageName: Reference | string,
  className: Reference | string,
): ComponentState => ({
  packageName: typeof packageName === 'string' ? packageName : plain(machine, packageName),
  className: fullName(
    typeof packageName === 'string' ? packageName : plain(machine, packageName),
    typeof className === 'string' ? className : plain(machine, className),
  ),
  taint: typeof className === 'string' || className === null ? 0 : className.taint,
});

const fullName = (packageName: string, name: string): string => (name.startsWith('.') ? packageName + name : name);

export const contextPackage = (machine: Machine): string => appOf(machine).packageName;

export const componentOf = (name: HeapObject): ComponentState => name.native as ComponentState;

export const componentNameModels: Models = {
  'Landroid/content/ComponentName;': {
    implements: ['Landroid/os/Parcelable;', 'Ljava/lang/Cloneable;', 'Ljava/lang/Comparable;'],
    methods: {
      '<init>(Ljava/lang/String;Ljava/lang/String;)V': (
        machine,
        me: HeapObject,
        packageName: Reference,
        name: Reference,
      ) => {
        me.native = componentFrom(machine, packageName, name);
      },
      '<init>(Landroid/content/Context;Ljava/lang/String;)V': (
        machine,
        me: HeapObject,
        _context: Reference,
        name: Reference,
      ) => {
        me.native = componentFrom(machine, contextPackage(machine), name);
      },
      '<init>(Landroid/content/Context;Ljava/lang/Class;)V': (
        machine,
        me: HeapObject,
        _context: Reference,
        cls: HeapObject,
      ) => {
        me.native = componentFrom(machine, contextPackage(machine), classNameOf(machine, cls));
      },
      'getPackageName()Ljava/lang/String;': (machine, me: HeapObject) => machine.string(componentOf(me).packageName),
      'getClassName()Ljava/lang/String;': (machine, me: HeapObject) =>
        machine.string(componentOf(me).className, componentOf(me).taint),
      'getShortClassName()Ljava/lang/String;': (machine, me: HeapObject) =>
        machine.string(componentOf(me).className.replace(componentOf(me).packageName, ''), componentOf(me).taint),
      ...each(
        (machine, me: HeapObject) =>
          machine.string(`${componentOf(me).packageName}/${componentOf(me).className}`, componentOf(me).taint),
        'flattenToString()Ljava/lang/String;',
        'flattenToShortString()Ljava/lang/String;',
      ),
      'equals(Ljava/lang/Object;)Z': (_machine, me: HeapObject, other: Reference) =>
        flag(other !== null && other.cls === me.cls && componentOf(other).className === componentOf(me).className),
      'hashCode()I': (machine, me: HeapObject) => machine.hashCode(machine.string(componentOf(me).className)),
      'clone()Landroid/content/ComponentName;': self,
    },
    staticMethods: {
      'unflattenFromString(Ljava/lang/String;)Landroid/content/ComponentName;': (machine, value: Reference) => {
        const [packageName = '', name] = plain(machine, value).split('/');
        return name === undefined ? null : newComponentName(machine, componentFrom(machine, packageName, name));
      },
    },
  },
};
