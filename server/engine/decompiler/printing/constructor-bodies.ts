// Writes a constructor whose code does things before it calls another one. Knows no other methods.
import { object } from '../../code/values/operands.ts';
import type { EncodedMethod } from '../../formats/dex/class-data.ts';
import type { Expression, Local, Statement } from '../expressions/tree.ts';
import type { SplitConstructor } from '../language/constructors.ts';
import { replaceParts, valuesFor } from '../structure/replacement.ts';
import { writeBody } from './bodies.ts';
import type { ClassScope } from './class-scope.ts';
import { writeParameters } from './signatures.ts';
import type { StatementPrinter } from './statements.ts';

/**
 * Java wants the call of another constructor before all else. What the code does before it is done by a class of its own, which
 * keeps what the rest looks at.
 */
export function writeSplitBody(scope: ClassScope, body: ConstructorBody): void {
  const { writer, names } = scope.file;
  const { split, parameters, printer, method } = body;
  const holder = `Before$${method.methodIndex}`;
  writer.text(`{ this(new ${holder}(${parameters.map(({ name }) => name).join(', ')})); }`);
  writer
    .text('\n')
    .line()
    .text(
      split.call === null
        ? '/** What the constructor above does: it throws before it calls another one. */'
        : `/** What the constructor above does before it calls ${isOwnCall(split.call, scope.type) ? 'this' : 'super'}(). */`,
    );
  writer.line().text(`static final class ${holder} {`);
  writer.indented(() => {
    for (const local of split.kept) {
      writer.line();
      names.write(writer, local.type);
      writer.text(` ${local.name};`);
    }
    writer.line().text(`${holder}(`);
    writeParameters(scope, method, parameters);
    writer.text(') ');
    const stores = split.kept.map((local): Statement => storeIn(holder, local));
    writeBody(scope, printer, [...split.before, ...stores], []);
  });
  writer.line().text('}');
  writer
    .text('\n')
    .line()
    .text(`${scope.file.program.simpleName(scope.type)}(${holder} before$) `);
  for (const [index, type] of body.thrown.entries()) {
    writer.text(index > 0 ? ', ' : 'throws ');
    names.write(writer, type);
  }
  if (body.thrown.length > 0) writer.text(' ');
  if (split.call === null) {
    writer.text('{');
    writer.indented(() => writeAnySuper(scope));
    writer.line().text('}');
    return;
  }
  const taken = new Map(split.kept.map((local) => [local, keptIn(holder, local)]));
  const declared = split.kept.map(
    (local): Statement => ({ kind: 'set', local, value: keptIn(holder, local), isDeclaration: true }),
  );
  const call = replaceParts(split.call, valuesFor(taken));
  writeBody(scope, printer, [call, ...declared, ...split.early, ...split.after], body.thrown);
}

interface ConstructorBody {
  readonly split: SplitConstructor;
  readonly parameters: readonly Local[];
  readonly printer: StatementPrinter;
  readonly method: EncodedMethod;
  readonly thrown: readonly string[];
}

/** A call of some constructor of the superclass, for a body that runs none. */
export function writeAnySuper(scope: ClassScope): void {
  const { program, writer } = scope.file;
  const above = program.relations.factsOf(scope.type)?.superclass ?? object;
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
  const printer = scope.expressions();
  const inner = program.inner.of(above);
  writer.line();
  if (inner !== null) writer.text(`((${scope.file.names.text(inner.outer)}) null).`);
  writer.text('super(');
  const from = inner === null ? 0 : 1;
  for (const [index, type] of list.slice(from).entries()) {
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

/** Whether a constructor calls another one of its own class. */
export const isOwnCall = (call: Statement, type: string): boolean =>
  call.kind === 'do' && call.expression.kind === 'call' && call.expression.owner === type;

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
