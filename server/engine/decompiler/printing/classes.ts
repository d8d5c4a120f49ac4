// Writes a class as Java, with those that stand in it. Knows no control flow.
import { BadCode } from '../../code/method-body.ts';
import { isReference, object } from '../../code/values/operands.ts';
import type { EncodedField, EncodedMethod } from '../../formats/dex/class-data.ts';
import type { EncodedValue } from '../../formats/dex/encoded-value.ts';
import { EncodedValueReader } from '../../formats/dex/encoded-value.ts';
import { accessFlagWords } from '../../formats/dex/smali.ts';
import { smaliMethodBody } from '../../formats/dex/smali-method.ts';
import type { Expression, Local, Statement } from '../expressions/tree.ts';
import { Unsayable } from '../limits.ts';
import { methodSource } from '../method.ts';
import { canComplete } from '../structure/jumps.ts';
import type { CheckedExceptions } from './exceptions.ts';
import { ExpressionPrinter } from './expressions.ts';
import { commentText, identifier, isIdentifier } from './identifiers.ts';
import { allMethods, binaryName, type Program, type SourceClass } from './program.ts';
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
}

export interface FilePlace {
  readonly program: Program;
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

  constructor(file: FilePlace, type: string) {
    this.#file = file;
    this.#type = type;
    this.#class = file.program.classOf(type)!;
    this.#flags = this.#class.dex.classDef(this.#class.classIndex).accessFlags;
    this.#isInterface = (this.#flags & acc.interface) !== 0;
  }

  run(after?: () => void): void {
    const { writer, program } = this.#file;
    this.#head();
    writer.text(' {');
    writer.indented(() => {
      this.#fields();
      for (const method of allMethods(this.#class.data)) this.#method(method);
      for (const inner of program.innerOf(this.#type)) {
        writer.text('\n').line();
        writeClass(this.#file, inner);
      }
      after?.();
    });
    writer.line().text('}');
  }

  #head(): void {
    const { writer, program, names } = this.#file;
    const facts = program.relations.factsOf(this.#type)!;
    const original = binaryName(this.#type);
    const name = program.simpleName(this.#type);
    if (!original.endsWith(name)) writer.text(`/* ${commentText(this.#type)} */`).line();
    const words: string[] = [];
    const isNested = program.outerOf(this.#type) !== null;
    if ((this.#flags & acc.public) !== 0) words.push('public');
    if (isNested) words.push('static');
    if (!this.#isInterface && (this.#flags & acc.abstract) !== 0) words.push('abstract');
    else if (!this.#isInterface && (this.#flags & acc.final) !== 0) words.push('final');
    words.push(this.#isInterface ? ((this.#flags & acc.annotation) !== 0 ? '@interface' : 'interface') : 'class');
    writer.text(`${words.join(' ')} `).symbol(name, this.#type, true);
    if (facts.superclass !== null && facts.superclass !== object) {
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
    const { dex, classIndex, data } = this.#class;
    const { staticValuesOffset } = dex.classDef(classIndex);
    const values = staticValuesOffset === 0 ? [] : new EncodedValueReader(dex).arrayAt(staticValuesOffset);
    for (const [index, field] of data.staticFields.entries()) this.#field(field, values[index]);
    for (const field of data.instanceFields) this.#field(field, undefined);
  }

  #field({ fieldIndex, accessFlags }: EncodedField, value: EncodedValue | undefined): void {
    const { writer, names, program } = this.#file;
    const { dex } = this.#class;
    const type = dex.fieldType(fieldIndex);
    const original = dex.fieldName(fieldIndex);
    const name = program.fieldName(this.#type, original, type);
    writer.line();
    if (name !== original) writer.text(`/* ${commentText(original)} */ `);
    const words = accessFlagWords(accessFlags & 0xff & ~acc.final, 'field');
    if (words.length > 0) writer.text(`${words.join(' ')} `);
    names.write(writer, type);
    writer.text(' ').symbol(name, dex.field(fieldIndex), true);
    const initial = value === undefined ? null : this.#constant(value);
    if (initial !== null) {
      writer.text(' = ');
      this.#expressions().write(initial, type);
    } else if (this.#isInterface) writer.text(` = ${isReference(type) ? 'null' : type === 'Z' ? 'false' : '0'}`);
    writer.text(';');
  }

  #expressions(): ExpressionPrinter {
    return new ExpressionPrinter({ ...this.#file, owner: this.#type });
  }

  #constant(value: EncodedValue): Expression | null {
    const { dex } = this.#class;
    const at = 0;
    switch (value.kind) {
      case 'byte':
      case 'short':
      case 'char':
      case 'int':
        return { kind: 'number', value: value.value, at };
      case 'boolean':
        return { kind: 'number', value: value.value ? 1 : 0, at };
      case 'float':
        return { kind: 'number', value: new Int32Array(Float32Array.of(value.value).buffer)[0]!, at };
      case 'long':
        return { kind: 'wide', value: value.value, at };
      case 'double':
        return { kind: 'wide', value: new BigInt64Array(Float64Array.of(value.value).buffer)[0]!, at };
      case 'string':
        return { kind: 'string', value: dex.string(value.index), at };
      case 'type':
        return { kind: 'class', type: dex.type(value.index), at };
      default:
        return null;
    }
  }

  #method(method: EncodedMethod): void {
    const { dex } = this.#class;
    const { counts, program, writer } = this.#file;
    counts.methods++;
    if (program.isLeftOut(this.#class, method)) return;
    const name = dex.methodName(method.methodIndex);
    writer.text('\n').line();
    const mark = writer.mark();
    if (method.codeOffset === 0) {
      this.#abstract(method, name);
      return;
    }
    try {
      this.#withBody(method, name);
    } catch (error) {
      if (!(error instanceof BadCode || error instanceof Unsayable)) throw error;
      writer.rewind(mark);
      counts.lost++;
      this.#lost(method, name, error.message);
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
    this.#signature(method, name, this.#plainParameters(method));
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
    for (const [index, parameter] of parameters.entries()) {
      if (index > 0) writer.text(', ');
      const isVarargs =
        (method.accessFlags & acc.varargs) !== 0 && index === parameters.length - 1 && parameter.type.startsWith('[');
      if (isVarargs) {
        names.write(writer, parameter.type.slice(1));
        writer.text('...');
      } else names.write(writer, parameter.type);
      writer.text(` ${parameter.name}`);
    }
    writer.text(')');
    const thrown = exceptions.declaredBy(this.#type, name, dex.methodDescriptor(methodIndex));
    for (const [index, type] of thrown.entries()) {
      writer.text(index > 0 ? ', ' : ' throws ');
      names.write(writer, type);
    }
    if (method.codeOffset !== 0) writer.text(' ');
  }

  #withBody(method: EncodedMethod, name: string): void {
    const { dex } = this.#class;
    const { program, writer, exceptions, counts, sneak } = this.#file;
    const source = methodSource(program, dex, this.#type, method);
    const isStatic = (method.accessFlags & acc.static) !== 0;
    const parameters = isStatic ? source.parameters : source.parameters.slice(1);
    if (!isStatic) source.parameters[0]!.name = 'this';
    nameLocals(
      [...parameters, ...source.locals],
      (taken) => program.isTypeName(taken),
      (local) => nameFor(local, program),
    );
    const descriptor = dex.methodDescriptor(method.methodIndex);
    const thrown = exceptions.declaredBy(this.#type, name, descriptor);
    this.#signature(method, name, parameters);
    const printer = new StatementPrinter({
      ...this.#file,
      owner: this.#type,
      returns: dex.protoReturnType(dex.methodProtoIndex(method.methodIndex)),
      thrown,
      sneak: () => {
        sneak.isUsed = true;
        return sneak.call;
      },
    });
    let { statements } = source;
    if (name === '<init>') statements = this.#superFirst(statements);
    if (name === '<clinit>') statements = initialiser(statements);
    const unsaid = [...exceptions.leaving(statements)].filter(
      (type) => !thrown.some((declared) => program.relations.isAssignable(type, declared)),
    );
    if (unsaid.length === 0) printer.braced(statements);
    else this.#sneaking(printer, statements);
    if (source.isDispatched) counts.dispatched++;
    counts.unresolved += printer.expressions.unresolved;
    void writer;
  }

  /** A body whose calls throw more than its head says. */
  #sneaking(printer: StatementPrinter, statements: readonly Statement[]): void {
    const { writer, sneak } = this.#file;
    const [first] = statements;
    const isConstructor =
      first?.kind === 'do' && first.expression.kind === 'call' && first.expression.how === 'constructor';
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

  /** Java wants the call of another constructor before all else. */
  #superFirst(statements: Statement[]): Statement[] {
    const isCall = (statement: Statement) =>
      statement.kind === 'do' && statement.expression.kind === 'call' && statement.expression.how === 'constructor';
    const place = statements.findIndex(isCall);
    if (place < 0) throw new Unsayable('the constructor calls no other one, or on some ways only');
    const call = statements[place] as Statement & { kind: 'do' };
    const before = statements.slice(0, place);
    const own = before.filter(({ kind }) => kind === 'store');
    if (own.length < before.length) throw new Unsayable('code stands before the call of another constructor');
    const isPlain =
      call.expression.kind === 'call' && call.expression.values.length === 0 && call.expression.owner !== this.#type;
    const rest = [...own, ...statements.slice(place + 1)];
    const note: Statement[] =
      own.length === 0 ? [] : [{ kind: 'comment', text: 'the code sets these before it calls the other constructor' }];
    return isPlain ? [...note, ...rest] : [call, ...note, ...rest];
  }

  #lost(method: EncodedMethod, name: string, why: string): void {
    const { writer } = this.#file;
    const { dex } = this.#class;
    this.#signature(method, name, this.#plainParameters(method));
    writer.text('{');
    writer.indented(() => {
      if (name === '<init>') this.#anySuper();
      writer.line().text(`// Not decompiled: ${commentText(why)}. What the code is in smali:`);
      const printing = {
        method,
        parameterAnnotations: [],
        printAnnotations: () => [],
        budget: { charactersLeft: 1 << 20 },
      };
      for (const line of smaliMethodBody(dex, printing, [])) writer.line().text(`// ${commentText(line)}`);
      writer.line().text(name === '<clinit>' ? 'if (true) ' : '');
      writer.text(`throw new IllegalStateException("not decompiled");`);
    });
    writer.line().text('}');
  }

  /** A call of some constructor of the superclass, for a body that runs none. */
  #anySuper(): void {
    const { program, writer } = this.#file;
    const above = program.relations.factsOf(this.#type)?.superclass ?? object;
    const known = program.classOf(above);
    if (known === null) return;
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
