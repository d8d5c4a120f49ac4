// The statements of a lambda: those of its method, and of the method in which a compiler has put its body. Knows no text.
import { effectsOf, parts } from '../expressions/effects.ts';
import type { Call, Expression, Local, Statement } from '../expressions/tree.ts';
import { bridgeOf, giving } from '../kotlin/lambda-classes.ts';
import { Unsayable } from '../limits.ts';
import type { SourceClass } from '../printing/program.ts';
import { replaceIn, replaceParts, valuesFor } from '../structure/replacement.ts';
import { eachList } from '../structure/walk.ts';
import { isLambdaName } from './lambda-names.ts';
import type { LocalClass, LocalClasses } from './local-classes.ts';

export interface LambdaSource {
  readonly parameters: readonly Local[];
  readonly locals: readonly Local[];
  readonly statements: Statement[];
  readonly isDispatched: boolean;
  /** The method whose code it is: class, name and descriptor. */
  readonly method: string;
}

/** Methods that only lead to the next, at most. */
const maxBodies = 4;

/** @param withCaptured puts what the lambda has captured in place of the fields that hold it */
export function lambdaSource(
  classes: LocalClasses,
  place: SourceClass,
  shape: LocalClass & { kind: 'lambda' },
  withCaptured: (statements: Statement[]) => Statement[],
): LambdaSource {
  const { parameters, locals, statements, isDispatched } = classes.source(place, shape.method);
  let source: LambdaSource = {
    parameters: parameters.slice(1),
    locals,
    statements: withCaptured(statements),
    isDispatched,
    method: place.dex.method(shape.method.methodIndex),
  };
  if (shape.body !== null) {
    const { call, unit } = bridgeOf(source.statements, place.type)!;
    const body = classes.source(place, shape.body);
    const whole = {
      ...body,
      statements: withCaptured(body.statements),
      method: place.dex.method(shape.body.methodIndex),
    };
    if (unit !== null) source = { ...source, statements: source.statements.slice(0, 1) };
    source = inlined(source, call, whole);
    if (unit !== null) source = { ...source, statements: giving(unit, source.statements) };
  }
  for (let step = 0; step < maxBodies; step++) {
    const call = soleCall(source.statements.at(-1));
    const found = call === null ? null : classes.bodyOf(call);
    if (call === null || found === null) return source;
    const method = found.place.dex.method(found.method.methodIndex);
    source = inlined(source, call, { ...classes.source(found.place, found.method), method });
  }
  return source;
}

/** The call by a lambda's name that is all a statement does but for what becomes of its result; null for any other one. */
export function soleCall(only: Statement | undefined): Call | null {
  let value = only?.kind === 'do' ? only.expression : only?.kind === 'return' ? only.value : null;
  for (; value !== null; value = parts(value).length === 1 ? parts(value)[0]! : null) {
    if (value.kind === 'call' && isLambdaName(value.name)) return value;
  }
  return null;
}

/** @param body of the method that is called */
function inlined(source: LambdaSource, call: Call, body: LambdaSource): LambdaSource {
  const only = source.statements.at(-1)!;
  const before = source.statements.slice(0, -1);
  const values = new Map<Local, Expression>();
  const renamed = new Map<Local, Expression>();
  const parameters = [...source.parameters];
  const given = call.object === null ? call.values : [call.object, ...call.values];
  for (const [index, parameter] of body.parameters.entries()) {
    const value = replaceIn(given[index]!, valuesFor(renamed));
    if (parameter.role === 'this') {
      parameter.name = 'this';
      if (isThis(value)) continue;
      if (callsAbove(body.statements)) throw new Unsayable('a lambda that calls what its class inherits');
      if (value.kind !== 'local') throw new Unsayable('a lambda in an object that is worked out');
      if (!value.local.name.endsWith('.this')) before.push(checked(value));
      values.set(parameter, value);
      continue;
    }
    if (!isSteady(value, parameter)) {
      before.push({ kind: 'set', local: parameter, value, isDeclaration: true });
      continue;
    }
    const old = value.kind === 'local' ? value.local : null;
    const place = old === null ? -1 : parameters.indexOf(old);
    const set = before.findIndex((statement) => statement.kind === 'set' && statement.local === old);
    if (old === null || body.parameters.includes(old) || (place < 0 && set < 0)) {
      values.set(parameter, value);
      continue;
    }
    // The body's own name says more.
    if (place >= 0) parameters[place] = parameter;
    else before[set] = { ...(before[set] as Statement & { kind: 'set' }), local: parameter };
    renamed.set(old, { kind: 'local', local: parameter, at: 0 });
  }
  const first = before.map((statement) => replaceParts(statement, valuesFor(renamed)));
  const statements = body.statements.map((statement) => replaceParts(statement, valuesFor(values)));
  const declared = first.flatMap((statement) => (statement.kind === 'set' ? [statement.local] : []));
  return {
    parameters,
    locals: [...new Set([...source.locals, ...declared, ...body.locals])],
    statements: [...first, ...answered(statements, only, call)],
    isDispatched: source.isDispatched || body.isDispatched,
    method: body.method,
  };
}

const isThis = (value: Expression): boolean => value.kind === 'local' && value.local.role === 'this';

/** Whether a value is the same whenever the body looks at it, and just what the body takes. */
const isSteady = (value: Expression, { type, isConstant }: Local): boolean =>
  isConstant &&
  (value.kind === 'local'
    ? value.local.type === type && value.local.isConstant
    : value.kind === 'string'
      ? type === 'Ljava/lang/String;'
      : value.kind === 'number' && type === 'I');

/** An object whose method is called is asked for before the method runs. */
const checked = (value: Expression): Statement => ({
  kind: 'do',
  expression: {
    ...{ kind: 'call', how: 'static', owner: 'Ljava/util/Objects;', name: 'requireNonNull', at: value.at },
    ...{ parameters: ['Ljava/lang/Object;'], returns: 'Ljava/lang/Object;', object: null, values: [value] },
  },
});

const callsAbove = (statements: readonly Statement[]): boolean => {
  let isFound = false;
  const look = (part: Expression): undefined => {
    if (part.kind === 'call' && part.how === 'super') isFound = true;
  };
  for (const statement of statements) replaceParts(statement, look);
  return isFound;
};

/** The body's statements, whose results become what the lambda makes of them. */
function answered(statements: Statement[], only: Statement, call: Call): Statement[] {
  if (only.kind === 'return' && only.value === call) return statements;
  const isVoid = only.kind === 'do';
  const finish = (list: Statement[], isInTry: boolean): Statement[] =>
    list.flatMap((statement): Statement[] => {
      if (statement.kind === 'return') {
        const { value, at } = statement;
        if (value === null) return [statement];
        if (isVoid) {
          if (only.expression !== call) throw new Unsayable('a lambda that changes a result and drops it');
          const end: Statement = { kind: 'return', value: null, at };
          return effectsOf(value).mask === 0 ? [end] : [{ kind: 'do', expression: value }, end];
        }
        if (isInTry && !isBoxing((only as Statement & { kind: 'return' }).value!, call))
          throw new Unsayable('a lambda that changes a result where it is caught');
        const wrapped = replaceIn((only as Statement & { kind: 'return' }).value!, (part) =>
          part === call ? value : undefined,
        );
        return [{ ...statement, value: wrapped }];
      }
      for (const inner of eachList(statement)) {
        const changed = finish(inner, isInTry || statement.kind === 'try');
        inner.splice(0, inner.length, ...changed);
      }
      return [statement];
    });
  const finished = finish(statements, false);
  const last = finished.at(-1);
  if (last?.kind === 'return' && last.value === null) finished.pop();
  return finished;
}

const isBoxing = (value: Expression, call: Call): boolean =>
  value.kind === 'call' &&
  value.name === 'valueOf' &&
  value.owner.startsWith('Ljava/lang/') &&
  value.values[0] === call;
