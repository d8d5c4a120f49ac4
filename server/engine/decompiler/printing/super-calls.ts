// Calls of what a superclass does to another object than `this`, as accessors for inner classes make them: Java says `super` of
// `this` alone, so that a method of the object's own says it. Knows no statements.
import type { Call } from '../expressions/tree.ts';
import type { ClassScope } from './class-scope.ts';

export class SuperCalls {
  /** By class, and by the method that is meant. */
  readonly #calls = new Map<string, Map<string, Call>>();

  /** @param type the class whose code makes the call */
  add(type: string, call: Call): void {
    const calls = this.#calls.get(type) ?? new Map<string, Call>();
    this.#calls.set(type, calls.set(`${call.name}(${call.parameters.join('')})${call.returns}`, call));
  }

  of(type: string): Iterable<Call> {
    return this.#calls.get(type)?.values() ?? [];
  }
}

/** Writes the methods that the calls in a class need, which are called `super$` and the method's name. */
export function writeSuperCalls(scope: ClassScope): void {
  const { writer, names, program, exceptions, superCalls } = scope.file;
  for (const call of superCalls.of(scope.type)) {
    const { owner, name, parameters, returns, at } = call;
    const shown = program.methodName(owner, name, `(${parameters.join('')})${returns}`);
    const locals = parameters.map((type, id) => ({
      ...{ id, type, hint: null, role: 'parameter' as const, isConstant: true, name: `p${id}` },
    }));
    writer.text('\n').line().text(`/** What the superclass does, for calls from outside of the object. */`).line();
    names.write(writer, returns);
    writer.text(` super$${shown}(`);
    for (const [index, { type, name: parameter }] of locals.entries()) {
      if (index > 0) writer.text(', ');
      names.write(writer, type);
      writer.text(` ${parameter}`);
    }
    writer.text(')');
    for (const [index, type] of exceptions.ofCall(call).entries()) {
      writer.text(index > 0 ? ', ' : ' throws ');
      names.write(writer, type);
    }
    writer.text(returns === 'V' ? ' { ' : ' { return ');
    const self = { id: -1, type: scope.type, hint: null, role: 'this' as const, isConstant: true, name: 'this' };
    const values = locals.map((local) => ({ kind: 'local' as const, local, at }));
    const printer = scope.expressions();
    const made = printer.typing.as({ ...call, object: { kind: 'local', local: self, at }, values }, null);
    printer.write(made, returns, 0);
    writer.text('; }');
  }
}
