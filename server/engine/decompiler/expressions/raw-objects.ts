// Which registers hold an object whose constructor has not run yet, where blocks begin. Knows no statements.
import type { Web } from '../../code/values/variables.ts';
import type { MethodValues } from './method-values.ts';

/** By register the position of the `new-instance`, and the variable that the register is then. */
export type RawObjects = ReadonlyMap<number, { readonly made: number; readonly web: Web }>;

const none: RawObjects = new Map();

/** By block: what each way into it brings alike. A handler may look at none. */
export function rawObjects(values: MethodValues): RawObjects[] {
  const { blocks } = values.flow;
  const entries: (RawObjects | undefined)[] = blocks.map(() => undefined);
  entries[0] = none;
  const handlers = new Set(blocks.flatMap((block) => block.handlers.map((handler) => handler.block)));
  for (const block of handlers) entries[block] = none;
  const waiting = [0, ...handlers];
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    const left = leaving(values, index, entries[index]!);
    for (const next of blocks[index]!.successors) {
      const known = entries[next];
      const joined = known === undefined ? left : common(known, left);
      // What is known of a block only ever becomes less.
      if (known !== undefined && joined.size === known.size) continue;
      entries[next] = joined;
      waiting.push(next);
    }
  }
  return entries.map((entry) => entry ?? none);
}

function common(a: RawObjects, b: RawObjects): RawObjects {
  if (a.size === 0 || b.size === 0) return none;
  return new Map(
    [...a].filter(([register, { made, web }]) => {
      const other = b.get(register);
      return other?.made === made && other.web === web;
    }),
  );
}

function leaving(values: MethodValues, index: number, entry: RawObjects): RawObjects {
  const { body, blocks } = values.flow;
  const { first, last } = blocks[index]!;
  const raw = new Map(entry);
  for (let position = first; position <= last; position++) {
    const { opcode, registers, index: member } = body.instructions[position]!;
    const [a = 0, b = 0] = registers;
    const web = values.variables.written[position];
    const from = opcode.value >= 0x07 && opcode.value <= 0x09 ? raw.get(b) : undefined;
    if (opcode.value === 0x22) raw.set(a, { made: position, web: web! });
    else if (from !== undefined) raw.set(a, { made: from.made, web: web! });
    else if (web !== undefined) raw.delete(a);
    else if (opcode.isInvoke && opcode.index === 'method' && values.dex.methodName(member) === '<init>') {
      const made = raw.get(a)?.made;
      for (const [register, other] of raw) if (other.made === made) raw.delete(register);
    }
  }
  return raw.size === 0 ? none : raw;
}
