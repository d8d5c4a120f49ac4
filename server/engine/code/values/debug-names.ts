// Names of variables from debug information. Knows no types.
import { debugInfoOf } from '../../formats/dex/debug-info.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import type { MethodFlow, Variables, Web } from './variables.ts';

/** Instructions between what makes an object and the end of its constructor's call. */
const maxAhead = 200;

/** A variable as debug information has it. */
export interface Named {
  readonly name: string;
  /** What its type says beyond its descriptor; null for nothing. */
  readonly signature: string | null;
}

/**
 * Looks up the name of a variable: that which is told right behind the first of its writers that has one, or, as behind the
 * constructor of an object, further on before anything else is written to its register; null for none.
 */
export function debugNames(
  dex: Dex,
  { body }: MethodFlow,
  { written }: Variables,
  isStatic: boolean,
): (web: Web) => Named | null {
  const { parameterNames, events } = debugInfoOf(dex, body.code);
  const byRegister = new Map<number, (Named & { from: number })[]>();
  for (const event of events) {
    if (event.kind !== 'local' || event.nameIndex < 0) continue;
    const name = dex.stringOrNull(event.nameIndex);
    if (name === null) continue;
    const list = byRegister.get(event.register);
    const signature = event.signatureIndex < 0 ? null : dex.stringOrNull(event.signatureIndex);
    const named = { from: event.address, name, signature };
    if (list === undefined) byRegister.set(event.register, [named]);
    else list.push(named);
  }
  const behind = ({ register, readers }: Web, writer: number): Named | null => {
    const names = byRegister.get(register) ?? [];
    const last = Math.min(
      writer + maxAhead,
      readers.reduce((late, reader) => Math.max(late, reader), writer + 1),
    );
    for (let position = writer; position < last; position++) {
      if (position > writer && written[position]?.register === register) return null;
      const { at, length } = body.instructions[position]!;
      const named = names.find(({ from }) => from === at + length);
      if (named !== undefined) return named;
    }
    return null;
  };
  return (web) => {
    const { writers } = web;
    for (const writer of writers) {
      if (writer < 0) {
        const index = parameterNames[-1 - writer - (isStatic ? 0 : 1)] ?? -1;
        const name = index < 0 ? null : dex.stringOrNull(index);
        if (name !== null) return { name, signature: null };
        continue;
      }
      const named = byRegister.size === 0 ? null : behind(web, writer);
      if (named !== null) return named;
    }
    return null;
  };
}
