// Runs class initialisers in the order and with the failures that Java demands, and answers for what no model has.
//
// https://docs.oracle.com/javase/specs/jls/se17/html/jls-12.html#jls-12.4.2
import { type EncodedValue, EncodedValueReader } from '../../formats/dex/encoded-value.ts';
import type { MethodInfo } from './class-info.ts';
import { HeapObject, JavaThrow, type Value } from './heap.ts';
import { defaultValue, type Field, flags, type LinkedClass, Method } from './linked-class.ts';
import type { Runtime } from './runtime.ts';

export class ClassInitialiser {
  readonly #vm: Runtime;
  /** The app's classes that are initialised, in the order in which they were. */
  #initialised: LinkedClass[] = [];

  constructor(vm: Runtime) {
    this.#vm = vm;
  }

  /** @throws JavaThrow ExceptionInInitializerError, or NoClassDefFoundError once that has happened */
  initialise(cls: LinkedClass): void {
    const vm = this.#vm;
    const { thread } = vm;
    if (cls.status === 'initialising') {
      if (cls.initialiser === thread) return;
      const waiting = {
        ready: () => cls.status !== 'initialising',
        deadline: Number.POSITIVE_INFINITY,
        finish: null,
        model: null,
      };
      thread.blocked = waiting;
      vm.scheduler.waitFor(thread);
      thread.blocked = null;
    }
    if (cls.status === 'initialised') return;
    if (cls.status === 'failed') {
      throw vm.exception('Ljava/lang/NoClassDefFoundError;', `Could not initialize class ${cls.name}`, cls.failure);
    }
    cls.status = 'initialising';
    cls.initialiser = thread;
    try {
      if (!cls.isInterface) {
        if (cls.superclass !== null) vm.initialise(cls.superclass);
        for (const type of cls.supertypes) {
          if (type !== cls && type.isInterface && type.isApp && hasDefaultMethods(type)) vm.initialise(type);
        }
      }
      if (cls.isApp) this.#setStatics(cls);
      else this.#setConstants(cls);
      const initialiser = cls.methods.get('<clinit>()V');
      if (initialiser?.isStatic && cls.isApp) vm.invoke(initialiser, []);
      cls.status = 'initialised';
      if (cls.isApp) this.#initialised.push(cls);
    } catch (error) {
      if (error instanceof JavaThrow) {
        cls.status = 'failed';
        const { throwable } = error;
        cls.failure = throwable;
        if (!vm.isInstanceOf(throwable, vm.linker.get('Ljava/lang/Error;'))) {
          throw vm.exception('Ljava/lang/ExceptionInInitializerError;', undefined, throwable);
        }
      } else {
        cls.status = 'linked';
      }
      throw error;
    } finally {
      cls.initialiser = null;
    }
  }

  /** Gives the app's classes the values that they have when its process starts, by their initialisers in the same order. */
  restart(): void {
    const before = this.#initialised;
    this.#initialised = [];
    for (const cls of before) {
      cls.status = 'linked';
      cls.staticTaints = null;
      for (const { slot, descriptor } of cls.staticFields) cls.statics[slot] = defaultValue(descriptor);
    }
    for (const cls of before) {
      try {
        this.initialise(cls);
      } catch (error) {
        if (!(error instanceof JavaThrow)) throw error;
      }
    }
  }

  #setConstants(cls: LinkedClass): void {
    for (const field of cls.staticFields) {
      const value = cls.model?.constants?.[`${field.name}:${field.descriptor}`];
      if (typeof value === 'function') cls.statics[field.slot] = value(this.#vm.machine);
    }
  }

  /** Values that stand in the file itself, in the order of the static fields. */
  #setStatics(cls: LinkedClass): void {
    if (cls.dex === null) return;
    const { staticValuesOffset } = cls.dex.classDef(cls.classDefIndex);
    if (staticValuesOffset === 0) return;
    const values = new EncodedValueReader(cls.dex).arrayAt(staticValuesOffset);
    for (const [index, field] of cls.staticFields.entries()) {
      const value = values[index];
      if (value === undefined) return;
      cls.statics[field.slot] = this.#encoded(cls, field, value);
    }
  }

  #encoded(cls: LinkedClass, field: Field, value: EncodedValue): Value {
    const vm = this.#vm;
    const dex = cls.dex!;
    switch (value.kind) {
      case 'byte':
      case 'short':
      case 'char':
      case 'int':
        return field.descriptor === 'J' ? BigInt(value.value) : value.value;
      case 'float':
      case 'double':
      case 'long':
        return value.value;
      case 'boolean':
        return value.value ? 1 : 0;
      case 'string':
        return vm.literal(dex.string(value.index));
      case 'type':
        return vm.classObject(vm.linker.get(dex.type(value.index)));
      default:
        return defaultValue(field.descriptor);
    }
  }

  /** A method that the platform should have, answering with a default of its type. */
  madeUpMethod(owner: LinkedClass, signature: string, isStatic: boolean): Method {
    const vm = this.#vm;
    const what = `${owner.descriptor}->${signature}`;
    const name = signature.slice(0, signature.indexOf('('));
    const method: Method = new Method(owner, name, signature, flags.public | (isStatic ? flags.static : 0), {
      isPure: true,
      isMadeUp: true,
      native: (machine, ...args) => {
        // The constructor of an unknown class needs no model; only methods that return something are missed.
        if (name !== '<init>' || !owner.isUnmodelled) vm.unmodelled(what);
        const watcher = machine.state<UnmodelledCalls>(unmodelledCallsKey, () => ({ tell: null }));
        const answer = watcher.tell?.(method, args) ?? null;
        if (answer !== null) return answer;
        const self = args[0];
        if (isStatic && name === 'values' && isEnum(owner)) {
          return machine.objectArray(owner.descriptor, owner.statics as HeapObject[]);
        }
        // A builder's method, whose return type the object itself has, returns the object.
        if (!isStatic && self instanceof HeapObject && isFluent(self, owner, method.returns)) return self;
        return this.typedDefault(method.returns);
      },
    });
    return method;
  }

  /** A constant of an enum that nothing models, numbered as they are asked for. */
  enumConstant(cls: LinkedClass, name: string): HeapObject {
    const vm = this.#vm;
    const constant = vm.newObject(cls);
    const initialiser = cls.findMethod('<init>(Ljava/lang/String;I)V');
    const ordinal = name === '' ? 0 : cls.staticFields.length - 1;
    if (initialiser !== null) vm.invoke(initialiser, [constant, vm.literal(name), ordinal]);
    return constant;
  }

  /** Zero, an empty string, an empty array, or an object of the type: as long as nothing more is known. */
  typedDefault(descriptor: string): Value {
    const vm = this.#vm;
    if (descriptor === 'Ljava/lang/String;' || descriptor === 'Ljava/lang/CharSequence;') return vm.string('');
    if (descriptor.startsWith('[')) return vm.newArray(vm.linker.get(descriptor), 0);
    if (!descriptor.startsWith('L') || descriptor === 'Ljava/lang/Object;') return defaultValue(descriptor);
    const cls = vm.linker.find(descriptor);
    if (cls === null || cls.isApp || (cls.accessFlags & flags.enum) !== 0) return null;
    if (cls.isUnmodelled) return isEnum(cls) ? this.enumConstant(cls, '') : vm.newObject(cls);
    // Models of the core library need the state that a constructor sets: without one that takes no parameters there is no
    // object. Models of the framework make their state when it is first read.
    const initialiser = cls.methods.get('<init>()V');
    if (initialiser === undefined || (cls.accessFlags & flags.abstract) !== 0) {
      return cls.isInterface || descriptor.startsWith('Landroid/') ? vm.newObject(cls) : null;
    }
    const object = vm.newObject(cls);
    vm.invoke(initialiser, [object]);
    return object;
  }
}

const isEnum = ({ superclass }: LinkedClass): boolean => superclass?.descriptor === 'Ljava/lang/Enum;';

/** A made-up method of `owner` that returns its class, or the receiver's, stands for one that returns the receiver. */
const isFluent = (self: HeapObject, owner: LinkedClass, returns: string): boolean =>
  returns === self.cls.descriptor || (returns === owner.descriptor && !/[Ff]actory;$/.test(returns));

/**
 * Called for each call of a method that has no model, with its arguments; may give the result:
 * `machine.state(unmodelledCallsKey, …)`.
 */
export interface UnmodelledCalls {
  tell: ((method: MethodInfo, args: readonly Value[]) => Value) | null;
}
export const unmodelledCallsKey = 'machine.unmodelled-calls';

function hasDefaultMethods(cls: LinkedClass): boolean {
  for (const method of cls.methods.values()) if (!method.isStatic && !method.isAbstract) return true;
  return false;
}
