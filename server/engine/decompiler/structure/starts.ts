// Says in Java that a class is started before what its constructor is given is worked out, where that could not be written within the
// constructor's call. Knows no control flow.
import type { Call, Expression, Local, Statement } from '../expressions/tree.ts';
import { replaceIn, replaceParts } from './replacement.ts';
import { eachList } from './walk.ts';

const notFound = 'Ljava/lang/ClassNotFoundException;';
const notDefined = 'Ljava/lang/NoClassDefFoundError;';
const string = 'Ljava/lang/String;';
const classType = 'Ljava/lang/Class;';

/** Changes the lists in place. @param starts what stands for the starts of classes: nothing mentions it any more */
export function sayStarts(
  statements: Statement[],
  starts: ReadonlySet<Local>,
  temporary: (type: string) => Local,
): void {
  const withoutStart = (part: Expression): Expression | undefined => {
    if (part.kind !== 'call' || part.start?.kind !== 'local' || !starts.has(part.start.local)) return undefined;
    const { start: _, ...call } = part;
    return replaceIn(call, withoutStart);
  };
  say(statements, starts, temporary);
  for (const [index, statement] of statements.entries()) statements[index] = replaceParts(statement, withoutStart);
}

function say(list: Statement[], starts: ReadonlySet<Local>, temporary: (type: string) => Local): void {
  for (const [index, statement] of list.entries()) {
    for (const inner of eachList(statement)) say(inner, starts, temporary);
    if (statement.kind === 'set' && starts.has(statement.local) && statement.value.kind === 'start')
      list[index] = started(statement.value, temporary(notFound));
  }
}

function started({ type, at }: Expression & { kind: 'start' }, caught: Local): Statement {
  const name: Call = {
    ...{ kind: 'call', how: 'virtual', owner: classType, name: 'getName', parameters: [], returns: string },
    ...{ object: { kind: 'class', type, at }, values: [], at },
  };
  const start: Call = {
    ...{ kind: 'call', how: 'static', owner: classType, name: 'forName', parameters: [string], returns: classType },
    ...{ object: null, values: [name], at },
  };
  const error: Call = {
    ...{ kind: 'call', how: 'new', owner: notDefined, name: '<init>', parameters: [string], returns: notDefined },
    ...{ object: null, values: [name], at },
  };
  return {
    kind: 'try',
    body: [{ kind: 'do', expression: start }],
    catches: [{ type: notFound, local: caught, handler: -1, body: [{ kind: 'throw', value: error, at }] }],
  };
}
