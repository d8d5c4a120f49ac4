// Which instructions may have left what a register holds, anywhere in a method, and the calls made with it. Follows no call.
import type { Dex } from '../formats/dex/dex.ts';
import type { BodyInstruction, MethodBody } from './method-body.ts';
import { invokedParameters, isMove, writesFirst } from './operand-kinds.ts';
import { RegisterFlow, type RegisterState } from './register-flow.ts';

/** The position of an instruction, or `parameterBase` and the place of a parameter. */
export type Definition = number;

/** A call in a method. */
export interface Call {
  readonly position: number;
  /** Descriptor of the class that the call names. */
  readonly owner: string;
  readonly name: string;
  /** `(ILjava/lang/String;)V` */
  readonly descriptor: string;
  /** The first register of each argument, the receiver before them. */
  readonly registers: readonly number[];
  /** Their descriptors. */
  readonly types: readonly string[];
}

/** Code of a megabyte has some hundred thousand instructions. */
export const parameterBase = 1 << 24;
/** Definitions that may reach a register; of more the first ones stand for all. */
const maxReaching = 12;
/** Different sets of definitions in one method. */
const maxSets = 20_000;

const isMoveResult = (value: number) => value >= 0x0a && value <= 0x0c;

export class Definitions {
  readonly dex: Dex;
  readonly body: MethodBody;
  readonly #sets: Definition[][] = [[]];
  readonly #ids = new Map<string, number>();
  readonly #parameters: readonly string[];
  /** Numbers of the sets that reach the registers of each instruction, in their order. */
  #reaching: number[][] | null = null;
  #calls: ReadonlyMap<number, Call> | null = null;
  #names: ReadonlySet<string> | null = null;

  /** @param parameters descriptors, the receiver's before them */
  constructor(dex: Dex, body: MethodBody, parameters: readonly string[]) {
    this.dex = dex;
    this.body = body;
    this.#parameters = parameters;
  }

  /** Runs through the method, which is only done for those whose values somebody asks about. */
  #flow(): RegisterFlow {
    const { registers, ins } = this.body.code;
    const first = new Int32Array(registers);
    let register = registers - ins;
    this.#parameters.forEach((type, place) => {
      if (register < registers) first[register] = this.#intern([parameterBase + place]);
      register += isWide(type) ? 2 : 1;
    });
    const analysis = {
      merge: (a: number, b: number) =>
        this.#intern([...new Set([...this.#sets[a]!, ...this.#sets[b]!])].sort((x, y) => x - y)),
      write: (position: number, state: RegisterState) => this.#write(position, state),
      isSpent: () => this.#sets.length > maxSets,
    };
    return new RegisterFlow(this.body, analysis, first);
  }

  #intern(definitions: readonly Definition[]): number {
    const kept = definitions.slice(0, maxReaching);
    const key = kept.join();
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.#sets.push(kept) - 1;
      this.#ids.set(key, id);
    }
    return id;
  }

  #write(position: number, state: RegisterState): void {
    const { opcode, registers } = this.body.instructions[position]!;
    const { value } = opcode;
    // A cast leaves what was there.
    if (!writesFirst(value)) return;
    if (isMove(value)) state[registers[0]!] = state[registers[1]!]!;
    else state[registers[0]!] = this.#intern([isMoveResult(value) ? position - 1 : position]);
  }

  /** What may have left the content of a register before an instruction; empty where the code never gets there. */
  reaching(position: number, register: number): readonly Definition[] {
    if (this.#reaching === null) {
      const all: number[][] = [];
      this.#flow().forEach((at, state) => {
        all[at] = this.body.instructions[at]!.registers.map((each) => state[each] ?? 0);
      });
      this.#reaching = all;
    }
    const place = this.body.instructions[position]!.registers.indexOf(register);
    return this.#sets[this.#reaching[position]?.[place] ?? 0]!;
  }

  /** Every call by its position, in the order of the code. */
  get calls(): ReadonlyMap<number, Call> {
    this.#calls ??= new Map(
      this.body.instructions.flatMap((instruction, position) => {
        const call = callOf(this.dex, instruction, position);
        return call === null ? [] : [[position, call] as const];
      }),
    );
    return this.#calls;
  }

  /** Names of the methods that it calls and of the fields that it reads, `Lcom/a/B;->m`. */
  get names(): ReadonlySet<string> {
    this.#names ??= new Set([
      ...Array.from(this.calls.values(), ({ owner, name }) => `${owner}->${name}`),
      ...this.body.instructions.flatMap(({ opcode: { value }, index }) =>
        (value >= 0x52 && value <= 0x58) || (value >= 0x60 && value <= 0x66)
          ? [`${this.dex.fieldClass(index)}->${this.dex.fieldName(index)}`]
          : [],
      ),
    ]);
    return this.#names;
  }

  /** The calls to which what a definition left may be handed, with the place among their arguments. */
  *usesOf(definition: Definition): Generator<{ call: Call; argument: number }> {
    for (const call of this.calls.values()) {
      for (let argument = 0; argument < call.registers.length; argument++) {
        if (this.reaching(call.position, call.registers[argument]!).includes(definition)) yield { call, argument };
      }
    }
  }
}

const isWide = (descriptor: string): boolean => descriptor === 'J' || descriptor === 'D';

/** The call that an instruction makes; null where it makes none, or one by a method handle. */
function callOf(dex: Dex, instruction: BodyInstruction, position: number): Call | null {
  const { opcode, index, registers } = instruction;
  if (!opcode.isInvoke || opcode.index !== 'method') return null;
  const first: number[] = [];
  const types = invokedParameters(dex, instruction);
  let at = 0;
  for (const type of types) {
    if (at < registers.length) first.push(registers[at]!);
    at += isWide(type) ? 2 : 1;
  }
  return {
    position,
    owner: dex.methodClass(index),
    name: dex.methodName(index),
    descriptor: dex.methodDescriptor(index),
    registers: first,
    types,
  };
}
