// Java sources of the classes that an APK names and does not have, with as much of each as the app's own code tells. Knows no javac.
import { ClassRelations } from '../../server/engine/code/types/class-relations.ts';
import type { GenericType, TypeParameter } from '../../server/engine/code/types/generic-signatures.ts';
import { platformClass, platformMethod } from '../../server/engine/code/types/platform-generics.ts';
import { annotationsAt } from '../../server/engine/formats/dex/annotations.ts';
import { classData } from '../../server/engine/formats/dex/class-data.ts';
import { codeAt, tryBlocksOf } from '../../server/engine/formats/dex/code-item.ts';
import type { Dex } from '../../server/engine/formats/dex/dex.ts';
import type { EncodedValue } from '../../server/engine/formats/dex/encoded-value.ts';
import { instructionAt } from '../../server/engine/formats/dex/instruction.ts';

interface Stub {
  readonly type: string;
  isInterface: boolean;
  isThrown: boolean;
  /** The head of the one method that a lambda of it has. */
  asked?: string;
  /** Elements where it is an annotation. */
  elements: Map<string, string> | null;
  readonly members: Set<string>;
  readonly nested: Map<string, Stub>;
}

const accProtected = 0x4;
const accSynthetic = 0x1000;
const primitives: Readonly<Record<string, string>> = {
  ...{ V: 'void', Z: 'boolean', B: 'byte', S: 'short', C: 'char', I: 'int', J: 'long', F: 'float', D: 'double' },
};
const elementTypes: Readonly<Partial<Record<EncodedValue['kind'], string>>> = {
  ...{ boolean: 'boolean', byte: 'byte', short: 'short', char: 'char', int: 'int', long: 'long', float: 'float' },
  ...{ double: 'double', string: 'String', type: 'Class' },
};

/** A class's names as the decompiler writes them: `a.b`, then `Outer`, `Inner`. */
function pathOf(type: string): { packageName: string; names: string[] } {
  const slash = type.lastIndexOf('/');
  const name = type.slice(slash < 0 ? 1 : slash + 1, -1);
  const names = /^[^$].*[^$]$/.test(name) ? name.split('$').map((part) => part.replace(/^(?=[0-9])/, '_')) : [name];
  return { packageName: slash < 0 ? '' : type.slice(1, slash).replaceAll('/', '.'), names };
}

function javaType(type: string): string {
  if (type.startsWith('[')) return `${javaType(type.slice(1))}[]`;
  if (type.length === 1) return primitives[type] ?? 'Object';
  const { packageName, names } = pathOf(type);
  return [...(packageName === '' ? [] : [packageName]), ...names].join('.');
}

/** A type of a signature as Java has it. */
function genericType(type: GenericType): string {
  if (type.kind === 'primitive') return javaType(type.descriptor);
  if (type.kind === 'variable') return type.name;
  if (type.kind === 'array') return `${genericType(type.element)}[]`;
  const given = type.arguments.map((each) => {
    if (each.kind === 'any') return '?';
    return each.kind === 'exact' ? genericType(each.type) : `? ${each.kind} ${genericType(each.type)}`;
  });
  return javaType(type.descriptor) + (given.length === 0 ? '' : `<${given.join(', ')}>`);
}

const genericParameters = (parameters: readonly TypeParameter[]): string =>
  parameters.length === 0
    ? ''
    : `<${parameters.map(({ name, bounds }) => `${name} extends ${bounds.map(genericType).join(' & ')}`).join(', ')}>`;

const answer = (returns: string): string =>
  returns === 'V' ? '' : returns === 'Z' ? 'return false;' : /^[L[]/.test(returns) ? 'return null;' : 'return 0;';

export class Stubs {
  readonly #relations: ClassRelations;
  readonly #tops = new Map<string, Stub>();
  readonly #isJava: (type: string) => boolean;
  /** `La/B;->name(I)V`, `La/B;->name:I` */
  readonly #declared = new Set<string>();
  /** Methods that classes of the app give to those below them alone: what they override does too. */
  readonly #protected = new Set<string>();

  /** @param isJava whether javac has a class itself */
  constructor(dexes: readonly Dex[], isJava: (type: string) => boolean) {
    this.#relations = new ClassRelations(dexes);
    this.#isJava = isJava;
    for (const dex of dexes) for (let index = 0; index < dex.classCount; index++) this.#members(dex, index);
    for (const dex of dexes) {
      for (let index = 0; index < dex.typeCount; index++) this.#stub(dex.type(index));
      for (let index = 0; index < dex.classCount; index++) this.#class(dex, index);
    }
  }

  /** What the app's classes declare themselves. */
  #members(dex: Dex, index: number): void {
    const { directMethods, virtualMethods, staticFields, instanceFields } = classData(dex, index);
    for (const { methodIndex, accessFlags } of [...directMethods, ...virtualMethods]) {
      this.#declared.add(dex.method(methodIndex));
      if ((accessFlags & accProtected) !== 0)
        this.#protected.add(dex.methodName(methodIndex) + dex.methodDescriptor(methodIndex));
    }
    for (const { fieldIndex } of [...staticFields, ...instanceFields]) this.#declared.add(dex.field(fieldIndex));
  }

  /** The stub that a member comes from: of the class that the code names, or the nearest above it that the app does not have. */
  #holder(owner: string, member: string): Stub | null {
    for (const type of this.#relations.above(owner)) {
      if (this.#declared.has(`${type}->${member}`)) return null;
      if (type !== 'Ljava/lang/Object;' && this.#relations.placeOf(type) === null) return this.#stub(type);
    }
    return null;
  }

  #stub(type: string): Stub | null {
    const element = type.replace(/^\[+/, '');
    if (!/^L[\w$/]+;$/.test(element) || this.#relations.placeOf(element) !== null || this.#isJava(element)) return null;
    const { packageName, names } = pathOf(element);
    let level = this.#tops;
    let stub: Stub | undefined;
    for (const [depth, name] of names.entries()) {
      const key = depth === 0 ? `${packageName} ${name}` : name;
      const outer = element.slice(0, element.lastIndexOf('/') + 1) + names.slice(0, depth + 1).join('$');
      stub = level.get(key);
      if (stub === undefined) {
        stub = {
          ...{ type: `${outer};`, isInterface: this.#relations.isInterface(`${outer};`), isThrown: false },
          ...{ elements: null, members: new Set(), nested: new Map() },
        };
        level.set(key, stub);
        const { superclass = null, interfaces = [] } = this.#relations.factsOf(stub.type) ?? {};
        for (const above of [superclass, ...interfaces]) if (above !== null) this.#stub(above);
      }
      level = stub.nested;
    }
    return stub!;
  }

  #class(dex: Dex, index: number): void {
    const { interfacesOffset, annotationsOffset } = dex.classDef(index);
    for (const each of dex.typeList(interfacesOffset)) this.#asInterface(dex.type(each));
    const { ofClass, ofFields, ofMethods, ofParameters } = annotationsAt(dex, annotationsOffset);
    const all = [ofClass, ...ofFields.values(), ...ofMethods.values(), ...[...ofParameters.values()].flat()].flat();
    for (const { typeIndex, elements, visibility } of all) {
      const stub = visibility === 'system' ? null : this.#stub(dex.type(typeIndex));
      if (stub === null) continue;
      stub.elements ??= new Map();
      for (const { nameIndex, value } of elements) stub.elements.set(dex.string(nameIndex), elementType(dex, value));
    }
    const { directMethods, virtualMethods } = classData(dex, index);
    if (virtualMethods.length === 1) this.#lambda(dex, index, virtualMethods[0]!.methodIndex);
    for (const { codeOffset } of [...directMethods, ...virtualMethods]) this.#code(dex, codeOffset);
  }

  /** What a class that a compiler made of a lambda does is what its interface asks for. */
  #lambda(dex: Dex, index: number, methodIndex: number): void {
    const { accessFlags, interfacesOffset } = dex.classDef(index);
    const [only, ...others] = dex.typeList(interfacesOffset).map((each) => this.#stub(dex.type(each)));
    if ((accessFlags & accSynthetic) === 0 || !only || others.length > 0 || !dex.className(index).includes('Lambda'))
      return;
    const proto = dex.methodProtoIndex(methodIndex);
    const parameters = dex.protoParameters(proto).map((type, place) => `${javaType(type)} p${place}`);
    const head = `${javaType(dex.protoReturnType(proto))} ${dex.methodName(methodIndex)}(${parameters.join(', ')})`;
    only.asked = head;
  }

  #asInterface(type: string): void {
    const stub = this.#stub(type);
    if (stub !== null) stub.isInterface = true;
  }

  #code(dex: Dex, offset: number): void {
    const code = codeAt(dex, offset);
    if (code === null) return;
    for (const { handlers } of tryBlocksOf(dex, code))
      for (const { typeIndex } of handlers) {
        const stub = this.#stub(dex.type(typeIndex));
        if (stub !== null) stub.isThrown = true;
      }
    for (let at = 0; at < code.units.length; ) {
      const { opcode, index, length } = instructionAt(code.units, at);
      at += Math.max(1, length);
      if (opcode.index === 'method') this.#method(dex, index, opcode.mnemonic);
      else if (opcode.index === 'field') this.#field(dex, index, /^s(?:get|put)/.test(opcode.mnemonic));
    }
  }

  #method(dex: Dex, index: number, mnemonic: string): void {
    const name = dex.methodName(index);
    const descriptor = dex.methodDescriptor(index);
    const stub = this.#holder(dex.methodClass(index), name + descriptor);
    if (stub === null) return;
    if (mnemonic.startsWith('invoke-interface') && stub.type === dex.methodClass(index)) stub.isInterface = true;
    const proto = dex.methodProtoIndex(index);
    const taken = dex.protoParameters(proto);
    const said = platformMethod(stub.type, `${name}(${taken.join('')})`);
    const parameters = (said?.takes.map(genericType) ?? taken.map(javaType)).map((type, place) => `${type} p${place}`);
    const returns = dex.protoReturnType(proto);
    const given = said === null ? javaType(returns) : genericType(said.gives);
    const own = said === null ? '' : `${genericParameters(said.parameters)} `;
    const isStatic = mnemonic.startsWith('invoke-static');
    const body = `(${parameters.join(', ')}) { ${answer(returns)} }`;
    const access = this.#protected.has(name + descriptor) ? 'protected' : 'public';
    if (name === '<init>') stub.members.add(`public <init>${body}`);
    else stub.members.add(`${access} ${isStatic ? 'static' : '<default>'} ${own}${given} ${name}${body}`);
  }

  #field(dex: Dex, index: number, isStatic: boolean): void {
    const type = dex.fieldType(index);
    const value = type === 'Z' ? 'false' : /^[L[]/.test(type) ? 'null' : `(${javaType(type)}) 0`;
    this.#holder(dex.fieldClass(index), `${dex.fieldName(index)}:${type}`)?.members.add(
      `public ${isStatic ? 'static ' : ''}${javaType(type)} ${dex.fieldName(index)} = ${value};`,
    );
  }

  /** By path within the sources; each member stands on a line of its own. */
  *sources(): Generator<{ path: string; text: string }> {
    for (const [key, stub] of this.#tops) {
      const [packageName, name] = key.split(' ') as [string, string];
      const lines = [...(packageName === '' ? [] : [`package ${packageName};`]), ...this.#lines(stub, name, 'public')];
      yield {
        path: `${packageName === '' ? '' : `${packageName.replaceAll('.', '/')}/`}${name}.java`,
        text: lines.join('\n'),
      };
    }
  }

  #lines(
    { type, isInterface, isThrown, asked, elements, members, nested }: Stub,
    name: string,
    words: string,
  ): string[] {
    const inner = [...nested].flatMap(([each, stub]) => this.#lines(stub, each, 'public static'));
    if (elements !== null)
      return [`${words} @interface ${name} {`, ...[...elements].map(([each, of]) => `${of} ${each}();`), ...inner, '}'];
    const facts = this.#relations.factsOf(type);
    if (facts?.superclass === 'Ljava/lang/Enum;') {
      const constant = new RegExp(`^public static ${javaType(type).replaceAll('.', '\\.')} (\\w+) = null;$`);
      const constants = [...members].flatMap((member) => member.match(constant)?.[1] ?? []);
      return [`${words} enum ${name} {`, `${constants.join(', ')};`, ...inner, '}'];
    }
    const above = isInterface ? '' : (facts?.superclass ?? (isThrown ? 'Ljava/lang/RuntimeException;' : ''));
    const said = platformClass(type);
    const sayAbove = (each: string) =>
      genericType(
        [...(said === null ? [] : [said.superclass, ...said.interfaces])].find(
          ({ descriptor }) => descriptor === each,
        ) ?? {
          ...{ kind: 'class', descriptor: each, arguments: [] },
        },
      );
    const extended = above === '' || above === 'Ljava/lang/Object;' ? '' : ` extends ${sayAbove(above)}`;
    const list = (facts?.interfaces ?? []).map(sayAbove).join(', ');
    const interfaces = list === '' ? '' : `${isInterface ? ' extends' : ' implements'} ${list}`;
    const plain =
      isInterface || [...members].some((member) => member.startsWith('public <init>()'))
        ? []
        : [`public ${name}() { }`];
    const own = [...members, ...(asked === undefined ? [] : [`public abstract ${asked};`])]
      .filter((member) => asked === undefined || !member.startsWith(`public <default> ${asked} {`))
      .map((member) => member.replace('<init>', name).replace('<default>', isInterface ? 'default' : ''));
    const kind = isInterface ? 'interface' : /* Java wants what its interfaces ask for. */ 'abstract class';
    return [
      `${words} ${kind} ${name}${genericParameters(said?.parameters ?? [])}${extended}${interfaces} {`,
      ...plain,
      ...own,
      ...inner,
      '}',
    ];
  }
}

function elementType(dex: Dex, value: EncodedValue): string {
  if (value.kind === 'enum') return javaType(dex.fieldType(value.index));
  if (value.kind === 'annotation') return javaType(dex.type(value.annotation.typeIndex));
  if (value.kind !== 'array') return elementTypes[value.kind] ?? 'String';
  const [first] = value.values;
  return `${first === undefined ? 'String' : elementType(dex, first)}[]`;
}
