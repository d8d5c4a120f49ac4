// Names of variables from debug information. Knows no types.
import { debugInfoOf } from '../../formats/dex/debug-info.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import type { MethodFlow, Web } from './variables.ts';

interface Named {
  readonly from: number;
  readonly name: string;
}

/** Looks up the name of a variable: that which is told right behind the first of its writers that has one; null for none. */
export function debugNames(dex: Dex, { body }: MethodFlow, isStatic: boolean): (web: Web) => string | null {
  const { parameterNames, events } = debugInfoOf(dex, body.code);
  const byRegister = new Map<number, Named[]>();
  for (const event of events) {
    if (event.kind !== 'local' || event.nameIndex < 0) continue;
    const name = dex.stringOrNull(event.nameIndex);
    if (name === null) continue;
    const list = byRegister.get(event.register);
    const named = { from: event.address, name };
    if (list === undefined) byRegister.set(event.register, [named]);
    else list.push(named);
  }
  return ({ register, writers }) => {
    for (const writer of writers) {
      if (writer < 0) {
        const index = parameterNames[-1 - writer - (isStatic ? 0 : 1)] ?? -1;
        const name = index < 0 ? null : dex.stringOrNull(index);
        if (name !== null) return name;
        continue;
      }
      const { at, length } = body.instructions[writer]!;
      const named = byRegister.get(register)?.find(({ from }) => from === at + length);
      if (named !== undefined) return named.name;
    }
    return null;
  };
}
