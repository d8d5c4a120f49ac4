// Writes a method whose code could not be said in Java: its head, and its smali. Knows no statements.
import { object } from '../../code/values/operands.ts';
import type { EncodedMethod } from '../../formats/dex/class-data.ts';
import { smaliMethodBody } from '../../formats/dex/smali-method.ts';
import { givenParameters } from '../language/enums.ts';
import { TooLate } from '../limits.ts';
import type { ClassScope } from './class-scope.ts';
import { commentText } from './identifiers.ts';
import { initialHolder } from './initialisers.ts';
import { plainParameters, writeSignature } from './signatures.ts';

/** A method that throws, with what its code is in a comment. */
export function writeLost(scope: ClassScope, method: EncodedMethod, name: string, why: Error): void {
  const { writer } = scope.file;
  const { dex } = scope.place;
  const isEnumConstructor = scope.isEnum && name === '<init>';
  if (name === '<clinit>' && scope.isInterface) writer.text(`class ${initialHolder} { `);
  writeSignature(scope, method, name, plainParameters(scope, method).slice(isEnumConstructor ? givenParameters : 0));
  writer.text('{');
  writer.indented(() => {
    if (name === '<init>' && !scope.isEnum) anySuper(scope);
    const isLate = why instanceof TooLate;
    writer.line().text(`// Not decompiled: ${commentText(why.message)}.${isLate ? '' : ' What the code is in smali:'}`);
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
  writer.line().text(name === '<clinit>' && scope.isInterface ? '} }' : '}');
}

/** A call of some constructor of the superclass, for a body that runs none. */
function anySuper(scope: ClassScope): void {
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
