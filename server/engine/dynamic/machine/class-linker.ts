// Finds classes by descriptor, in models and dex files, and links them. Knows no instructions and runs nothing.
import { classData, type EncodedMethod } from '../../formats/dex/class-data.ts';
import { type Dex, noIndex } from '../../formats/dex/dex.ts';
import type { HeapObject, JavaThrow, Taint, Value } from './heap.ts';
import { flags, LinkedClass, Method, primitiveNames } from './linked-class.ts';
import { type ModelClass, type Models, type NativeMethods, type PlatformClass, plainSignature } from './model.ts';

/** What linking asks of the machine. */
export interface LinkerHost {
  exception(descriptor: string, message: string): JavaThrow;
  string(text: string, taint?: Taint): Value;
  unmodelled(what: string): void;
  /** What a class extends that no model has. */
  platformClass(descriptor: string): PlatformClass | null;
  classLinked(cls: LinkedClass): void;
  /** @throws the run's end where there are too many classes */
  countClass(): void;
}

/**
 * Packages of which a device has every class: one that no model has is made up. Libraries that apps bundle are not
 * among them.
 */
const platformPackages =
  /^L(?:java|javax|android|dalvik|libcore|sun|org\/json|org\/xml|org\/w3c|org\/xmlpull|org\/apache\/http|org\/apache\/commons\/logging|org\/apache\/harmony|com\/android\/internal|com\/android\/org|com\/android\/okhttp|com\/android\/server|com\/android\/i18n|com\/google\/android\/maps|com\/sec|com\/samsung|com\/huawei\/android)\//;
const bundledPackages = /^Landroid\/(?:support|arch)\//;

/** Superclasses above each other; no compiler's output comes near. */
const maxDepth = 200;

/** Where loaded dex came from, and what its classes belong to. */
interface DexSource {
  readonly dex: Dex;
  readonly loader: HeapObject | null;
}

export class ClassLinker {
  readonly #host: LinkerHost;
  readonly #models: Models[];
  readonly #sources: DexSource[] = [];
  readonly #classes = new Map<string, LinkedClass>();
  /** Descriptors that nothing defines, until more dex is loaded. */
  readonly #missing = new Set<string>();
  readonly #linking = new Set<string>();

  constructor(host: LinkerHost, models: readonly Models[]) {
    this.#host = host;
    this.#models = [...models];
    for (const descriptor of Object.keys(primitiveNames)) {
      const cls = new LinkedClass({
        descriptor,
        superclass: null,
        interfaces: [],
        accessFlags: flags.public | flags.final | flags.abstract,
      });
      cls.status = 'initialised';
      this.#classes.set(descriptor, cls);
    }
  }

  addDex(dex: Dex, loader: HeapObject | null): void {
    this.#sources.push({ dex, loader });
    this.#missing.clear();
  }

  get dexFiles(): readonly Dex[] {
    return this.#sources.map((source) => source.dex);
  }

  /** Every class linked so far. */
  get linked(): Iterable<LinkedClass> {
    return this.#classes.values();
  }

  isPlatform(descriptor: string): boolean {
    return platformPackages.test(descriptor) && !bundledPackages.test(descriptor);
  }

  /**
   * The class, made up where the platform should have it; null where neither the app nor the platform has it. @throws
   * JavaThrow where it cannot be linked
   */
  find(descriptor: string): LinkedClass | null {
    const known = this.#classes.get(descriptor);
    if (known !== undefined) return known;
    if (this.#missing.has(descriptor)) return null;
    return this.#define(descriptor);
  }

  /** Null also where a platform class would have to be made up. */
  findDefined(descriptor: string): LinkedClass | null {
    const known = this.#classes.get(descriptor);
    if (known !== undefined) return known.isUnmodelled ? null : known;
    let element = descriptor;
    while (element.startsWith('[')) element = element.slice(1);
    const isDefined =
      element.length === 1
        ? element in primitiveNames
        : this.#modelOf(element) !== null || this.#sources.some(({ dex }) => dex.classByDescriptor(element) >= 0);
    return isDefined ? this.find(descriptor) : null;
  }

  /** @throws JavaThrow NoClassDefFoundError where nothing defines it */
  get(descriptor: string): LinkedClass {
    const cls = this.#classes.get(descriptor) ?? this.find(descriptor);
    if (cls !== null) return cls;
    throw this.#host.exception('Ljava/lang/NoClassDefFoundError;', `Failed resolution of: ${descriptor}`);
  }

  #modelOf(descriptor: string): ModelClass | null {
    for (const models of this.#models) {
      if (Object.hasOwn(models, descriptor)) return models[descriptor]!;
    }
    return null;
  }

  #define(descriptor: string): LinkedClass | null {
    this.#host.countClass();
    if (this.#linking.has(descriptor)) {
      throw this.#host.exception('Ljava/lang/ClassCircularityError;', descriptor);
    }
    this.#linking.add(descriptor);
    try {
      const cls = this.#link(descriptor);
      if (cls === null) {
        this.#missing.add(descriptor);
        return null;
      }
      this.#classes.set(descriptor, cls);
      if (cls.isApp) this.#host.classLinked(cls);
      return cls;
    } finally {
      this.#linking.delete(descriptor);
    }
  }

  #link(descriptor: string): LinkedClass | null {
    if (descriptor.startsWith('[')) return this.#linkArray(descriptor);
    const model = this.#modelOf(descriptor);
    if (model !== null) return this.#linkModel(descriptor, model);
    if (!descriptor.startsWith('L') || !descriptor.endsWith(';')) return null;
    for (const { dex, loader } of this.#sources) {
      const index = dex.classByDescriptor(descriptor);
      if (index >= 0) return this.#linkDex(dex, index, loader);
    }
    return this.isPlatform(descriptor) ? this.#makeUp(descriptor) : null;
  }

  #linkArray(descriptor: string): LinkedClass | null {
    // Array types have at most 255 dimensions: https://docs.oracle.com/javase/specs/jvms/se17/html/jvms-4.html#jvms-4.4.1
    const dimensions = descriptor.search(/[^[]/);
    if (dimensions < 0 || dimensions > 255) return null;
    const component = this.find(descriptor.slice(1));
    if (component === null || component.descriptor === 'V') return null;
    const cls = new LinkedClass({
      descriptor,
      superclass: this.get('Ljava/lang/Object;'),
      interfaces: [this.get('Ljava/lang/Cloneable;'), this.get('Ljava/io/Serializable;')],
      accessFlags: (component.accessFlags & flags.public) | flags.final | flags.abstract,
      component,
    });
    cls.status = 'initialised';
    return cls;
  }

  #superclass(descriptor: string, of: string): LinkedClass {
    if (this.#linking.size > maxDepth) {
      throw this.#host.exception('Ljava/lang/ClassCircularityError;', `${of} has too many superclasses`);
    }
    return this.get(descriptor);
  }

  #linkModel(descriptor: string, model: ModelClass): LinkedClass {
    const isInterface = model.isInterface ?? false;
    const superclass =
      descriptor === 'Ljava/lang/Object;' || isInterface
        ? null
        : this.#superclass(model.extends ?? 'Ljava/lang/Object;', descriptor);
    const cls = new LinkedClass({
      descriptor,
      superclass,
      interfaces: (model.implements ?? []).map((name) => this.#superclass(name, descriptor)),
      accessFlags:
        flags.public |
        (isInterface ? flags.interface | flags.abstract : 0) |
        (model.isAbstract ? flags.abstract : 0) |
        (superclass?.descriptor === 'Ljava/lang/Enum;' ? flags.enum : 0),
      model,
    });
    for (const field of model.fields ?? []) {
      const [name = '', type = 'I'] = field.split(':');
      cls.addField(name, type, flags.public);
    }
    let hasInitialiser = false;
    for (const [key, value] of Object.entries(model.constants ?? {})) {
      const [name = '', type = 'I'] = key.split(':');
      const field = cls.addField(name, type, flags.public | flags.static | flags.final);
      if (typeof value === 'function') hasInitialiser = true;
      else cls.statics[field.slot] = typeof value === 'string' ? this.#host.string(value) : value;
    }
    const add = (methods: NativeMethods | undefined, accessFlags: number, isPure: boolean) => {
      if (methods === undefined) return;
      for (const [key, native] of Object.entries(methods)) {
        const signature = plainSignature(key);
        const name = signature.slice(0, signature.indexOf('('));
        const extra = name === '<init>' ? flags.constructor : 0;
        const required = requiredArguments(key, (accessFlags & flags.static) !== 0);
        const method = new Method(cls, name, signature, accessFlags | extra, { native, isPure, required });
        cls.methods.set(signature, method);
      }
    };
    for (const signature of model.abstractMethods ?? []) {
      const name = signature.slice(0, signature.indexOf('('));
      cls.methods.set(signature, new Method(cls, name, signature, flags.public | flags.abstract, {}));
    }
    add(model.methods, flags.public, false);
    add(model.pure, flags.public, true);
    add(model.staticMethods, flags.public | flags.static, false);
    add(model.pureStatic, flags.public | flags.static, true);
    if (!hasInitialiser) cls.status = 'initialised';
    return cls;
  }

  #makeUp(descriptor: string): LinkedClass {
    this.#host.unmodelled(descriptor);
    const known = this.#host.platformClass(descriptor);
    const cls = new LinkedClass({
      descriptor,
      superclass: this.get(known?.superclass ?? guessedSuperclass(descriptor)),
      interfaces: (known?.interfaces ?? []).map((name) => this.get(name)),
      accessFlags: flags.public,
      isUnmodelled: true,
    });
    cls.status = 'initialised';
    return cls;
  }

  #linkDex(dex: Dex, index: number, loader: HeapObject | null): LinkedClass {
    const definition = dex.classDef(index);
    const descriptor = dex.className(index);
    const superclass =
      definition.superclassIndex === noIndex
        ? null
        : this.#superclass(dex.type(definition.superclassIndex), descriptor);
    const isInterface = (definition.accessFlags & flags.interface) !== 0;
    if (superclass?.isInterface) {
      throw this.#host.exception(
        'Ljava/lang/IncompatibleClassChangeError;',
        `Superclass ${superclass.name} of ${descriptor} is an interface`,
      );
    }
    const interfaces = dex
      .typeList(definition.interfacesOffset)
      .map((type) => this.#superclass(dex.type(type), descriptor))
      .filter((type) => type.isInterface || type.isUnmodelled);
    const cls = new LinkedClass({
      descriptor,
      superclass: isInterface ? null : superclass,
      interfaces,
      accessFlags: definition.accessFlags,
      isApp: true,
      dex,
      classDefIndex: index,
    });
    cls.loader = loader;
    const data = classData(dex, index);
    for (const { fieldIndex, accessFlags } of data.staticFields) {
      cls.addField(dex.fieldName(fieldIndex), dex.fieldType(fieldIndex), accessFlags | flags.static, fieldIndex);
    }
    for (const { fieldIndex, accessFlags } of data.instanceFields) {
      cls.addField(dex.fieldName(fieldIndex), dex.fieldType(fieldIndex), accessFlags & ~flags.static, fieldIndex);
    }
    const addMethod = ({ methodIndex, accessFlags, codeOffset }: EncodedMethod) => {
      const name = dex.methodName(methodIndex);
      const signature = name + dex.methodDescriptor(methodIndex);
      if (cls.methods.has(signature)) return;
      cls.methods.set(signature, new Method(cls, name, signature, accessFlags, { codeOffset, dexIndex: methodIndex }));
    };
    for (const method of data.directMethods) addMethod(method);
    for (const method of data.virtualMethods) addMethod(method);
    return cls;
  }
}

/** Indexes of the arguments that a model marks with `!`. */
function requiredArguments(key: string, isStatic: boolean): number[] {
  if (!key.includes('!')) return [];
  const parameters = key.slice(key.indexOf('('), key.indexOf(')')).match(/!?\[*(?:[ZBSCIJFD]|L[^;]*;)/g) ?? [];
  return parameters.flatMap((type, index) => (type.startsWith('!') ? [isStatic ? index : index + 1] : []));
}

/** What a platform class that nothing models most likely extends, by its name: so that it can be thrown, started, shown. */
function guessedSuperclass(descriptor: string): string {
  if (/Error;$/.test(descriptor)) return 'Ljava/lang/Error;';
  if (/Exception;$/.test(descriptor)) {
    if (descriptor.startsWith('Ljava/io/') || descriptor.startsWith('Ljava/net/')) return 'Ljava/io/IOException;';
    return 'Ljava/lang/RuntimeException;';
  }
  return 'Ljava/lang/Object;';
}
