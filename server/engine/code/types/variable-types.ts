// The type of each variable of a method: what is written to it joined, where that is only constants what it is read as. Knows no
// notation.
import { isReference, object, throwable } from '../values/operands.ts';
import type { MethodFlow, Variables, Web } from '../values/variables.ts';
import type { ClassRelations } from './class-relations.ts';

const integral = new Set(['Z', 'B', 'S', 'C', 'I']);
/** A join may climb a class's ancestors one by one. */
const maxRounds = 40;

export const isIntegral = (type: string): boolean => integral.has(type);

/** Whether a constant is a value of an int-like type. */
function fits(value: number, type: string): boolean {
  switch (type) {
    case 'Z':
      return value === 0 || value === 1;
    case 'B':
      return value >= -128 && value <= 127;
    case 'S':
      return value >= -32768 && value <= 32767;
    case 'C':
      return value >= 0 && value <= 65535;
    default:
      return true;
  }
}

/**
 * @param parameters descriptors, the receiver's first
 * @returns by web a descriptor: every variable has one
 */
export function variableTypes(
  flow: MethodFlow,
  variables: Variables,
  parameters: readonly string[],
  relations: ClassRelations,
): string[] {
  return new Inference(flow, variables, parameters, relations).run();
}

class Inference {
  readonly #flow: MethodFlow;
  readonly #variables: Variables;
  readonly #parameters: readonly string[];
  readonly #relations: ClassRelations;
  readonly #types: (string | null)[];
  /** By position of a handler's first instruction what it catches. */
  readonly #caught = new Map<number, string>();

  constructor(flow: MethodFlow, variables: Variables, parameters: readonly string[], relations: ClassRelations) {
    this.#flow = flow;
    this.#variables = variables;
    this.#parameters = parameters;
    this.#relations = relations;
    this.#types = variables.webs.map(() => null);
    for (const { handlers } of flow.blocks) {
      for (const { type, block } of handlers) {
        const at = flow.blocks[block]!.first;
        const known = this.#caught.get(at);
        const caught = type ?? throwable;
        if (known === caught) continue;
        this.#caught.set(at, known === undefined ? caught : relations.join(known, caught));
      }
    }
  }

  run(): string[] {
    this.#settle((web) => this.#writtenType(web));
    // Constants only, and copies of such: what reads them decides, a copy by what reads the copy.
    this.#settle((web) => this.#types[web.id] ?? this.#readType(web));
    for (const { id } of this.#variables.webs) this.#types[id] ??= this.#isWideWeb(id) ? 'J' : 'I';
    this.#settle((web) => this.#writtenType(web) ?? this.#types[web.id]!);
    return this.#types as string[];
  }

  #settle(typeOf: (web: Web) => string | null): void {
    for (let round = 0, isChanged = true; isChanged && round < maxRounds; round++) {
      isChanged = false;
      for (const web of this.#variables.webs) {
        const type = typeOf(web);
        if (type === null || type === this.#types[web.id]) continue;
        this.#types[web.id] = type;
        isChanged = true;
      }
    }
  }

  #writtenType(web: Web): string | null {
    let joined: string | null = null;
    let hasMisfit = false;
    for (const writer of web.writers) {
      const type = this.#writerType(writer);
      if (type === null) continue;
      joined = joined === null ? type : this.#join(joined, type);
    }
    if (joined !== null && joined !== 'I' && isIntegral(joined)) {
      const type = joined;
      hasMisfit = web.writers.some((writer) => {
        const value = this.#constant(writer);
        return value !== null && !fits(value, type);
      });
    }
    return hasMisfit ? 'I' : joined;
  }

  #join(a: string, b: string): string {
    if (a === b) return a;
    if (isReference(a) && isReference(b)) return this.#relations.join(a, b);
    if (isReference(a) || isReference(b)) return isReference(a) ? a : b;
    if (isIntegral(a) && isIntegral(b)) return 'I';
    return a;
  }

  #constant(writer: number): number | null {
    if (writer < 0) return null;
    if (this.#flow.operands[writer]!.write!.type !== 'constant') return null;
    return Number(this.#flow.body.instructions[writer]!.literal);
  }

  #writerType(writer: number): string | null {
    if (writer < 0) return this.#parameters[-1 - writer] ?? null;
    const { type } = this.#flow.operands[writer]!.write!;
    switch (type) {
      case 'constant':
      case 'wide':
        return null;
      case 'exception':
        return this.#caught.get(writer) ?? throwable;
      case '=':
        return this.#types[this.#variables.read[writer]![0]!.id]!;
      case '[':
        return this.elementOf(writer);
      default:
        return type;
    }
  }

  /** What an `aget` reads or an `aput` writes, from its array's type. */
  elementOf(position: number): string | null {
    const { value } = this.#flow.body.instructions[position]!.opcode;
    const isPut = value >= 0x4b;
    const array = this.#types[this.#variables.read[position]![isPut ? 1 : 0]!.id];
    const place = isPut ? value - 0x4b : value - 0x44;
    if (array?.startsWith('[')) {
      const element = array.slice(1);
      const isFitting = place === 2 ? isReference(element) : place === 0 ? /[IF]/.test(element) : /[JD]/.test(element);
      if (isFitting && (place === 2 || element.length === 1)) return element;
    }
    return array === null && !isPut ? null : place === 0 ? 'I' : place === 1 ? 'J' : object;
  }

  #isWideWeb(id: number): boolean {
    return this.#variables.webs[id]!.writers.some((writer) => {
      if (writer < 0) return false;
      const { type } = this.#flow.operands[writer]!.write!;
      const { value } = this.#flow.body.instructions[writer]!.opcode;
      return type === 'wide' || (type === '=' && value >= 0x04 && value <= 0x06) || value === 0x45;
    });
  }

  #readType(web: Web): string | null {
    const wanted = new Set<string>();
    for (const position of new Set(web.readers)) {
      this.#variables.read[position]!.forEach((read, operand) => {
        if (read !== web) return;
        const type = this.#wantedAt(position, operand);
        if (type !== null) wanted.add(type);
      });
    }
    if (wanted.size === 0) return null;
    const list = [...wanted];
    const values = web.writers.map((writer) => this.#constant(writer)).filter((value) => value !== null);
    const integers = list.filter(isIntegral);
    const references = list.filter(isReference);
    if (references.length > 0 && integers.length === 0 && values.every((value) => value === 0)) {
      return references.length === 1
        ? references[0]!
        : references.every((type) => type === references[0])
          ? references[0]!
          : this.#lowest(references);
    }
    if (list.every((type) => type === 'F' || type === 'D')) return list[0]!;
    if (list.some((type) => type === 'J' || type === 'D')) return 'J';
    const narrow = integers.length === 1 && list.length === 1 ? integers[0]! : 'I';
    return values.every((value) => fits(value, narrow)) ? narrow : 'I';
  }

  /** The one of some types that is known to be of all of them; of null nothing else is needed. */
  #lowest(types: readonly string[]): string {
    return types.find((type) => types.every((other) => this.#relations.isAssignable(type, other))) ?? object;
  }

  #wantedAt(position: number, operand: number): string | null {
    const { type } = this.#flow.operands[position]!.reads[operand]!;
    if (type === '=') return this.#types[this.#variables.written[position]!.id]!;
    if (type === '?') {
      const other = this.#variables.read[position]![1 - operand];
      const known = other === undefined ? null : this.#types[other.id]!;
      return known !== null && isReference(known) ? object : known;
    }
    if (type === '[') {
      const { value } = this.#flow.body.instructions[position]!.opcode;
      if (value >= 0x4b && operand === 0) return this.elementOf(position);
      return null;
    }
    return type;
  }
}
