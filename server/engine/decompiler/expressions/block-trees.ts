// Makes expressions and statements of the instructions of each basic block. Knows no control flow but a block's end.
import { BadCode, type BodyInstruction } from '../../code/method-body.ts';
import { invokedParameters, invokedReturn } from '../../code/operand-kinds.ts';
import { arithmeticTypes, object } from '../../code/values/operands.ts';
import type { Web } from '../../code/values/variables.ts';
import { payloadAt } from '../../formats/dex/instruction.ts';
import { type Accessor, withArguments } from '../language/accessors.ts';
import { arrayFill } from './array-data.ts';
import { callSiteValue, isConcatenation } from './call-sites.ts';
import { tested } from './comparisons.ts';
import { effectsOf } from './effects.ts';
import { constantCondition } from './int-constants.ts';
import type { MethodValues, Source } from './method-values.ts';
import { Pending } from './pending.ts';
import { type RawObjects, rawObjects } from './raw-objects.ts';
import {
  type BlockTree,
  type Call,
  type Ending,
  type Expression,
  effect,
  type Local,
  type Relation,
  type Statement,
} from './tree.ts';

const operators = ['+', '-', '*', '/', '%', '&', '|', '^', '<<', '>>', '>>>'] as const;
const literalOperators = ['+', 'rsub', '*', '/', '%', '&', '|', '^', '<<', '>>', '>>>'] as const;
const relations: readonly Relation[] = ['==', '!=', '<', '>=', '>', '<='];
const sources = 'IIJJFDIIIJJJFFFDDDIII';
const targets = 'IIJJFDJFDIFDIJDIJFBCS';
const families = ['I', 'J', object, 'Z', 'B', 'C', 'S'] as const;
const calls = ['virtual', 'super', 'direct', 'static', 'interface'] as const;

/** The trees of all blocks of a method. */
export function blockTrees(values: MethodValues): BlockTree[] {
  const raw = rawObjects(values);
  const constructed = new Set<Web>();
  const trees = values.flow.blocks.map((_, index) => new BlockBuilder(values, index, raw[index]!, constructed).run());
  for (const { first, last } of values.flow.blocks) {
    for (let position = first; position <= last; position++) {
      if (values.flow.body.instructions[position]!.opcode.value !== 0x22) continue;
      const web = values.variables.written[position]!;
      if (values.usesOf(web) > 0 && !constructed.has(web)) throw new BadCode('an object that no constructor has made');
    }
  }
  return trees;
}

class BlockBuilder {
  readonly #values: MethodValues;
  readonly #index: number;
  readonly #statements: Statement[] = [];
  readonly #pending: Pending;
  readonly #isInTry: boolean;
  /** Registers that hold an object whose constructor has not run, by the position of its `new-instance`. */
  readonly #raw: Map<number, { readonly made: number; readonly web: Web }>;
  readonly #constructed: Set<Web>;
  /** The value of an invocation or `filled-new-array` that the next instruction takes. */
  #result: Expression | null = null;

  constructor(values: MethodValues, index: number, raw: RawObjects, constructed: Set<Web>) {
    this.#values = values;
    this.#index = index;
    this.#raw = new Map(raw);
    this.#constructed = constructed;
    this.#isInTry = values.flow.blocks[index]!.handlers.length > 0;
    this.#pending = new Pending(this.#statements, this.#isInTry);
  }

  run(): BlockTree {
    const { first, last } = this.#values.flow.blocks[this.#index]!;
    if (this.#index === 0) for (const copy of this.#values.parameterCopies) this.#statements.push(copy);
    for (let position = first; position < last; position++) this.#instruction(position);
    const ending = this.#ending(last);
    return { statements: this.#statements, ending };
  }

  #ending(position: number): Ending {
    const instruction = this.#values.flow.body.instructions[position]!;
    const { value, isSwitch } = instruction.opcode;
    const { successors } = this.#values.flow.blocks[this.#index]!;
    const isBranch = value >= 0x32 && value <= 0x3d;
    if (!isBranch && !isSwitch) {
      this.#instruction(position);
      this.#pending.flushAll();
      if (value >= 0x0e && value <= 0x11) return { kind: 'leave' };
      return successors.length === 0 ? { kind: 'leave' } : { kind: 'goto', to: successors[0]! };
    }
    if (isBranch) {
      const [no, yes] = successors;
      if (yes === undefined || no === undefined) throw new BadCode('a branch at the end of the code');
      const asked = this.#condition(position, instruction);
      // Whichever way it goes, what is asked is worked out.
      const condition = yes === no && effectsOf(asked).mask !== 0 ? this.#named(asked, 'Z') : this.#kept(asked, 'Z');
      this.#pending.flushAll();
      const known = yes === no ? false : constantCondition(condition);
      return known === null ? { kind: 'branch', condition, yes, no } : { kind: 'goto', to: known ? yes : no };
    }
    const read = this.#kept(this.#take(position, [0])[0]!, 'I');
    this.#pending.flushAll();
    return { kind: 'switch', value: read, targets: this.#switchTargets(instruction), otherwise: successors[0]! };
  }

  /** What a block ends by looking at stands outside of its `try`: what may throw is evaluated before. */
  #kept(expression: Expression, type: string): Expression {
    if (!this.#isInTry || effectsOf(expression).mask === 0) return expression;
    return this.#named(expression, type);
  }

  /** The value in a variable of its own. @param taken where it is written to a variable anyway, which may be that one */
  #named(expression: Expression, type: string, taken: number | null = null): Expression {
    const local = (taken === null ? null : this.#writtenOnce(taken, type)) ?? this.#values.temporary(type);
    this.#pending.emit({ kind: 'set', local, value: expression, isDeclaration: false });
    return { kind: 'local', local, at: expression.at };
  }

  #writtenOnce(position: number, type: string): Local | null {
    const web = this.#values.variables.written[position];
    if (web === undefined || web.writers.length !== 1 || this.#values.isReplaced(web)) return null;
    const { local } = this.#values.source(web) as { local: Local };
    return local.type === type && this.#values.usesOf(web) > 0 ? local : null;
  }

  #switchTargets({ at, target }: BodyInstruction) {
    const { flow } = this.#values;
    const payload = payloadAt(flow.body.code.units, target);
    if (payload === null || payload.kind === 'array-data') throw new BadCode('a switch without its table');
    const successors = flow.blocks[this.#index]!.successors;
    const seen = new Set<number>();
    return payload.targets
      .map((_, place) => ({
        key: payload.kind === 'packed-switch' ? (payload.firstKey + place) | 0 : payload.keys[place]!,
        to: successors[place + 1]!,
      }))
      .filter(({ key }) => !seen.has(key) && seen.add(key))
      .map((entry) => ({ ...entry, at }));
  }

  /** Reads operands of an instruction, given by their places, in the order in which Java evaluates them. */
  #take(position: number, places: readonly number[], named: ReadonlySet<number> | null = null): Expression[] {
    const { read } = this.#values.variables;
    return this.#taken(
      position,
      places.map((place) => this.#values.source(read[position]![place]!)),
      named,
    );
  }

  #taken(position: number, sources: readonly Source[], named: ReadonlySet<number> | null): Expression[] {
    const taken = this.#pending.take(
      sources.map((source) => ('local' in source ? source.local : null)),
      named,
    );
    const { at } = this.#values.flow.body.instructions[position]!;
    return sources.map((source, index) => {
      if (!('local' in source)) return { ...source.literal, at };
      return taken[index] ?? { kind: 'local', local: source.local, at };
    });
  }

  /** Puts what an instruction leaves where it is read. */
  #write(position: number, value: Expression): void {
    const web = this.#values.variables.written[position];
    if (web === undefined) {
      this.#pending.emit({ kind: 'do', expression: value });
      return;
    }
    if (this.#values.isReplaced(web)) return;
    if (value.kind === 'local' && value.local === (this.#values.source(web) as { local: Local }).local) return;
    const uses = this.#values.usesOf(web);
    const { local } = this.#values.source(web) as { local: Local };
    const { mask } = effectsOf(value);
    if (uses === 0 && web.writers.length === 1) {
      if (value.kind === 'call') this.#pending.emit({ kind: 'do', expression: value });
      else if ((mask & ~1) !== 0) this.#pending.emit({ kind: 'set', local, value, isDeclaration: false });
      return;
    }
    if (uses === 1 && web.writers.length === 1 && this.#isReadBelow(web, position)) this.#pending.add(local, value);
    else this.#pending.emit({ kind: 'set', local, value, isDeclaration: false });
  }

  #isReadBelow(web: Web, position: number): boolean {
    const reader = this.#values.readerOf(web);
    return reader > position && reader <= this.#values.flow.blocks[this.#index]!.last;
  }

  #instruction(position: number): void {
    const instruction = this.#values.flow.body.instructions[position]!;
    const { opcode, at, registers } = instruction;
    const { value } = opcode;
    const [a = 0] = registers;
    const { dex } = this.#values;
    const raw = this.#raw;
    if (value >= 0x0a && value <= 0x0c) {
      this.#takeResult(position);
      return;
    }
    if (opcode.isInvoke) {
      this.#invoke(position, instruction);
    } else if (value >= 0x01 && value <= 0x09) {
      const from = raw.get(registers[1]!);
      const web = this.#values.variables.written[position]!;
      if (from !== undefined) {
        raw.set(a, { made: from.made, web });
        return;
      }
      if (!this.#values.isReplaced(web)) this.#write(position, this.#take(position, [0])[0]!);
    } else if (value >= 0x12 && value <= 0x19) {
      const { literal } = instruction;
      this.#write(
        position,
        typeof literal === 'bigint' || value >= 0x16
          ? { kind: 'wide', value: BigInt(literal), at }
          : { kind: 'number', value: literal, at },
      );
    } else if (value === 0x22) {
      raw.set(a, { made: position, web: this.#values.variables.written[position]! });
      const start = this.#values.startAt(position);
      if (start !== null) this.#pending.add(start, { kind: 'start', type: dex.type(instruction.index), at });
      return;
    } else if (value >= 0x7b && value <= 0xe2) {
      this.#write(position, this.#arithmetic(position, instruction));
    } else if (value >= 0x44 && value <= 0x6d) {
      this.#memory(position, instruction);
    } else if (value === 0x24 || value === 0x25) {
      const items = this.#take(position, [...this.#values.flow.operands[position]!.reads.keys()]);
      this.#result = { kind: 'array', type: dex.type(instruction.index), items, at };
    } else {
      this.#other(position, instruction);
    }
    if (this.#values.variables.written[position] !== undefined) raw.delete(a);
  }

  #takeResult(position: number): void {
    const result = this.#result;
    if (result === null) throw new BadCode('a result of nothing');
    this.#result = null;
    this.#raw.delete(this.#values.flow.body.instructions[position]!.registers[0]!);
    this.#write(position, result);
  }

  #other(position: number, instruction: BodyInstruction): void {
    const { opcode, at, index, target } = instruction;
    const { dex } = this.#values;
    const emit = (statement: Statement) => this.#pending.emit(statement);
    const operand = () => this.#take(position, [0])[0]!;
    switch (opcode.value) {
      case 0x0e:
        emit({ kind: 'return', value: null, at });
        return;
      case 0x0f:
      case 0x10:
      case 0x11:
        emit({ kind: 'return', value: operand(), at });
        return;
      case 0x1a:
      case 0x1b:
        this.#write(position, { kind: 'string', value: dex.string(index), at });
        return;
      case 0x1c:
        this.#write(position, { kind: 'class', type: dex.type(index), at });
        return;
      case 0x1d:
      case 0x1e:
        emit({ kind: 'monitor', isEnter: opcode.value === 0x1d, lock: operand() });
        return;
      case 0x1f:
        this.#write(position, { kind: 'cast', type: dex.type(index), operand: operand(), at });
        return;
      case 0x20:
        this.#write(position, { kind: 'instanceof', type: dex.type(index), operand: operand(), at });
        return;
      case 0x21:
        this.#write(position, { kind: 'length', array: operand(), at });
        return;
      case 0x23:
        this.#write(position, { kind: 'new-array', type: dex.type(index), size: operand(), at });
        return;
      case 0x26:
        this.#fillArray(position, target, at);
        return;
      case 0x27:
        emit({ kind: 'throw', value: operand(), at });
        return;
      case 0x2d:
      case 0x2e:
      case 0x2f:
      case 0x30:
      case 0x31:
        this.#compare(position, opcode.value, at);
        return;
      case 0xfe:
      case 0xff:
        throw new BadCode(`${opcode.mnemonic} cannot be said in Java`);
    }
  }

  #compare(position: number, value: number, at: number): void {
    const type = value <= 0x2e ? 'F' : value <= 0x30 ? 'D' : 'J';
    let [left, right] = this.#take(position, [0, 1]) as [Expression, Expression];
    const web = this.#values.variables.written[position]!;
    const next = this.#values.flow.body.instructions[position + 1]?.opcode.value ?? 0;
    const isTested = next >= 0x38 && next <= 0x3d && this.#values.readerOf(web) === position + 1;
    if (type !== 'J' && !(isTested && this.#values.usesOf(web) === 1 && web.writers.length === 1)) {
      // Written twice in the source.
      if (left.kind !== 'local' && left.kind !== 'wide' && left.kind !== 'number') left = this.#named(left, type);
      if (right.kind !== 'local' && right.kind !== 'wide' && right.kind !== 'number') right = this.#named(right, type);
    }
    const unordered = value === 0x2d || value === 0x2f ? -1 : 1;
    this.#write(position, { kind: 'comparison', type, unordered, left, right, at });
  }

  #condition(position: number, { opcode: { value }, at }: BodyInstruction): Expression {
    if (value <= 0x37) {
      const operator = relations[value - 0x32]!;
      const [left, right] = this.#take(position, [0, 1]) as [Expression, Expression];
      const { read } = this.#values.variables;
      const [a, b] = read[position]! as [Web, Web];
      const type = value >= 0x34 ? 'I' : this.#values.comparedAs(a, b);
      return { kind: 'relation', operator, type, left, right, at };
    }
    const operator = relations[value - 0x38]!;
    const [operand] = this.#take(position, [0]) as [Expression];
    if (operand.kind === 'comparison') return tested(operand, operator);
    const type = value >= 0x3a ? 'I' : this.#values.typeOf(this.#values.variables.read[position]![0]!);
    if (type === 'Z') {
      const truth: Expression = { kind: 'truth', operand, at };
      return operator === '!=' ? truth : { kind: 'not', operand: truth, at };
    }
    return { kind: 'relation', operator, type, left: operand, right: { kind: 'number', value: 0, at }, at };
  }

  #arithmetic(position: number, { opcode: { value }, literal, at }: BodyInstruction): Expression {
    if (value >= 0xd0) {
      const [operand] = this.#take(position, [0]) as [Expression];
      const operator = literalOperators[value < 0xd8 ? value - 0xd0 : value - 0xd8]!;
      const number = { kind: 'number', value: Number(literal), at } as const;
      const base = { kind: 'arithmetic', type: 'I', at } as const;
      // Compilers have no instruction to subtract a number.
      const isLess = operator === '+' && number.value < 0;
      if (isLess) return { ...base, operator: '-', left: operand, right: { ...number, value: -number.value } };
      if (operator === 'rsub') return { ...base, operator: '-', left: number, right: operand };
      return { ...base, operator, left: operand, right: number };
    }
    if (value >= 0x90) {
      const [type] = arithmeticTypes(value);
      const place = (value - (value < 0xb0 ? 0x90 : 0xb0)) % 32;
      const operator = operators[place < 11 ? place : place < 22 ? place - 11 : (place - 22) % 5]!;
      const [left, right] = this.#take(position, [0, 1]) as [Expression, Expression];
      return { kind: 'arithmetic', operator, type, left, right, at };
    }
    const [operand] = this.#take(position, [0]) as [Expression];
    const [from, to] = [sources[value - 0x7b]!, targets[value - 0x7b]!];
    if (value <= 0x80)
      return { kind: 'negation', operator: value === 0x7c || value === 0x7e ? '~' : '-', type: to, operand, at };
    return { kind: 'conversion', from, to, operand, at };
  }

  #memory(position: number, { opcode: { value }, index, at }: BodyInstruction): void {
    const emit = (target: Expression, stored: Expression) =>
      this.#pending.emit({ kind: 'store', target, value: stored, at });
    if (value <= 0x4a) {
      const [array, place] = this.#take(position, [0, 1]) as [Expression, Expression];
      this.#write(position, { kind: 'element', family: families[value - 0x44]!, array, index: place, at });
      return;
    }
    if (value <= 0x51) {
      const [array, place, stored] = this.#take(position, [1, 2, 0]) as [Expression, Expression, Expression];
      emit({ kind: 'element', family: families[value - 0x4b]!, array, index: place, at }, stored);
      return;
    }
    const { dex } = this.#values;
    const owner = dex.fieldClass(index);
    const field = (of: Expression | null): Expression => ({
      kind: 'field',
      owner,
      name: dex.fieldName(index),
      type: dex.fieldType(index),
      object: of,
      isOwn: owner === this.#values.owner,
      at,
    });
    if (value <= 0x58) {
      this.#write(position, field(this.#take(position, [0])[0]!));
      return;
    }
    if (value <= 0x5f) {
      const [of, stored] = this.#take(position, [1, 0]) as [Expression, Expression];
      emit(field(of), stored);
      return;
    }
    if (value <= 0x66) {
      this.#write(position, field(null));
      return;
    }
    emit(field(null), this.#take(position, [0])[0]!);
  }

  #fillArray(position: number, target: number, at: number): void {
    const payload = payloadAt(this.#values.flow.body.code.units, target);
    if (payload?.kind !== 'array-data') throw new BadCode('an array without its data');
    const [array] = this.#take(position, [0]) as [Expression];
    const type = this.#values.arrayType(this.#values.variables.read[position]![0]!, payload.elementWidth);
    this.#pending.emit({ kind: 'do', expression: arrayFill(type, payload, array, at) });
  }

  #invoke(position: number, instruction: BodyInstruction): void {
    const { opcode, index, at } = instruction;
    const { dex, flow, variables } = this.#values;
    if (opcode.index === 'call-site') {
      this.#link(position, instruction);
      return;
    }
    const how = opcode.index === 'method-and-proto' ? 'virtual' : calls[(opcode.value - 0x6e) % 6]!;
    const isStatic = how === 'static';
    const name = dex.methodName(index);
    const base = { kind: 'call', owner: dex.methodClass(index), name, at } as const;
    const proto = opcode.index === 'method-and-proto' ? instruction.secondIndex : dex.methodProtoIndex(index);
    const parameters = dex.protoParameters(proto);
    const returns = invokedReturn(dex, instruction);
    const places = [...flow.operands[position]!.reads.keys()];
    if (name === '<init>') {
      const called = { ...base, parameters, object: null };
      if (this.#values.isThis(variables.read[position]![0]!)) {
        const values = this.#take(position, places.slice(1));
        const call: Call = { ...called, how: 'constructor', returns: 'V', values };
        const expression = this.#values.accessors.constructorOf(call, this.#values.owner);
        this.#pending.emit({ kind: 'do', expression });
      } else this.#construct(position, { ...called, how: 'new', returns: base.owner });
      return;
    }
    const taken = this.#take(position, places);
    // A method handle's own methods return Object, and are called as what they are cast to.
    const isPolymorphic =
      opcode.index === 'method-and-proto' && dex.protoReturnType(dex.methodProtoIndex(index)) === object;
    const call: Call = {
      ...base,
      how,
      parameters,
      returns: isPolymorphic && returns !== 'V' ? object : returns,
      object: isStatic ? null : taken[0]!,
      values: isStatic ? taken : taken.slice(1),
    };
    const next = flow.body.instructions[position + 1]?.opcode.value ?? 0;
    const isUsed = next >= 0x0a && next <= 0x0c && instruction.following === position + 1;
    const accessor = isStatic ? this.#values.accessors.of(call, this.#values.owner) : null;
    if (accessor !== null) {
      this.#result = this.#access(accessor, call, isUsed ? position + 1 : null);
      return;
    }
    if (!isPolymorphic || returns === 'V') {
      if (isUsed) this.#result = call;
      else this.#pending.emit({ kind: 'do', expression: call });
      return;
    }
    const value: Expression = { kind: 'cast', type: returns, operand: call, at };
    if (isUsed) this.#result = value;
    else this.#pending.emit({ kind: 'set', local: this.#values.temporary(returns), value, isDeclaration: false });
  }

  /** What a call site does that is linked when it is reached. */
  #link(position: number, instruction: BodyInstruction): void {
    const { index, at, following } = instruction;
    const { dex, flow } = this.#values;
    const places = [...flow.operands[position]!.reads.keys()];
    const isText = isConcatenation(dex, index);
    let taken = this.#take(position, places, isText ? null : new Set(places));
    if (!isText) for (const value of taken) if (value.kind === 'local') value.local.captors ??= new Set();
    // Texts are asked for when all is worked out.
    if (isText && taken.some((value) => (effectsOf(value).mask & effect.acts) !== 0)) {
      const types = invokedParameters(dex, instruction);
      taken = taken.map((value, place) => (effectsOf(value).mask === 0 ? value : this.#named(value, types[place]!)));
    }
    const { value, isLinkedAnew } = callSiteValue(dex, index, taken, at);
    if (isLinkedAnew) this.#pending.emit({ kind: 'comment', text: 'the code links this call once, not each time' });
    const next = flow.body.instructions[position + 1]?.opcode.value ?? 0;
    if (next >= 0x0a && next <= 0x0c && following === position + 1) this.#result = value;
    else if (value.kind !== 'lambda') this.#pending.emit({ kind: 'do', expression: value });
  }

  /** What an accessor does, in place of its call. @param taken where its result is taken @returns its result where it is used */
  #access(accessor: Accessor, { values, at }: Call, taken: number | null): Expression | null {
    const isUsed = taken !== null;
    const emit = (statement: Statement) => this.#pending.emit(statement);
    const { parameters } = accessor;
    const given = (list: readonly Expression[]) => new Map(list.map((value, place) => [parameters[place]!, value]));
    const { owner } = this.#values;
    if (accessor.kind === 'value') {
      const value = withArguments(accessor.value, given(values), at, owner);
      if (isUsed) return value;
      if (value.kind === 'call') emit({ kind: 'do', expression: value });
      else this.#named(value, (value as Expression & { kind: 'field' }).type);
      return null;
    }
    const { type } = accessor.target;
    const isOnce = accessor.isPlain && !isUsed;
    const known = given(isOnce ? values : values.map((value, place) => this.#steady(value, parameters[place]!.type)));
    const target = withArguments(accessor.target, known, at, owner);
    const { old } = accessor;
    if (old !== null) known.set(old, isUsed ? this.#named(target, type, taken) : target);
    const value = withArguments(accessor.value, known, at, owner);
    const stored = !isUsed || old !== null ? value : this.#steady(value, type, taken);
    emit({ kind: 'store', target, value: stored, at });
    if (!isUsed) return null;
    return old === null ? stored : known.get(old)!;
  }

  /** A value that may be read more than once. */
  #steady(value: Expression, type: string, taken: number | null = null): Expression {
    const isKept =
      value.kind === 'local' ? value.local.type === type : value.kind === 'number' || value.kind === 'wide';
    return isKept ? value : this.#named(value, type, taken);
  }

  /** The object is there when its constructor has run: in the register it was made in, and in those that it was copied to. */
  #construct(position: number, called: Omit<Call, 'values'>): void {
    const receiver = this.#values.variables.read[position]![0]!;
    const made = this.#raw.get(this.#values.flow.body.instructions[position]!.registers[0]!)?.made;
    const value = this.#made(position, called, made === undefined ? null : this.#values.startAt(made));
    const copies = [...this.#raw].filter(([, other]) => other.made === made);
    for (const [at, { web }] of copies) {
      this.#raw.delete(at);
      this.#constructed.add(web);
    }
    this.#constructed.add(this.#values.rootOf(receiver));
    const source = this.#values.source(receiver);
    if (!('local' in source)) throw new BadCode('a constructor of what is no new object');
    const { local } = source;
    const others = copies
      .filter(([, { web }]) => !this.#values.isReplaced(web) && this.#values.usesOf(web) > 0)
      .map(([, { web }]) => (this.#values.source(web) as { local: Local }).local)
      .filter((copy) => copy !== local);
    this.#writeNew(receiver, local, value, others.length > 0);
    for (const copy of new Set(others)) {
      this.#pending.emit({
        kind: 'set',
        local: copy,
        value: { kind: 'local', local, at: value.at },
        isDeclaration: false,
      });
    }
  }

  /** @param start what stands for the class's start, which comes before anything that the constructor is given */
  #made(position: number, called: Omit<Call, 'values'>, start: Local | null): Call {
    const fixed = this.#values.fixedArguments(called.owner);
    const given = this.#values.variables.read[position]!.slice(1).map((web) => this.#values.source(web));
    const first = start === null ? 0 : 1;
    const taken = this.#taken(
      position,
      start === null ? given : [{ local: start }, ...given],
      fixed === null ? null : new Set([...fixed].map((place) => place + first)),
    );
    const values = taken.slice(first);
    for (const place of fixed ?? []) {
      const value = values[place];
      if (value?.kind === 'local') value.local.captors = new Set(value.local.captors).add(called.owner);
    }
    const call: Call = { ...called, ...(start === null ? {} : { start: taken[0]! }), values };
    return this.#values.accessors.constructorOf(call, this.#values.owner);
  }

  #writeNew(web: Web, local: Local, value: Expression, isCopied: boolean): void {
    const uses = this.#values.usesOf(web);
    const isSingle = this.#values.rootOf(web).writers.length === 1;
    if (uses === 0 && isSingle && !isCopied) {
      this.#pending.emit({ kind: 'do', expression: value });
      return;
    }
    const reader = this.#values.readerOf(web);
    const { last } = this.#values.flow.blocks[this.#index]!;
    const isBelow = value.at < (this.#values.flow.body.instructions[reader]?.at ?? -1) && reader <= last;
    if (uses === 1 && isSingle && isBelow && !isCopied) this.#pending.add(local, value);
    else this.#pending.emit({ kind: 'set', local, value, isDeclaration: false });
  }
}
