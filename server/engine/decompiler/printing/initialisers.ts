// What Java asks of static initialisers, and the class that stands for one in an interface. Knows no fields' values.
import type { Statement } from '../expressions/tree.ts';
import { fieldKey } from '../language/static-fields.ts';
import { canComplete } from '../structure/jumps.ts';
import type { ClassScope } from './class-scope.ts';

/** An initialiser has no `return`, and must be able to end. */
export function initialiser(statements: Statement[]): Statement[] {
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
          if (statement.last !== undefined) statement.last = walk(statement.last);
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

/** The class in an interface that does what its static initialiser does. */
export const initialHolder = 'Initial$';

/** The class in an interface that does what its static initialiser does, up to that. */
export function writeHolderHead(scope: ClassScope): void {
  const { writer, names, program } = scope.file;
  const { dex, data } = scope.place;
  writer.text(`class ${initialHolder} {`);
  writer.indented(() => {
    for (const { fieldIndex } of data.staticFields) {
      const [name, type] = [dex.fieldName(fieldIndex), dex.fieldType(fieldIndex)];
      if (scope.initial?.values.has(fieldKey({ name, type })) !== true) continue;
      writer.line().text('static ');
      names.write(writer, type);
      writer.text(` ${program.fieldName(scope.type, name, type)};`);
    }
    writer.line();
  });
}
