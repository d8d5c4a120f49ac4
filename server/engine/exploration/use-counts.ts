// How often code refers to each string, type, field and method. Knows no names.
import { scanCode } from '../formats/dex/code-scan.ts';
import type { Dex } from '../formats/dex/dex.ts';
import { opcodes } from '../formats/dex/opcodes.ts';

export interface DexUses {
  readonly strings: Uint32Array;
  readonly types: Uint32Array;
  readonly fields: Uint32Array;
  readonly methods: Uint32Array;
}

const everything = (count: number): Uint8Array => new Uint8Array(count).fill(1);

/** Counts of every dex, made in one pass when the first is asked for. */
export class UseCounts {
  readonly #counts = new Map<Dex, DexUses>();

  constructor(dexes: readonly Dex[]) {
    for (const dex of dexes) this.#counts.set(dex, countUses(dex));
  }

  of(dex: Dex): DexUses {
    return this.#counts.get(dex)!;
  }
}

function countUses(dex: Dex): DexUses {
  const uses: DexUses = {
    strings: new Uint32Array(dex.stringCount),
    types: new Uint32Array(dex.typeCount),
    fields: new Uint32Array(dex.fieldCount),
    methods: new Uint32Array(dex.methodCount),
  };
  const byOpcode = opcodes.map(({ index }) => {
    if (index === 'string') return uses.strings;
    if (index === 'type') return uses.types;
    return index === 'field' ? uses.fields : uses.methods;
  });
  const interest = {
    strings: everything(dex.stringCount),
    types: everything(dex.typeCount),
    fields: everything(dex.fieldCount),
    methods: everything(dex.methodCount),
  };
  scanCode(dex, interest, (_class, _method, _offset, _at, opcode, index) => {
    byOpcode[opcode]![index]!++;
  });
  return uses;
}
