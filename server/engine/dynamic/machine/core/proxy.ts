// java.lang.reflect.Proxy: classes made while the program runs, whose methods all go to one handler. Knows no particular interface.
import { convertValue } from '../conversion.ts';
import type { HeapObject, JavaArray, Taint, Value } from '../heap.ts';
import { flags, LinkedClass, Method } from '../linked-class.ts';
import type { Machine, Models, NativeMethod } from '../model.ts';
import { runtimeOf } from '../runtime.ts';
import { boxed, memberObject } from './members.ts';

type Reference = HeapObject | null;

const proxyClass = 'Ljava/lang/reflect/Proxy;';
const handlerClass = 'Ljava/lang/reflect/InvocationHandler;';
const invokeSignature = 'invoke(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;';
const objectMethods = ['hashCode()I', 'equals(Ljava/lang/Object;)Z', 'toString()Ljava/lang/String;'];

interface Proxies {
  readonly byInterfaces: Map<string, LinkedClass>;
}

const proxiesOf = (machine: Machine): Proxies => machine.state('core.proxies', () => ({ byInterfaces: new Map() }));

/** The body of a proxy's method: everything in boxes to the handler, and its answer back. */
function forward(method: Method): NativeMethod {
  return (machine, self, ...args: Value[]) => {
    const vm = runtimeOf(machine);
    const handler = self.native as Reference;
    if (handler === null) throw machine.exception('Ljava/lang/NullPointerException;', 'no invocation handler');
    const taints: Taint[] = method.parameters.map((_, index) => machine.argumentTaint(index + 1));
    const values = method.parameters.map((type, index) => boxed(vm, type, args[index]!, taints[index]!) as Reference);
    const array = values.length === 0 ? null : machine.objectArray('Ljava/lang/Object;', values);
    const target = vm.virtualTarget(
      handler.cls as LinkedClass,
      machine.classOf(handlerClass).methods.get(invokeSignature) as Method,
      invokeSignature,
    );
    return vm.callThen(
      target,
      [handler, self, memberObject(machine, method), array],
      null,
      (value) => {
        if (method.returns === 'V') return null;
        if (method.returns.length === 1) vm.setResultTaint((value as Reference)?.taint ?? 0);
        return convertValue(vm, value, 'Ljava/lang/Object;', method.returns);
      },
      undefined,
    );
  };
}

function proxyFor(machine: Machine, interfaces: readonly LinkedClass[]): LinkedClass {
  const { byInterfaces } = proxiesOf(machine);
  const key = interfaces.map((type) => type.descriptor).join();
  const known = byInterfaces.get(key);
  if (known !== undefined) return known;
  const vm = runtimeOf(machine);
  const cls = new LinkedClass({
    descriptor: `L$Proxy${byInterfaces.size};`,
    superclass: vm.linker.get(proxyClass),
    interfaces,
    accessFlags: flags.public | flags.final,
  });
  cls.status = 'initialised';
  const add = (method: Method) => {
    if (method.isStatic || cls.methods.has(method.signature)) return;
    cls.methods.set(
      method.signature,
      new Method(cls, method.name, method.signature, flags.public | flags.final, { native: forward(method) }),
    );
  };
  const root = vm.linker.get('Ljava/lang/Object;');
  for (const signature of objectMethods) add(root.methods.get(signature)!);
  for (const type of cls.supertypes) {
    if (type.isInterface) for (const method of type.methods.values()) if (!method.name.startsWith('<')) add(method);
  }
  byInterfaces.set(key, cls);
  return cls;
}

/** @throws JavaThrow IllegalArgumentException where one is no interface */
function interfacesOf(machine: Machine, array: JavaArray | null): LinkedClass[] {
  if (array === null) throw machine.exception('Ljava/lang/NullPointerException;', 'interfaces == null');
  return (array.elements as Reference[]).map((type) => {
    const cls = type?.native as LinkedClass | undefined;
    if (cls === undefined) throw machine.exception('Ljava/lang/NullPointerException;', 'a null interface');
    if (!cls.isInterface && !cls.isUnmodelled) {
      throw machine.exception('Ljava/lang/IllegalArgumentException;', `${cls.name} is not an interface`);
    }
    return cls;
  });
}

export const proxyModels: Models = {
  [handlerClass]: { isInterface: true, abstractMethods: [invokeSignature] },
  [proxyClass]: {
    methods: {
      '<init>(Ljava/lang/reflect/InvocationHandler;)V': (_machine, self, handler: Reference) => {
        self.native = handler;
      },
    },
    staticMethods: {
      'newProxyInstance(Ljava/lang/ClassLoader;[Ljava/lang/Class;Ljava/lang/reflect/InvocationHandler;)Ljava/lang/Object;':
        (machine, _loader: Reference, interfaces: JavaArray | null, handler: Reference) => {
          if (handler === null) throw machine.exception('Ljava/lang/NullPointerException;', 'h == null');
          const object = runtimeOf(machine).newObject(proxyFor(machine, interfacesOf(machine, interfaces)));
          object.native = handler;
          return object;
        },
      'getProxyClass(Ljava/lang/ClassLoader;[Ljava/lang/Class;)Ljava/lang/Class;': (
        machine,
        _loader: Reference,
        interfaces: JavaArray | null,
      ) => machine.classObject(proxyFor(machine, interfacesOf(machine, interfaces))),
      'isProxyClass(!Ljava/lang/Class;)Z': (_machine, cls: HeapObject) =>
        (cls.native as LinkedClass).superclass?.descriptor === proxyClass ? 1 : 0,
      'getInvocationHandler(Ljava/lang/Object;)Ljava/lang/reflect/InvocationHandler;': (machine, proxy: Reference) => {
        if (proxy === null || proxy.cls.superclass?.descriptor !== proxyClass) {
          throw machine.exception('Ljava/lang/IllegalArgumentException;', 'not a proxy instance');
        }
        return proxy.native as Reference;
      },
    },
  },
};
