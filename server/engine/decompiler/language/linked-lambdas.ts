// The statements of a lambda that a call site links: the call of the method that it stands for. Knows no text.
import { adapted } from '../expressions/adapting.ts';
import type { Call, Expression, LinkedLambda, Local, Statement } from '../expressions/tree.ts';
import { Unsayable } from '../limits.ts';
import type { LambdaSource } from './lambda-bodies.ts';

/** @param method the one that it stands in @throws Unsayable where what it captures is no variable */
export function linkedSource(lambda: LinkedLambda, method: string): Omit<LambdaSource, 'isDispatched'> {
  const { at, asked, instantiated, target, captured } = lambda;
  if (captured.some(({ kind }) => kind === 'call' || kind === 'field' || kind === 'element'))
    throw new Unsayable('a lambda that captures what is worked out');
  const { how, owner, name, returns } = target;
  const isInstance = how !== 'static' && how !== 'new';
  const taken = isInstance ? [owner, ...target.parameters] : target.parameters;
  const parameters = asked.parameters.map(
    (type, id): Local => ({ id, type, hint: null, role: 'parameter', isConstant: true, name: '' }),
  );
  const given = parameters.map((local, place) => {
    const type = instantiated.parameters[place]!;
    const value: Expression = { kind: 'local', local, at };
    const cast: Expression = type === local.type ? value : { kind: 'cast', type, operand: value, at };
    return adapted(cast, type, taken[captured.length + place]!);
  });
  const values = [...captured, ...given];
  const call: Call = {
    ...{ kind: 'call', at, how, owner, name, parameters: target.parameters, returns },
    object: isInstance ? values[0]! : null,
    values: isInstance ? values.slice(1) : values,
  };
  const only: Statement =
    asked.returns === 'V'
      ? { kind: 'do', expression: call }
      : { kind: 'return', value: adapted(call, returns, instantiated.returns), at };
  return { parameters, locals: [], statements: [only], method };
}
