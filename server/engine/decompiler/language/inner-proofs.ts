// Shows of classes that their objects can be made and used as Java's inner classes are: whoever makes one gives an object around
// that is not null, and nobody looks at it but the class itself and those in it. Knows no trees.
import { BadCode } from '../../code/method-body.ts';
import type { MethodFlow, Variables, Web } from '../../code/values/variables.ts';
import { variablesOf } from '../../code/values/variables.ts';
import { allMethods } from '../../formats/dex/class-data.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import { Unsayable } from '../limits.ts';
import { methodFlow } from '../method-flow.ts';
import type { Program } from '../printing/program.ts';
import type { Caller } from './class-uses.ts';
import type { InnerClass } from './inner-classes.ts';

const accStatic = 0x8;
const opcode = { newInstance: 0x22, iget: 0x52, igetObject: 0x54, lastIget: 0x58, iput: 0x59, lastIput: 0x5f } as const;
/** Moves and blocks that are followed. */
const maxSteps = 64;
/** Methods that are looked into for the classes of one file. */
const maxViews = 1500;
/** Constructors that pass their parameters on to each other. */
const maxPassing = 16;

/** The places of all code that name a member, by its descriptor: constructors that take an object around, fields that hold one. */
export type Callers = (member: string) => readonly Caller[];

interface View {
  readonly dex: Dex;
  readonly owner: string;
  readonly name: string;
  readonly method: string;
  readonly isStatic: boolean;
  readonly takesOuter: boolean;
  readonly flow: MethodFlow;
  readonly variables: Variables;
}

export class InnerProof {
  readonly #program: Program;
  readonly #callers: Callers;
  /** The classes that are taken for inner ones. */
  readonly #assumed: ReadonlyMap<string, InnerClass>;
  readonly #views = new Map<string, View | null>();
  /** Parameters of constructors that are never null as far as what is being shown goes. */
  readonly #given = new Map<string, boolean>();
  #depth = 0;

  constructor(program: Program, callers: Callers, assumed: ReadonlyMap<string, InnerClass>) {
    this.#program = program;
    this.#callers = callers;
    this.#assumed = assumed;
  }

  holds({ type, key, constructors }: InnerClass): boolean {
    return (
      this.#callers(`${type}->${key}`).every((user) => this.#looksFromWithin(user, type, key)) &&
      constructors.every((descriptor) => this.#isGiven(`${type}-><init>${descriptor}`, 0))
    );
  }

  /** Whether a method looks at the field of no object but the one that it runs in. */
  #looksFromWithin(user: Caller, type: string, key: string): boolean {
    const view = this.#view(user);
    if (view === null) return false;
    const { instructions } = view.flow.body;
    return instructions.every(({ opcode: { value }, index }, position) => {
      if (value < opcode.iget || value > opcode.lastIput || view.dex.field(index) !== `${type}->${key}`) return true;
      const read = view.variables.read[position];
      if (read === undefined) return true;
      if (value >= opcode.iput) return view.owner === type && view.name === '<init>';
      return this.#around(view, read[0]!) === type;
    });
  }

  /** The class whose object around a variable holds, or `this`; null for any other value. */
  #around(view: View, web: Web, steps = 0): string | null {
    const root = rootOf(view, web);
    const [writer] = root.writers;
    if (root.writers.length !== 1 || writer === undefined || steps > maxSteps) return null;
    if (writer < 0) {
      if (view.isStatic) return null;
      if (root === view.variables.parameters[0]) return view.owner;
      const isOuter = view.name === '<init>' && root === view.variables.parameters[1];
      return isOuter
        ? (this.#assumed.get(view.owner)?.outer ?? this.#outerOfNameless(view.owner)?.outer ?? null)
        : null;
    }
    const instruction = view.flow.body.instructions[writer]!;
    if (instruction.opcode.value !== opcode.igetObject) return null;
    const owner = view.dex.fieldClass(instruction.index);
    const inner = this.#assumed.get(owner) ?? this.#outerOfNameless(owner);
    if (inner === null || view.dex.field(instruction.index) !== `${inner.type}->${inner.key}`) return null;
    return this.#around(view, view.variables.read[writer]![0]!, steps + 1) === inner.type ? inner.outer : null;
  }

  /** What a class without a name has captured first: the object around, wherever one is made. */
  #outerOfNameless(type: string): Pick<InnerClass, 'type' | 'outer' | 'key'> | null {
    const outer = this.#program.outerOf(type);
    const shape = this.#program.localCandidates.has(type) ? this.#program.local.of(type) : null;
    if (shape?.kind !== 'anonymous' || outer === null) return null;
    const [key] = [...shape.captured].find(([, place]) => place === 0) ?? [];
    if (key === undefined || !key.endsWith(`:${outer}`)) return null;
    return this.#isGiven(shape.dex.method(shape.maker.methodIndex), 0) ? { type, outer, key } : null;
  }

  /** Whether all calls of a constructor give it something for a parameter. */
  #isGiven(maker: string, parameter: number): boolean {
    const key = `${parameter} ${maker}`;
    const known = this.#given.get(key);
    if (known !== undefined) return known;
    if (this.#depth > maxPassing) return false;
    // What only comes back here adds nothing.
    this.#given.set(key, true);
    this.#depth++;
    const isGiven = this.#callers(maker).every((caller) => this.#gives(caller, maker, parameter));
    this.#depth--;
    this.#given.set(key, isGiven);
    return isGiven;
  }

  #gives(caller: Caller, maker: string, parameter: number): boolean {
    const view = this.#view(caller);
    if (view === null) return false;
    return view.flow.body.instructions.every(({ opcode, index }, position) => {
      if (!opcode.isInvoke || opcode.index !== 'method' || view.dex.method(index) !== maker) return true;
      const read = view.variables.read[position];
      const given = read?.[parameter + 1];
      if (given === undefined) return read === undefined;
      // Source names the object around where it makes one of a class without a name.
      const type = view.dex.methodClass(index);
      if (parameter === 0 && this.#program.localCandidates.has(type))
        return this.#around(view, given) === this.#program.outerOf(type);
      return this.#isThere(view, given, position);
    });
  }

  /** Whether a variable is not null where an instruction reads it. */
  #isThere(view: View, web: Web, position: number): boolean {
    if (this.#around(view, web) !== null) return true;
    const root = rootOf(view, web);
    const [writer] = root.writers;
    if (root.writers.length === 1 && writer !== undefined) {
      if (writer >= 0 && view.flow.body.instructions[writer]!.opcode.value === opcode.newInstance) return true;
      const place = view.variables.parameters.indexOf(root);
      // Only of those that take an object around all calls are known.
      if (writer < 0 && place > 0 && view.name === '<init>' && view.takesOuter)
        if (this.#isGiven(view.method, place - 1)) return true;
    }
    return isChecked(view, root, position);
  }

  #view({ dex, owner, methodIndex }: Caller): View | null {
    const key = `${owner} ${methodIndex}`;
    let view = this.#views.get(key);
    if (view === undefined) {
      view = this.#views.size < maxViews ? this.#read(dex, owner, methodIndex) : null;
      this.#views.set(key, view);
    }
    return view;
  }

  #read(dex: Dex, owner: string, methodIndex: number): View | null {
    const place = owner === '' ? null : this.#program.classOf(owner);
    const method = place === null ? undefined : allMethods(place.data).find((each) => each.methodIndex === methodIndex);
    if (place === null || place.dex !== dex || method === undefined) return null;
    try {
      const { flow } = methodFlow(dex, owner, method);
      return {
        ...{ dex, owner, flow, name: dex.methodName(methodIndex), method: dex.method(methodIndex) },
        ...{ isStatic: (method.accessFlags & accStatic) !== 0, variables: variablesOf(flow) },
        takesOuter: takesOuter(this.#program, dex, methodIndex),
      };
    } catch (error) {
      if (error instanceof BadCode || error instanceof Unsayable) return null;
      throw error;
    }
  }
}

/** Whether a method is a constructor that takes an object of the class around first. */
export function takesOuter(program: Program, dex: Dex, methodIndex: number): boolean {
  const outer = dex.methodName(methodIndex) === '<init>' ? program.outerOf(dex.methodClass(methodIndex)) : null;
  return outer !== null && dex.protoParameters(dex.methodProtoIndex(methodIndex))[0] === outer;
}

/** The variable that one is only a copy of. */
function rootOf({ flow, variables }: View, web: Web): Web {
  let root = web;
  for (let step = 0; step < maxSteps; step++) {
    const [writer] = root.writers;
    if (root.writers.length !== 1 || writer === undefined || writer < 0) return root;
    const { value } = flow.body.instructions[writer]!.opcode;
    if (value < 0x07 || value > 0x09) return root;
    root = variables.read[writer]![0]!;
  }
  return root;
}

/** Whether code that always runs right before would have thrown had a variable been null. */
function isChecked(view: View, root: Web, position: number): boolean {
  const { blocks } = view.flow;
  let block = blocks.findIndex(({ first, last }) => first <= position && position <= last);
  let from = position - 1;
  for (let step = 0; block >= 0 && step < maxSteps; step++) {
    const { first } = blocks[block]!;
    for (let at = from; at >= first; at--) if (checks(view, root, at)) return true;
    const before = blocks.flatMap(({ successors }, index) => (successors.includes(block) ? [index] : []));
    const isHandler = blocks.some(({ handlers }) => handlers.some((handler) => handler.block === block));
    if (before.length !== 1 || isHandler || block === 0) return false;
    block = before[0]!;
    from = blocks[block]!.last;
  }
  return false;
}

function checks(view: View, root: Web, at: number): boolean {
  const { opcode: operation, index } = view.flow.body.instructions[at]!;
  const { value } = operation;
  const read = view.variables.read[at];
  if (read === undefined || read.length === 0) return false;
  const isRoot = (web: Web | undefined) => web !== undefined && rootOf(view, web) === root;
  if (value >= opcode.iget && value <= opcode.lastIget) return isRoot(read[0]);
  if (value >= opcode.iput && value <= opcode.lastIput) return isRoot(read[1]);
  if (!operation.isInvoke || operation.index !== 'method' || !isRoot(read[0])) return false;
  if (!operation.mnemonic.startsWith('invoke-static')) return true;
  const called = `${view.dex.methodClass(index)}${view.dex.methodName(index)}`;
  return /^(?:Ljava\/util\/Objects;requireNonNull|Lkotlin\/jvm\/internal\/Intrinsics;check(?:NotNull\w*|ParameterIsNotNull))$/.test(
    called,
  );
}
