// A class as it is written: what its members share. Knows no members.
import type { GenericType } from '../../code/types/generic-signatures.ts';
import { noVariables, type Variables } from '../../code/types/generic-types.ts';
import type { EncodedMethod } from '../../formats/dex/class-data.ts';
import { type EncodedValue, EncodedValueReader } from '../../formats/dex/encoded-value.ts';
import type { Call, Expression, LinkedLambda, Local, Statement } from '../expressions/tree.ts';
import { type EnumShape, isEnum } from '../language/enums.ts';
import type { InnerClass } from '../language/inner-classes.ts';
import type { RecordShape } from '../language/records.ts';
import type { StaticValues } from '../language/static-fields.ts';
import { nameByValues } from '../language/value-names.ts';
import { variableScopes } from '../language/variable-scopes.ts';
import type { MethodSource, SourcePlace } from '../method.ts';
import { AnnotationPrinter } from './annotations.ts';
import type { Constructors } from './constructors.ts';
import type { CheckedExceptions } from './exceptions.ts';
import { ExpressionPrinter } from './expressions.ts';
import { nameFor, nameLocals } from './local-names.ts';
import type { SourceClass } from './program.ts';
import { StatementPrinter } from './statements.ts';
import type { SuperCalls } from './super-calls.ts';
import type { TypeNames } from './type-names.ts';
import type { Writer } from './writer.ts';

/** Access flags, as class files and dex files have them. */
export const acc = {
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
  readonly superCalls: SuperCalls;
  /** The name under which the file's `sneak` is called, and whether it was. */
  readonly sneak: { readonly call: string; isUsed: boolean };
  /** Classes that were written where an object of theirs is made. */
  readonly inPlace: string[];
  /** Writes an object of such a class. */
  readonly writeLocal: (scope: ClassScope, made: Call | LinkedLambda, isInitialiser: boolean) => void;
}

/** What is around a class that is written where an object of it is made. */
export interface Surroundings {
  /** Values of the fields that hold what it has captured. */
  readonly captured: ReadonlyMap<string, Expression>;
  /** Names of variables there. */
  readonly names: ReadonlySet<string>;
  readonly scope: ClassScope;
}

export class ClassScope {
  readonly file: FilePlace;
  readonly place: SourceClass;
  /** Descriptor. */
  readonly type: string;
  readonly flags: number;
  readonly isInterface: boolean;
  readonly isEnum: boolean;
  readonly annotations: AnnotationPrinter;
  /** The constants, where it is an enum that is made as javac makes one. */
  shape: EnumShape | null = null;
  /** What the static initialiser does, where it could be read. */
  initial: (StaticValues & { source: MethodSource }) | null = null;

  /** What is known of its constructors before they are written. */
  constructors: Constructors | null = null;

  /** Type variables in sight of what is being written. */
  variables: Variables;
  /** Names of variables in the method that is being written, and around the class. */
  visible: ReadonlySet<string>;
  readonly captured: ReadonlyMap<string, Expression>;
  readonly #around: ReadonlySet<string>;
  /** The class in whose code this one is written. */
  readonly #within: ClassScope | null;
  /** What is known of it where source writes it as an inner class. */
  readonly inner: InnerClass | null;
  /** Its components and what Java makes of them, where it is written as a record. */
  readonly record: RecordShape | null;
  readonly #outer = new Map<string, Expression>();
  #fieldNames: ReadonlySet<string> | undefined;
  /** How many bodies of lambdas are around what is being written: each has labels of its own. */
  depth = 0;

  /** @param around null for a class that stands by itself in its file or in another one */
  constructor(file: FilePlace, type: string, around: Surroundings | null = null) {
    this.file = file;
    this.inner = around === null ? file.program.inner.of(type) : null;
    const outer = this.inner === null ? [] : [[this.inner.key, this.around(this.inner.outer)] as const];
    this.record = file.program.records.of(type);
    this.captured = around?.captured ?? new Map(outer);
    this.#around = around?.names ?? new Set();
    this.#within = around?.scope ?? null;
    this.visible = this.#around;
    this.type = type;
    this.variables = around?.scope.variables ?? file.program.heads.variablesOf(type);
    this.place = file.program.classOf(type)!;
    this.flags = this.place.dex.classDef(this.place.classIndex).accessFlags;
    this.isInterface = (this.flags & acc.interface) !== 0;
    this.isEnum = isEnum(file.program.relations.factsOf(type)?.superclass ?? null, this.flags);
    this.annotations = new AnnotationPrinter(
      {
        ...{ ...file, owner: type, isInitialiser: true, variables: noVariables },
        writeObject: (call) => this.file.writeLocal(this, call, true),
      },
      this.place.dex,
    );
  }

  /** Writes what has other type variables in sight. */
  withVariables(variables: Variables, write: () => void): void {
    const before = this.variables;
    this.variables = variables;
    try {
      write();
    } finally {
      this.variables = before;
    }
  }

  /** The object of a class around to which an object of this one belongs. */
  around(type: string): Expression {
    let value = this.#outer.get(type);
    if (value === undefined) {
      const name = `${this.file.names.text(type)}.this`;
      value = { kind: 'local', local: { id: -1, type, hint: null, role: 'parameter', isConstant: true, name }, at: 0 };
      this.#outer.set(type, value);
    }
    return value;
  }

  /** What a class without a name around this one has captured in a field; undefined for any other class or field. */
  capturedAround(type: string, key: string): Expression | undefined {
    const around = this.#within;
    if (around === null) return undefined;
    return around.type === type ? around.captured.get(key) : around.capturedAround(type, key);
  }

  /** The values that the dex file gives to static fields, in their order; fewer where the last ones have none. */
  encodedValues(): readonly EncodedValue[] {
    const { dex, classIndex } = this.place;
    const { staticValuesOffset } = dex.classDef(classIndex);
    return staticValuesOffset === 0 ? [] : new EncodedValueReader(dex).arrayAt(staticValuesOffset);
  }

  /** Writes what the static initialiser does at an address. */
  inInitialiser(address: number, write: () => void): void {
    const { writer } = this.file;
    writer.inMethod(`${this.type}-><clinit>()V`, () => writer.addressed(address, write));
  }

  /** Writes the value that constructors give to a field. */
  inConstructor({ methodIndex }: EncodedMethod, address: number, write: () => void): void {
    const { writer } = this.file;
    writer.inMethod(this.place.dex.method(methodIndex), () => writer.addressed(address, write));
  }

  /** @param isStatic whether they stand where no object is */
  expressions(isStatic = false): ExpressionPrinter {
    const writeObject = (made: Call | LinkedLambda) => this.file.writeLocal(this, made, true);
    const variables = isStatic ? noVariables : this.variables;
    return new ExpressionPrinter({ ...this.file, owner: this.type, isInitialiser: true, variables, writeObject });
  }

  /** @param generic what a method returns, where that says more than its descriptor */
  statements(
    returns: string,
    thrown: readonly string[],
    isInitialiser = false,
    generic: GenericType | null = null,
  ): StatementPrinter {
    const { sneak } = this.file;
    return new StatementPrinter({
      ...this.file,
      owner: this.type,
      isInitialiser,
      variables: this.variables,
      returns,
      generic,
      thrown,
      depth: this.depth,
      writeObject: (call) => this.file.writeLocal(this, call, isInitialiser),
      sneak: () => {
        sneak.isUsed = true;
        return sneak.call;
      },
    });
  }

  /**
   * Gives variables names that nothing in the class is called by, and no variable around.
   * @param statements in which they stand
   */
  nameAll(
    locals: readonly Local[],
    statements: readonly Statement[],
    around: ReadonlySet<string> = this.#around,
  ): void {
    const { program } = this.file;
    const given = ({ key, method = this.file.writer.method }: Local) => program.given.variable(method, key);
    if (locals.some(({ hint }) => hint === null)) nameByValues(statements);
    // What somebody named keeps its name before others.
    const rank = (local: Local) => (given(local) !== null ? 0 : local.hint !== null ? 1 : 2);
    nameLocals(
      [...locals].sort((a, b) => rank(a) - rank(b)),
      variableScopes(statements),
      (taken, local) =>
        program.isTypeName(taken) || this.#ownFields.has(taken) || around.has(taken) || this.#isHidden(taken, local),
      (local) => given(local) ?? nameFor(local, program, program.local.typeOf(local.type)),
    );
    this.visible = new Set([...around, ...locals.map(({ name }) => name)]);
  }

  /** Static fields of the class stand by their names alone. */
  get #ownFields(): ReadonlySet<string> {
    const { dex, data } = this.place;
    this.#fieldNames ??= new Set(
      data.staticFields.map(({ fieldIndex: field }) =>
        this.file.program.fieldName(this.type, dex.fieldName(field), dex.fieldType(field)),
      ),
    );
    return this.#fieldNames;
  }

  /** Whether a class that captures a variable has a field of a name. */
  #isHidden(name: string, { captors }: Local): boolean {
    return captors !== undefined && [...captors].some((captor) => this.file.program.local.hasField(captor, name));
  }
}
