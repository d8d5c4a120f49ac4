// Model of ComponentName: the class of a component, and the app it belongs to.
import { made } from '../../java/values.ts';
import type { HeapObject, Taint } from '../../machine/heap.ts';
import type { Machine, Models } from '../../machine/model.ts';
import { classNameOf, each, plain, type Reference, self } from '../model-parts.ts';
import { appOf } from './app.ts';

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

/** The component `className` of an app; a name that begins with a dot goes on from the package's. */
export function componentFrom(
  machine: Machine,
  packageName: Reference | string,
  className: Reference | string,
): ComponentState {
  const owner = typeof packageName === 'string' ? packageName : plain(machine, packageName);
  const name = typeof className === 'string' ? className : plain(machine, className);
  return {
    packageName: owner,
    className: name.startsWith('.') ? owner + name : name,
    taint: typeof className === 'string' || className === null ? 0 : className.taint,
  };
}

/** A component of the app itself, by its class or its name. */
export const ownComponent = (machine: Machine, of: HeapObject): ComponentState =>
  componentFrom(
    machine,
    appOf(machine).packageName,
    of.cls.descriptor === 'Ljava/lang/Class;' ? classNameOf(machine, of) : of,
  );

export const componentOf = (name: HeapObject): ComponentState => name.native as ComponentState;

/** The class without the package where it is in it: `.Main`. */
function shortName(name: HeapObject): string {
  const { className, packageName } = componentOf(name);
  return className.startsWith(`${packageName}.`) ? className.slice(packageName.length) : className;
}

export const componentNameModels: Models = {
  'Landroid/content/ComponentName;': {
    implements: ['Landroid/os/Parcelable;', 'Ljava/lang/Cloneable;', 'Ljava/lang/Comparable;'],
    methods: {
      '<init>(Ljava/lang/String;Ljava/lang/String;)V': made((machine, packageName: Reference, name: Reference) =>
        componentFrom(machine, packageName, name),
      ),
      ...each(
        (machine, me, _context: Reference, of: HeapObject) => {
          me.native = ownComponent(machine, of);
        },
        '<init>(Landroid/content/Context;!Ljava/lang/String;)V',
        '<init>(Landroid/content/Context;!Ljava/lang/Class;)V',
      ),
      'getPackageName()Ljava/lang/String;': (machine, me) => machine.string(componentOf(me).packageName),
      'getClassName()Ljava/lang/String;': (machine, me) =>
        machine.string(componentOf(me).className, componentOf(me).taint),
      'getShortClassName()Ljava/lang/String;': (machine, me) => machine.string(shortName(me), componentOf(me).taint),
      'flattenToString()Ljava/lang/String;': (machine, me) =>
        machine.string(`${componentOf(me).packageName}/${componentOf(me).className}`, componentOf(me).taint),
      'flattenToShortString()Ljava/lang/String;': (machine, me) =>
        machine.string(`${componentOf(me).packageName}/${shortName(me)}`, componentOf(me).taint),
      'equals(Ljava/lang/Object;)Z': (_machine, me, other: Reference) =>
        other !== null &&
        other.cls === me.cls &&
        componentOf(other).className === componentOf(me).className &&
        componentOf(other).packageName === componentOf(me).packageName,
      'hashCode()I': (machine, me) => machine.hashCode(machine.string(componentOf(me).className)),
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
