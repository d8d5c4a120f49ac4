// Writes a class as Java, with those that stand in it. Knows no control flow.
import { BadCode } from '../../code/method-body.ts';
import { isReference, object } from '../../code/values/operands.ts';
import { allMethods, type EncodedField, type EncodedMethod } from '../../formats/dex/class-data.ts';
import type { EncodedValue } from '../../formats/dex/encoded-value.ts';
import { EncodedValueReader } from '../../formats/dex/encoded-value.ts';
import { accessFlagWords } from '../../formats/dex/smali.ts';
import { smaliMethodBody } from '../../formats/dex/smali-method.ts';
import type { Call, Expression, Local, Statement } from '../expressions/tree.ts';
import {
  callsConstructor,
  isConstructorCall,
  type SplitConstructor,
  splitConstructor,
} from '../language/constructors.ts';
import {
  type EnumConstant,
  type EnumShape,
  enumShape,
  givenParameters,
  isEnum,
  isGiven,
  mentions,
  withoutGiven,
} from '../language/enums.ts';
import { fieldKey, ownStatic, type StaticValues, staticValues, writtenIn } from '../language/static-fields.ts';
import { TooLate, Unsayable } from '../limits.ts';
import { type MethodSource, methodSource, type SourcePlace } from '../method.ts';
import { canComplete } from '../structure/jumps.ts';
import { replaceIn, replaceParts, valuesFor } from '../structure/replacement.ts';
import { AnnotationPrinter, constantOf } from './annotations.ts';
import type { CheckedExceptions } from './exceptions.ts';
import { ExpressionPrinter } from './expressions.ts';
import { commentText, identifier, isIdentifier } from './identifiers.ts';
import { binaryName, type Program, type SourceClass, systemValue } from './program.ts';
import { nameLocals, StatementPrinter } from './statements.ts';
import type { TypeNames } from './type-names.ts';
import type { Writer } from './writer.ts';

const acc = {
  public: 1,
  private: 2,
  protected: 4,
  static: 8,
  final: 0x10,
  varargs: 0x80,
  native: 0x100,
  interface: 0x200,
  abstract: 0x400,
  synthetic: 0x1000,
  annotation: 0x2000,
  enum: 0x4000,
} as const;

export interface Counts {
  methods: number;
  lost: number;
  unresolved: number;
  dispatched: number;
  /** Those lost because the time for the file was over. */
  late: number;
}

export interface FilePlace extends SourcePlace {
  readonly names: TypeNames;
  readonly writer: Writer;
  readonly exceptions: CheckedExceptions;
  readonly counts: Counts;
  /** The name under which the file's `sneak` is called, and whether it was. */
  readonly sneak: { readonly call: string; isUsed: boolean };
}

/** Writes a class with its modifiers and all in it. */
export function writeClass(file: FilePlace, type: string, after?: () => void): void {
  new ClassPrinter(file, type).run(after);
}

class ClassPrinter {
  readonly #file: FilePlace;
  readonly #class: SourceClass;
  readonly #type: string;
  readonly #flags: number;
  readonly #isInterface: boolean;
  readonly #isEnum: boolean;
  #shape: EnumShape | null = null;
  /** What the static initialiser does, where it could be read. */
  #initial: (StaticValues & { source: MethodSource }) | null = null;
  readonly #annotations: AnnotationPrinter;

  constructor(file: FilePlace, type: string) {
    this.#file = file;
    this.#type = type;
    this.#class = file.program.classOf(type)!;
    this.#flags = this.#class.dex.classDef(this.#class.classIndex).accessFlags;
    this.#isInterface = (this.#flags & acc.interface) !== 0;
    this.#isEnum = isEnum(file.program.relations.factsOf(type)?.superclass ?? null, this.#flags);
    this.#annotations = new AnnotationPrinter({ ...file, owner: type, isInitialiser: true }, this.#class.dex);
  }

  run(after?: () => void): void {
    const { writer, program } = this.#file;
    this.#head();
    writer.text(' {');
    writer.indented(() => {
      if (this.#isEnum) this.#constants();
      else this.#readInitialiser();
      this.#fields();
      for (const method of allMethods(this.#class.data)) this.#method(method);
      for (const inner of program.innerOf(this.#type)) {
        if (program.isConstantBody(inner)) continue;
        writer.text('\n').line();
        writeClass(this.#file, inner);
      }
      after?.();
    });
    writer.line().text('}');
  }

  /** The body of an enum's constant, which has no head and no constructor. @param made what its code does in one */
  runBody({ locals, statements }: Pick<MethodSource, 'locals' | 'statements'>): void {
    const { writer } = this.#file;
    writer.text(' {');
    writer.indented(() => {
      this.#fields();
      if (statements.length > 0) {
        this.#nameAll(locals);
        writer.text('\n').line();
        const printer = this.#statements('V', []);
        this.#body(printer, initialiser(statements), []);
        this.#file.counts.unresolved += printer.expressions.unresolved;
      }
      for (const method of allMethods(this.#class.data)) {
        if (this.#class.dex.methodName(method.methodIndex) === '<init>') this.#file.counts.methods++;
        else this.#method(method);
      }
      for (const inner of this.#file.program.innerOf(this.#type)) {
        writer.text('\n').line();
        writeClass(this.#file, inner);
      }
    });
    writer.line().text('}');
  }

  #constants(): void {
    const { writer, program, counts } = this.#file;
    const { dex, data } = this.#class;
    const before = { ...counts };
    const initialiser = allMethods(data).find(({ methodIndex }) => dex.methodName(methodIndex) === '<clinit>');
    writer.line();
    const mark = writer.mark();
    try {
      if (initialiser !== undefined) this.#shape = this.#enumShape(initialiser);
      for (const [index, constant] of (this.#shape?.constants ?? []).entries()) {
        if (index > 0) writer.text(',').line();
        this.#enumConstant(constant);
      }
      writer.text(';');
    } catch (error) {
      if (!(error instanceof BadCode || error instanceof Unsayable)) throw error;
      this.#shape = null;
      writer.rewind(mark);
      Object.assign(counts, before);
      for (const body of program.innerOf(this.#type).filter((each) => program.isConstantBody(each))) {
        const { length } = allMethods(program.classOf(body)!.data);
        counts.methods += length;
        counts.lost += length;
      }
      const names = data.staticFields
        .filter(({ accessFlags }) => (accessFlags & acc.enum) !== 0)
        .map(({ fieldIndex }) => program.fieldName(this.#type, dex.fieldName(fieldIndex), dex.fieldType(fieldIndex)));
      writer.text(`${names.join(', ')};`);
      const isPlain = allMethods(data).some(
        ({ methodIndex }) =>
          dex.methodName(methodIndex) === '<init>' &&
          dex.protoParameters(dex.methodProtoIndex(methodIndex)).length === givenParameters,
      );
      if (!isPlain) writer.line().text(`${program.simpleName(this.#type)}() {}`);
    }
  }

  #enumShape(method: EncodedMethod): EnumShape {
    const { program } = this.#file;
    const source = methodSource(this.#file, this.#class.dex, this.#type, method);
    this.#nameAll(source.locals);
    return enumShape(this.#type, source.statements, ({ owner, name, type }) =>
      program.isValuesField(owner, name, type),
    );
  }

  #enumConstant({ field, call, body }: EnumConstant): void {
    const { writer, program } = this.#file;
    writer.symbol(program.fieldName(this.#type, field, this.#type), `${this.#type}->${field}:${this.#type}`, true);
    const [given] = call.values;
    if (given?.kind === 'string' && given.value !== field) {
      writer.text(` /* its name() is ${commentText(given.value)} in the code */`);
    }
    const made = body === null ? null : this.#madeBy(call);
    const passed = made?.passed ?? call;
    this.#inInitialiser(call.at, () => {
      if (passed.values.length > givenParameters)
        this.#expressions().arguments({ ...passed, owner: this.#type }, givenParameters);
    });
    if (body !== null && made !== null) new ClassPrinter(this.#file, body).runBody(made);
  }

  /** What the constructor of a constant's own class passes to that of the enum, and what it does then. */
  #madeBy(call: Call): { passed: Call } & Pick<MethodSource, 'locals' | 'statements'> {
    const { program } = this.#file;
    const found = program.findMethod(call.owner, '<init>', `(${call.parameters.join('')})V`);
    if (found === null) throw new Unsayable('an enum whose constants have no constructor');
    const source = methodSource(this.#file, found.place.dex, call.owner, found.method);
    const [first, ...statements] = source.statements;
    if (first?.kind !== 'do' || first.expression.kind !== 'call' || first.expression.how !== 'constructor')
      throw new Unsayable('an enum whose constants do things before they are made');
    const [self, ...parameters] = source.parameters;
    if (parameters.some((parameter) => mentions(statements, parameter)))
      throw new Unsayable('an enum whose constants keep what they are given');
    self!.name = 'this';
    const values = new Map<Local, Expression>(parameters.map((parameter, index) => [parameter, call.values[index]!]));
    const passed = replaceIn(first.expression, valuesFor(values)) as Call;
    return { passed, locals: source.locals, statements };
  }

  #nameAll(locals: readonly Local[]): void {
    const { program } = this.#file;
    const { dex, data } = this.#class;
    // Static fields of the class stand by their names alone.
    const fields = data.staticFields.map(({ fieldIndex: field }) =>
      program.fieldName(this.#type, dex.fieldName(field), dex.fieldType(field)),
    );
    const fieldNames = new Set(fields);
    nameLocals(
      locals,
      (taken) => program.isTypeName(taken) || fieldNames.has(taken),
      (local) => nameFor(local, program),
    );
  }

  #head(): void {
    const { writer, program, names } = this.#file;
    const facts = program.relations.factsOf(this.#type)!;
    const original = binaryName(this.#type);
    const name = program.simpleName(this.#type);
    if (!original.endsWith(name)) writer.text(`/* ${commentText(this.#type)} */`).line();
    this.#annotations.write(this.#class.annotations.ofClass, () => writer.line());
    const words: string[] = [];
    const isNested = program.outerOf(this.#type) !== null;
    if ((this.#flags & acc.public) !== 0) words.push('public');
    if (isNested) words.push('static');
    if (this.#isEnum) words.push('enum');
    else if (!this.#isInterface && (this.#flags & acc.abstract) !== 0) words.push('abstract');
    else if (!this.#isInterface && (this.#flags & acc.final) !== 0) words.push('final');
    if (this.#isInterface) words.push((this.#flags & acc.annotation) !== 0 ? '@interface' : 'interface');
    else if (!this.#isEnum) words.push('class');
    writer.text(`${words.join(' ')} `).symbol(name, this.#type, true);
    if (facts.superclass !== null && !impliedSupers.has(facts.superclass) && !this.#isEnum) {
      writer.text(' extends ');
      names.write(writer, facts.superclass);
    }
    const interfaces = [...new Set(facts.interfaces)].filter(
      (each) => (this.#flags & acc.annotation) === 0 || each !== 'Ljava/lang/annotation/Annotation;',
    );
    for (const [index, each] of interfaces.entries()) {
      writer.text(index > 0 ? ', ' : this.#isInterface ? ' extends ' : ' implements ');
      names.write(writer, each);
    }
  }

  #fields(): void {
    const values = this.#encodedValues();
    for (const [index, field] of this.#class.data.staticFields.entries()) this.#field(field, values[index]);
    for (const field of this.#class.data.instanceFields) this.#field(field, undefined);
  }

  #encodedValues(): readonly EncodedValue[] {
    const { dex, classIndex } = this.#class;
    const { staticValuesOffset } = dex.classDef(classIndex);
    return staticValuesOffset === 0 ? [] : new EncodedValueReader(dex).arrayAt(staticValuesOffset);
  }

  #field({ fieldIndex, accessFlags }: EncodedField, encoded: EncodedValue | undefined): void {
    const { writer, names, program } = this.#file;
    const { dex, annotations } = this.#class;
    const type = dex.fieldType(fieldIndex);
    const original = dex.fieldName(fieldIndex);
    if (this.#isEnum && ((accessFlags & acc.enum) !== 0 || program.isValuesField(this.#type, original, type))) return;
    const name = program.fieldName(this.#type, original, type);
    writer.line();
    this.#annotations.write(annotations.ofFields.get(fieldIndex) ?? [], () => writer.line());
    if (name !== original) writer.text(`/* ${commentText(original)} */ `);
    const key = fieldKey({ name: original, type });
    const computed = this.#initial?.values.get(key);
    const isFinal = (accessFlags & acc.final) !== 0 && computed !== undefined && !isConstantValue(computed);
    const words = accessFlagWords(accessFlags & 0xff & ~(isFinal ? 0 : acc.final), 'field');
    if (words.length > 0) writer.text(`${words.join(' ')} `);
    names.write(writer, type);
    writer.text(' ').symbol(name, dex.field(fieldIndex), true);
    const value = computed ?? (encoded === undefined ? null : (constantOf(dex, encoded)?.constant ?? null));
    if (value !== null) {
      writer.text(' = ');
      const write = () => this.#expressions().write(value, type);
      if (computed === undefined) write();
      else this.#inInitialiser(value.at, write);
    } else if (this.#isInterface) writer.text(` = ${isReference(type) ? 'null' : type === 'Z' ? 'false' : '0'}`);
    writer.text(';');
  }

  /** Writes what the static initialiser does at an address. */
  #inInitialiser(address: number, write: () => void): void {
    const { writer } = this.#file;
    writer.inMethod(`${this.#type}-><clinit>()V`, () => writer.addressed(address, write));
  }

  /** Takes out of the static initialiser what can stand at the fields. */
  #readInitialiser(): void {
    const { dex, data } = this.#class;
    const method = allMethods(data).find(({ methodIndex }) => dex.methodName(methodIndex) === '<clinit>');
    if (method === undefined || method.codeOffset === 0) return;
    let source: MethodSource;
    try {
      source = methodSource(this.#file, dex, this.#type, method);
    } catch (error) {
      if (!(error instanceof BadCode || error instanceof Unsayable)) throw error;
      return;
    }
    const values = this.#encodedValues();
    const isSet = (index: number) => {
      const value = values[index];
      return value !== undefined && value.kind !== 'null' && !('value' in value && Number(value.value) === 0);
    };
    const declared: string[] = [];
    // Java gives these their values in the order of the text, Android before it runs any code.
    let given = -1;
    for (const [index, { fieldIndex, accessFlags }] of data.staticFields.entries()) {
      if (!isSet(index)) declared.push(fieldKey({ name: dex.fieldName(fieldIndex), type: dex.fieldType(fieldIndex) }));
      else if ((accessFlags & acc.final) === 0) given = declared.length;
    }
    const { exceptions } = this.#file;
    const isAllowed = (value: Expression) => exceptions.leaving([{ kind: 'do', expression: value }]).size === 0;
    const found = staticValues(this.#type, source.statements, declared.slice(Math.max(0, given)), isAllowed);
    const isWhole = found.rest.length === 0;
    this.#initial = this.#isInterface && !isWhole ? { source, ...this.#heldApart(source) } : { source, ...found };
  }

  /** An interface has no place for code: a class in it does what its initialiser does, and the fields take their values there. */
  #heldApart({ statements }: MethodSource): StaticValues {
    const { program } = this.#file;
    const values = new Map<string, Expression>();
    const written = writtenIn(statements, this.#type);
    const rest = statements.map((statement) =>
      replaceParts(statement, (part) => {
        const field = ownStatic(part, this.#type);
        if (field === null || !written.has(fieldKey(field))) return undefined;
        const name = `${initialHolder}.${program.fieldName(this.#type, field.name, field.type)}`;
        const local: Local = { id: -1, type: field.type, hint: null, role: 'parameter', isConstant: false, name };
        const held: Expression = { kind: 'local', local, at: part.at };
        values.set(fieldKey(field), held);
        return held;
      }),
    );
    return { values, rest };
  }

  #expressions(): ExpressionPrinter {
    return new ExpressionPrinter({ ...this.#file, owner: this.#type, isInitialiser: true });
  }

  #statements(returns: string, thrown: readonly string[], isInitialiser = false): StatementPrinter {
    const { sneak } = this.#file;
    return new StatementPrinter({
      ...this.#file,
      owner: this.#type,
      isInitialiser,
      returns,
      thrown,
      sneak: () => {
        sneak.isUsed = true;
        return sneak.call;
      },
    });
  }

  #method(method: EncodedMethod): void {
    const { dex } = this.#class;
    const { counts, program, writer } = this.#file;
    counts.methods++;
    if (program.leftOutFor(this.#class, method) !== null || (this.#isEnum && isGiven(this.#class, method))) return;
    const name = dex.methodName(method.methodIndex);
    if (name === '<clinit>' && this.#initial?.rest.length === 0) return;
    writer.text('\n').line();
    const mark = writer.mark();
    this.#annotations.write(this.#class.annotations.ofMethods.get(method.methodIndex) ?? [], () => writer.line());
    if (method.codeOffset === 0) {
      this.#abstract(method, name);
      return;
    }
    try {
      writer.inMethod(dex.method(method.methodIndex), () => this.#withBody(method, name));
    } catch (error) {
      if (!(error instanceof BadCode || error instanceof Unsayable)) throw error;
      writer.rewind(mark);
      counts.lost++;
      if (error instanceof TooLate) counts.late++;
      this.#lost(method, name, error);
    }
  }

  #plainParameters(method: EncodedMethod): Local[] {
    const { dex } = this.#class;
    return dex.protoParameters(dex.methodProtoIndex(method.methodIndex)).map((type, id) => ({
      id,
      type,
      hint: null,
      role: 'parameter' as const,
      isConstant: true,
      name: `p${id}`,
    }));
  }

  #abstract(method: EncodedMethod, name: string): void {
    const { dex, annotations } = this.#class;
    this.#signature(method, name, this.#plainParameters(method));
    const defaults = systemValue(dex, annotations.ofClass, 'AnnotationDefault');
    const given =
      defaults?.kind === 'annotation'
        ? defaults.annotation.elements.find(({ nameIndex }) => dex.string(nameIndex) === name)
        : undefined;
    if (given !== undefined && (this.#flags & acc.annotation) !== 0) this.#annotations.writeDefault(given.value);
    this.#file.writer.text(';');
  }

  /** Modifiers, type, name and parameters; nothing for a static initialiser but its word. */
  #signature(method: EncodedMethod, name: string, parameters: readonly Local[]): void {
    const { writer, names, program, exceptions } = this.#file;
    const { dex } = this.#class;
    const { methodIndex } = method;
    if (name === '<clinit>') {
      writer.symbol('static', dex.method(methodIndex), true).text(' ');
      return;
    }
    let flags = method.accessFlags & ~(acc.synthetic | 0x40 | acc.varargs);
    if (this.#isEnum && name === '<init>') flags = 0;
    if (this.#isInterface && (flags & acc.abstract) !== 0) flags &= ~acc.abstract;
    // What made classes of lambdas calls their bodies from there.
    if ((method.accessFlags & acc.static) !== 0 || (method.accessFlags & acc.synthetic) !== 0) flags &= ~acc.private;
    const words = accessFlagWords(flags & 0xffff, 'method');
    if ((method.accessFlags & 0x20000) !== 0 && !words.includes('synchronized')) words.push('synchronized');
    if (this.#isInterface && (flags & (acc.static | acc.private)) === 0 && method.codeOffset !== 0)
      words.push('default');
    if (words.length > 0) writer.text(`${words.join(' ')} `);
    if (name === '<init>') writer.symbol(program.simpleName(this.#type), dex.method(methodIndex), true);
    else {
      names.write(writer, dex.protoReturnType(dex.methodProtoIndex(methodIndex)));
      const shown = program.methodName(this.#type, name, dex.methodDescriptor(methodIndex));
      writer.text(' ').symbol(shown, dex.method(methodIndex), true);
      if (shown !== name) writer.text(` /* ${commentText(name)} */`);
    }
    writer.text('(');
    this.#parameters(method, parameters);
    writer.text(')');
    const thrown = exceptions.declaredBy(this.#type, name, dex.methodDescriptor(methodIndex));
    for (const [index, type] of thrown.entries()) {
      writer.text(index > 0 ? ', ' : ' throws ');
      names.write(writer, type);
    }
    if (method.codeOffset !== 0) writer.text(' ');
  }

  #parameters(method: EncodedMethod, parameters: readonly Local[]): void {
    const { writer, names } = this.#file;
    const annotations = this.#class.annotations.ofParameters.get(method.methodIndex) ?? [];
    // Of an enum's constructor and of inner classes the first ones are javac's own.
    const hidden = Math.max(0, annotations.length - parameters.length);
    for (const [index, parameter] of parameters.entries()) {
      if (index > 0) writer.text(', ');
      this.#annotations.write(annotations[index + hidden] ?? [], () => writer.text(' '));
      const isVarargs =
        (method.accessFlags & acc.varargs) !== 0 && index === parameters.length - 1 && parameter.type.startsWith('[');
      if (isVarargs) {
        names.write(writer, parameter.type.slice(1));
        writer.text('...');
      } else names.write(writer, parameter.type);
      writer.text(` ${parameter.name}`);
    }
  }

  #withBody(method: EncodedMethod, name: string): void {
    const { dex } = this.#class;
    const { program, exceptions, counts } = this.#file;
    const source =
      name === '<clinit>' && this.#initial !== null
        ? this.#initial.source
        : methodSource(this.#file, dex, this.#type, method);
    const isStatic = (method.accessFlags & acc.static) !== 0;
    const isEnumConstructor = this.#isEnum && name === '<init>';
    const parameters = source.parameters.slice((isStatic ? 0 : 1) + (isEnumConstructor ? givenParameters : 0));
    if (!isStatic) source.parameters[0]!.name = 'this';
    this.#nameAll([...parameters, ...source.locals]);
    const thrown = exceptions.declaredBy(this.#type, name, dex.methodDescriptor(method.methodIndex));
    let { statements } = source;
    let split: SplitConstructor | null = null;
    if (name === '<init>') {
      if (this.#isEnum) statements = withoutGiven(statements, source.parameters.slice(1), this.#type);
      // What ends by throwing may call none; Object's, which Java calls then, does nothing.
      const isUnmade = program.relations.factsOf(this.#type)?.superclass === object && !callsConstructor(statements);
      if (!isUnmade && (!this.#isEnum || statements.some(isConstructorCall))) {
        split = splitConstructor(statements, parameters, source.temporary);
        this.#nameAll([...parameters, ...source.locals, ...split.before.flatMap(declaredIn)]);
        statements = joined(split);
        // Java calls it without a word.
        if (isPlainSuper(statements[0], this.#type)) statements = statements.slice(1);
      }
    }
    if (name === '<clinit>') {
      if (this.#isEnum && this.#shape === null) throw new Unsayable('an enum that is not made as javac makes one');
      statements = initialiser([...(this.#shape?.rest ?? this.#initial?.rest ?? statements)]);
    }
    const isHeld = name === '<clinit>' && this.#isInterface;
    if (isHeld) this.#holderHead();
    this.#signature(method, name, parameters);
    const returns = dex.protoReturnType(dex.methodProtoIndex(method.methodIndex));
    const printer = this.#statements(returns, thrown, name === '<clinit>');
    if (split !== null && split.before.length > 0) this.#splitBody({ split, parameters, printer, method, thrown });
    else this.#body(printer, statements, thrown);
    if (isHeld) this.#file.writer.text(' }');
    if (source.isDispatched) counts.dispatched++;
    counts.unresolved += printer.expressions.unresolved;
  }

  /** The class in an interface that does what its static initialiser does, up to that. */
  #holderHead(): void {
    const { writer, names, program } = this.#file;
    const { dex, data } = this.#class;
    writer.text(`class ${initialHolder} {`);
    writer.indented(() => {
      for (const { fieldIndex } of data.staticFields) {
        const [name, type] = [dex.fieldName(fieldIndex), dex.fieldType(fieldIndex)];
        if (this.#initial?.values.has(fieldKey({ name, type })) !== true) continue;
        writer.line().text('static ');
        names.write(writer, type);
        writer.text(` ${program.fieldName(this.#type, name, type)};`);
      }
      writer.line();
    });
  }

  /** A body whose calls throw more than its head says. */
  #sneaking(printer: StatementPrinter, statements: readonly Statement[]): void {
    const { writer, sneak } = this.#file;
    const [first] = statements;
    const isConstructor = first !== undefined && isConstructorCall(first);
    writer.text('{');
    writer.indented(() => {
      if (isConstructor) printer.list([first]);
      writer.line().text('try ');
      printer.braced(isConstructor ? statements.slice(1) : statements);
      sneak.isUsed = true;
      writer.text(' catch (Throwable thrown) ').text(`{ throw ${sneak.call}(thrown); }`);
    });
    writer.line().text('}');
  }

  /**
   * Java wants the call of another constructor before all else. What the code does before it is done by a class of its own, which
   * keeps what the rest looks at.
   */
  #splitBody(body: ConstructorBody): void {
    const { writer, names } = this.#file;
    const { split, parameters, printer, method } = body;
    const holder = `Before$${method.methodIndex}`;
    writer.text(`{ this(new ${holder}(${parameters.map(({ name }) => name).join(', ')})); }`);
    writer
      .text('\n')
      .line()
      .text(
        `/** What the constructor above does before it calls ${isOwn(split.call, this.#type) ? 'this' : 'super'}(). */`,
      );
    writer.line().text(`static final class ${holder} {`);
    writer.indented(() => {
      for (const local of split.kept) {
        writer.line();
        names.write(writer, local.type);
        writer.text(` ${local.name};`);
      }
      writer.line().text(`${holder}(`);
      this.#parameters(method, parameters);
      writer.text(') ');
      const stores = split.kept.map((local): Statement => storeIn(holder, local));
      this.#body(printer, [...split.before, ...stores], []);
    });
    writer.line().text('}');
    writer
      .text('\n')
      .line()
      .text(`${this.#file.program.simpleName(this.#type)}(${holder} before$) `);
    const taken = new Map(split.kept.map((local) => [local, keptIn(holder, local)]));
    const declared = split.kept.map(
      (local): Statement => ({ kind: 'set', local, value: keptIn(holder, local), isDeclaration: true }),
    );
    const call = replaceParts(split.call, valuesFor(taken));
    this.#body(printer, [call, ...declared, ...split.early, ...split.after], body.thrown);
  }

  /** Statements in braces, where what javac would have declared is thrown all the same. */
  #body(printer: StatementPrinter, statements: readonly Statement[], thrown: readonly string[]): void {
    const { program, exceptions } = this.#file;
    const unsaid = [...exceptions.leaving(statements)].some(
      (type) => !thrown.some((declared) => program.relations.isAssignable(type, declared)),
    );
    if (unsaid) this.#sneaking(printer, statements);
    else printer.braced(statements);
  }

  #lost(method: EncodedMethod, name: string, why: Error): void {
    const { writer } = this.#file;
    const { dex } = this.#class;
    const isEnumConstructor = this.#isEnum && name === '<init>';
    if (name === '<clinit>' && this.#isInterface) writer.text(`class ${initialHolder} { `);
    this.#signature(method, name, this.#plainParameters(method).slice(isEnumConstructor ? givenParameters : 0));
    writer.text('{');
    writer.indented(() => {
      if (name === '<init>' && !this.#isEnum) this.#anySuper();
      const isLate = why instanceof TooLate;
      writer
        .line()
        .text(`// Not decompiled: ${commentText(why.message)}.${isLate ? '' : ' What the code is in smali:'}`);
      const printing = {
        method,
        parameterAnnotations: [],
        printAnnotations: () => [],
        budget: { charactersLeft: 1 << 20 },
      };
      const lines = isLate ? [] : smaliMethodBody(dex, printing, []);
      for (const line of lines) writer.line().text(`// ${commentText(line)}`);
      writer.line().text(name === '<clinit>' ? 'if (true) ' : '');
      writer.text(`throw new IllegalStateException("not decompiled");`);
    });
    writer.line().text(name === '<clinit>' && this.#isInterface ? '} }' : '}');
  }

  /** A call of some constructor of the superclass, for a body that runs none. */
  #anySuper(): void {
    const { program, writer } = this.#file;
    const above = program.relations.factsOf(this.#type)?.superclass ?? object;
    const known = program.classOf(above);
    if (known === null) return;
    if (program.relations.factsOf(above)?.superclass === 'Ljava/lang/Enum;') return;
    const constructors = known.data.directMethods.filter(
      ({ methodIndex }) => known.dex.methodName(methodIndex) === '<init>',
    );
    const lists = constructors.map(({ methodIndex }) =>
      known.dex.protoParameters(known.dex.methodProtoIndex(methodIndex)),
    );
    const list = lists.find(({ length }) => length === 0) ?? lists[0];
    if (list === undefined || list.length === 0) return;
    const printer = this.#expressions();
    writer.line().text('super(');
    for (const [index, type] of list.entries()) {
      if (index > 0) writer.text(', ');
      printer.write(
        type === 'J' || type === 'D' ? { kind: 'wide', value: 0n, at: 0 } : { kind: 'number', value: 0, at: 0 },
        type,
        0,
        true,
      );
    }
    writer.text(');');
  }
}

interface ConstructorBody {
  readonly split: SplitConstructor;
  readonly parameters: readonly Local[];
  readonly printer: StatementPrinter;
  readonly method: EncodedMethod;
  readonly thrown: readonly string[];
}

const isOwn = (call: Statement, type: string): boolean =>
  call.kind === 'do' && call.expression.kind === 'call' && call.expression.owner === type;

const isPlainSuper = (statement: Statement | undefined, type: string): boolean =>
  statement?.kind === 'do' &&
  isConstructorCall(statement) &&
  !isOwn(statement, type) &&
  statement.expression.kind === 'call' &&
  statement.expression.values.length === 0;

const declaredIn = (statement: Statement): Local[] =>
  statement.kind === 'set' && statement.isDeclaration ? [statement.local] : [];

/** A constructor with nothing to run before, as Java writes it. */
function joined({ call, early, after }: SplitConstructor): Statement[] {
  const text = 'the code sets these before it calls the other constructor';
  const note: Statement[] = early.length === 0 ? [] : [{ kind: 'comment', text }];
  return [call, ...note, ...early, ...after];
}

/** A field of the class that runs what stands before the call of another constructor. */
const keptIn = (holder: string, { name, type }: Local): Expression => ({
  kind: 'field',
  owner: holder,
  name,
  type,
  object: {
    kind: 'local',
    local: { id: -1, type: holder, hint: null, role: 'parameter', isConstant: true, name: 'before$' },
    at: 0,
  },
  isOwn: false,
  at: 0,
});

function storeIn(holder: string, local: Local): Statement {
  const object: Expression = {
    kind: 'local',
    local: { id: -1, type: holder, hint: null, role: 'this', isConstant: true, name: 'this' },
    at: 0,
  };
  const target: Expression = {
    kind: 'field',
    owner: holder,
    name: local.name,
    type: local.type,
    object,
    isOwn: true,
    at: 0,
  };
  return { kind: 'store', target, value: { kind: 'local', local, at: 0 }, at: 0 };
}

/** An initialiser has no `return`, and must be able to end. */
function initialiser(statements: Statement[]): Statement[] {
  const label = 1 << 29;
  let isLeft = false;
  const walk = (list: readonly Statement[]): Statement[] =>
    list.map((statement) => {
      if (statement.kind === 'return') {
        isLeft = true;
        return { kind: 'jump', way: 'break', label };
      }
      switch (statement.kind) {
        case 'if':
          statement.yes = walk(statement.yes);
          statement.no = walk(statement.no);
          break;
        case 'loop':
        case 'block':
        case 'synchronized':
          statement.body = walk(statement.body);
          break;
        case 'switch':
          for (const each of statement.cases) each.body = walk(each.body);
          break;
        case 'try':
          statement.body = walk(statement.body);
          for (const each of statement.catches) each.body = walk(each.body);
          break;
      }
      return statement;
    });
  const body = walk(statements);
  const left: Statement[] = isLeft ? [{ kind: 'block', label, body }] : body;
  if (canComplete(left)) return left;
  return [
    {
      kind: 'if',
      condition: { kind: 'truth', operand: { kind: 'number', value: 1, at: 0 }, at: 0 },
      yes: left,
      no: [],
    },
  ];
}

/** Whether javac takes a value for one that it may copy to where the field is read, without starting the class. */
const isConstantValue = ({ kind }: Expression): boolean =>
  kind !== 'call' && kind !== 'array' && kind !== 'new-array' && kind !== 'class';

/** The class in an interface that does what its static initialiser does. */
const initialHolder = 'Initial$';

/** What a class extends without a word; nobody may name Record. */
const impliedSupers = new Set([object, 'Ljava/lang/Record;']);

const shortNames: Readonly<Record<string, string>> = {
  Z: 'flag',
  B: 'b',
  S: 's',
  C: 'c',
  I: 'i',
  J: 'l',
  F: 'f',
  D: 'd',
};

function nameFor({ hint, type, role }: Local, program: Program): string {
  if (hint !== null && isIdentifier(hint) && hint !== 'this') return program.isTypeName(hint) ? `${hint}_` : hint;
  const element = type.replace(/^\[+/, '');
  if (element.length === 1) return `${shortNames[element] ?? 'v'}${element === type ? '' : 's'}`;
  const simple = element.slice(Math.max(element.lastIndexOf('/'), element.lastIndexOf('$')) + 1, -1);
  const name = identifier(`${simple.charAt(0).toLowerCase()}${simple.slice(1)}`);
  const base = /^[a-z]\w*$/.test(name) ? name : role === 'parameter' ? 'p' : 'v';
  return element === type ? base : `${base}s`;
}
