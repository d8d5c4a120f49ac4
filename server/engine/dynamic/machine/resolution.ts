// Looks up what an instruction names, when it first runs, and replaces it by an operation that needs no names.
//
// https://docs.oracle.com/javase/specs/jvms/se17/html/jvms-5.html#jvms-5.4.3
import type { CallSite } from './call-site.ts';
import { defaultValue, type Field, flags, type LinkedClass, type Method } from './linked-class.ts';
import { linkCustom, linkHandle, linkPolymorphic } from './method-handles.ts';
import { machineOperations as own, type PreparedMethod } from './prepared-method.ts';
import type { Runtime } from './runtime.ts';

/** @throws JavaThrow the error that Android throws for a name that cannot be resolved */
export function resolve(vm: Runtime, prepared: PreparedMethod, at: number): void {
  const { stream, pool, dex } = prepared;
  const operation = prepared.breaks?.get(at) ?? stream[at]!;
  const put = (value: unknown): number => pool.push(value) - 1;
  const typeAt = (place: number): LinkedClass => vm.linker.get(dex.type(stream[place]!));
  switch (operation) {
    case own.constString:
      stream[at + 2] = put(vm.literal(dex.string(stream[at + 2]!)));
      prepared.patch(at, own.string);
      return;
    case 0x1c: // const-class
      stream[at + 2] = put(vm.classObject(typeAt(at + 2)));
      prepared.patch(at, own.constPool);
      return;
    case 0x1f:
      stream[at + 2] = put(typeAt(at + 2));
      prepared.patch(at, own.checkCast);
      return;
    case 0x20:
      stream[at + 3] = put(typeAt(at + 3));
      prepared.patch(at, own.instanceOf);
      return;
    case 0x22: {
      const cls = typeAt(at + 2);
      if (cls.isApp && (cls.accessFlags & flags.abstract) !== 0) {
        throw vm.exception('Ljava/lang/InstantiationError;', cls.name);
      }
      vm.initialise(cls);
      stream[at + 2] = put(cls);
      prepared.patch(at, own.newInstance);
      return;
    }
    case 0x23:
      stream[at + 3] = put(typeAt(at + 3));
      prepared.patch(at, own.newArray);
      return;
    case 0x24:
      stream[at + 1] = put(typeAt(at + 1));
      prepared.patch(at, own.filledNewArray);
      return;
    case 0x52:
    case 0x59:
      resolveInstanceField(vm, prepared, at, operation === 0x52);
      return;
    case 0x60:
    case 0x67: {
      const field = fieldOf(vm, prepared, stream[at + 2]!, true)!;
      vm.initialise(field.owner);
      stream[at + 2] = put(field);
      prepared.patch(at, operation === 0x60 ? own.staticGet : own.staticPut);
      return;
    }
    case 0xfe:
      stream[at + 2] = put(linkHandle(vm, prepared, stream[at + 2]!));
      prepared.patch(at, own.constPool);
      return;
    case 0xff:
      stream[at + 2] = put(vm.methodType(dex.protoDescriptor(stream[at + 2]!)));
      prepared.patch(at, own.constPool);
      return;
    case own.unused:
      throw vm.exception('Ljava/lang/VerifyError;', `Verifier rejected ${prepared.method.label}: an unused opcode`);
    case own.end:
      throw vm.exception('Ljava/lang/VerifyError;', `Verifier rejected ${prepared.method.label}: it runs past its end`);
    default: {
      const site = pool[stream[at + 1]!];
      if (operation < 0x6e || site === undefined) {
        throw vm.exception('Ljava/lang/InternalError;', `operation 0x${operation.toString(16)}`);
      }
      linkSite(vm, prepared, site as CallSite);
      prepared.patch(at, own.invoke);
    }
  }
}

function resolveInstanceField(vm: Runtime, prepared: PreparedMethod, at: number, isGet: boolean): void {
  const { stream, pool, dex } = prepared;
  const index = stream[at + 3]!;
  const field = fieldOf(vm, prepared, index, false);
  if (field !== null) {
    stream[at + 3] = field.slot;
    prepared.patch(at, isGet ? own.instanceGet : own.instancePut);
    // A field of the platform that no model has: reading gives a default, writing is forgotten.
  } else if (isGet) {
    stream[at + 3] = pool.push(defaultValue(dex.fieldType(index))) - 1;
    prepared.patch(at, own.defaultGet);
  } else prepared.patch(at, own.forgetPut);
}

/**
 * The field that an instruction names; null for an instance field of a platform class that has no model. @throws JavaThrow NoSuchFieldError,
 * IncompatibleClassChangeError
 */
function fieldOf(vm: Runtime, { dex, method }: PreparedMethod, index: number, isStatic: boolean): Field | null {
  const cls = vm.linker.get(dex.fieldClass(index));
  const name = dex.fieldName(index);
  const descriptor = dex.fieldType(index);
  const field = cls.findField(name, descriptor);
  if (field !== null) {
    if (field.isStatic !== isStatic) {
      throw vm.exception(
        'Ljava/lang/IncompatibleClassChangeError;',
        `Expected ${isStatic ? 'static' : 'instance'} field ${field.owner.name}.${name}`,
      );
    }
    if (
      (field.accessFlags & flags.private) !== 0 &&
      field.owner !== method.owner &&
      !areNestmates(field.owner, method.owner)
    ) {
      throw vm.exception(
        'Ljava/lang/IllegalAccessError;',
        `Field '${field.owner.name}.${name}' is inaccessible to class '${method.owner.name}'`,
      );
    }
    return field;
  }
  const owner = platformOwner(cls);
  if (owner === null) {
    throw vm.exception(
      'Ljava/lang/NoSuchFieldError;',
      `No ${isStatic ? 'static' : 'instance'} field ${name} of type ${descriptor} in class ${cls.descriptor}`,
    );
  }
  vm.unmodelled(`${owner.descriptor}->${name}:${descriptor}`);
  if (!isStatic) return null;
  const madeUp = owner.addField(name, descriptor, flags.public | flags.static);
  owner.statics[madeUp.slot] = isEnum(owner, descriptor) ? vm.enumConstant(owner, name) : vm.typedDefault(descriptor);
  return madeUp;
}

const isEnum = (owner: LinkedClass, descriptor: string): boolean =>
  owner.isUnmodelled && owner.descriptor === descriptor && owner.superclass?.descriptor === 'Ljava/lang/Enum;';

/** Classes of one source file: newer compilers let them touch each other's private members. */
export function areNestmates(a: LinkedClass, b: LinkedClass): boolean {
  const outer = (cls: LinkedClass) => cls.descriptor.split('$')[0]!.replace(/;$/, '');
  return outer(a) === outer(b);
}

/** The class of the platform that may declare a member that no model has; null where no class above is the platform's. */
function platformOwner(cls: LinkedClass): LinkedClass | null {
  let owner: LinkedClass | null = cls;
  while (owner?.isArray) owner = owner.component;
  for (let type = owner; type !== null; type = type.superclass) {
    if (!type.isApp && type.descriptor !== 'Ljava/lang/Object;') return type;
  }
  if (cls.descriptor === 'Ljava/lang/Object;') return null;
  for (const type of cls.supertypes) if (!type.isApp && type.descriptor !== 'Ljava/lang/Object;') return type;
  return null;
}

/** @throws JavaThrow NoSuchMethodError, IncompatibleClassChangeError, or what initialising the class throws */
function linkSite(vm: Runtime, prepared: PreparedMethod, site: CallSite): void {
  const { dex, method } = prepared;
  if (site.kind === 'custom') {
    site.target = linkCustom(vm, prepared, site.index);
    return;
  }
  if (site.kind === 'polymorphic') {
    site.target = linkPolymorphic(vm, prepared, site);
    return;
  }
  const named = vm.linker.get(dex.methodClass(site.index));
  const isStatic = site.kind === 'static';
  let cls = named;
  if (site.kind === 'super' && !named.isInterface && method.owner.superclass !== null) cls = method.owner.superclass;
  let target: Method | null;
  if (site.kind === 'super') {
    target = named.isInterface ? named.findMethod(site.signature) : cls.resolve(site.signature);
  } else {
    target = findMember(vm, cls, site.signature, isStatic || site.kind === 'direct');
  }
  if (target === null || (site.kind === 'super' && target.isAbstract)) {
    target = missingMethod(vm, cls, site, isStatic);
  } else if (target.isStatic !== isStatic) {
    throw vm.exception(
      'Ljava/lang/IncompatibleClassChangeError;',
      `The method '${target.label}' was expected to be of type ${site.kind} but instead was found to be of type ${target.isStatic ? 'static' : 'virtual'}`,
    );
  }
  if (isStatic) vm.initialise(target.owner);
  site.target = target;
}

function findMember(vm: Runtime, cls: LinkedClass, signature: string, isDirect: boolean): Method | null {
  const found = cls.findMethod(signature);
  // Constructors are not inherited. A modelled class without one takes its superclass's; that of Object would set no state.
  if (found !== null && isDirect && found.isConstructor && found.owner !== cls) {
    return !cls.isApp && found.owner.superclass !== null ? found : null;
  }
  if (found !== null) return found;
  return cls.isInterface || cls.isArray ? vm.linker.get('Ljava/lang/Object;').findMethod(signature) : null;
}

function missingMethod(vm: Runtime, cls: LinkedClass, site: CallSite, isStatic: boolean): Method {
  const owner = site.signature.startsWith('<init>') ? (cls.isApp ? null : cls) : platformOwner(cls);
  // Of a constructor that has no model, the owner is the class itself.
  if (owner !== null) return vm.madeUpMethod(owner, site.signature, isStatic);
  throw vm.exception(
    'Ljava/lang/NoSuchMethodError;',
    `No ${site.kind} method ${site.signature} in class ${cls.descriptor} or its super classes`,
  );
}
