// Writes the statements of a method in braces, whatever javac would have its head declare. Knows no heads.
import type { Statement } from '../expressions/tree.ts';
import { isConstructorCall } from '../language/constructors.ts';
import type { ClassScope } from './class-scope.ts';
import type { StatementPrinter } from './statements.ts';

/** Statements in braces, where what javac would have declared is thrown all the same. */
export function writeBody(
  scope: ClassScope,
  printer: StatementPrinter,
  statements: readonly Statement[],
  thrown: readonly string[],
): void {
  const { program, exceptions } = scope.file;
  const unsaid = [...exceptions.leaving(statements)].some(
    (type) => !thrown.some((declared) => program.relations.isAssignable(type, declared)),
  );
  if (unsaid) writeSneaking(scope, printer, statements);
  else printer.braced(statements);
}

/** A body whose calls throw more than its head says. */
function writeSneaking(scope: ClassScope, printer: StatementPrinter, statements: readonly Statement[]): void {
  const { writer, sneak } = scope.file;
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
