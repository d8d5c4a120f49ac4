// Where in a method each variable is in sight, so that two of one name do not meet. Knows no names.
import type { Local, Statement } from '../expressions/tree.ts';
import { eachList } from '../structure/walk.ts';
import { countedLoop } from './counting.ts';
import { eachLoop } from './for-each.ts';

/** From the statement that declares it to the end of the list, by the numbers of statements; none where source does not write it. */
export interface VariableScope {
  readonly from: number;
  readonly to: number;
}

/** @param statements with the declarations; what they do not declare is in sight everywhere */
export function variableScopes(statements: readonly Statement[]): ReadonlyMap<Local, VariableScope> {
  const scopes = new Map<Local, VariableScope>();
  let number = 0;
  /** Variables that the list declares, with where. */
  const walk = (list: readonly Statement[]) => {
    const declared: { local: Local; from: number }[] = [];
    for (let index = 0; index < list.length; index++) {
      const statement = list[index]!;
      const from = number++;
      const isFirst = statement.kind === 'set' && statement.isDeclaration;
      const each = isFirst ? eachLoop(list, index) : null;
      if (each !== null && each.cast === undefined) {
        for (const hidden of list.slice(index, index + each.length - 1))
          if (hidden.kind === 'set') scopes.set(hidden.local, { from, to: from });
        walk(each.body);
        scopes.set(each.element, { from, to: number });
        index += each.length - 1;
        continue;
      }
      const counted = isFirst ? countedLoop(list, index) : null;
      if (isFirst && counted !== null) {
        walk([counted]);
        scopes.set(statement.local, { from, to: number });
        index++;
        continue;
      }
      if (isFirst || statement.kind === 'declare') declared.push({ local: statement.local, from });
      if (statement.kind !== 'try') {
        for (const inner of eachList(statement)) walk(inner);
        continue;
      }
      walk(statement.body);
      for (const { opened } of statement.resources ?? []) scopes.set(opened.local, { from, to: number });
      for (const { local, body } of statement.catches) {
        const start = number++;
        walk(body);
        if (local !== null) scopes.set(local, { from: start, to: number });
      }
      walk(statement.last ?? []);
    }
    for (const { local, from } of declared) scopes.set(local, { from, to: number });
  };
  walk(statements);
  return scopes;
}
