// Writes a method whose code could not be said in Java: its head, and its smali. Knows no statements.
import type { EncodedMethod } from '../../formats/dex/class-data.ts';
import { smaliMethodBody } from '../../formats/dex/smali-method.ts';
import { givenParameters } from '../language/enums.ts';
import { TooLate } from '../limits.ts';
import type { ClassScope } from './class-scope.ts';
import { writeAnySuper } from './constructor-bodies.ts';
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
    if (name === '<init>' && !scope.isEnum) writeAnySuper(scope);
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
