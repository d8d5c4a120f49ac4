// Why a run did not get to a place in the code: what nothing leads to, what went another way, what broke off. Changes nothing.
import type { Manifest } from '../../app/manifest/manifest.ts';
import { AppClasses } from '../../code/app-classes.ts';
import { type AppMethod, AppMethods } from '../../code/app-methods.ts';
import { type Definitions, parameterBase } from '../../code/definitions.ts';
import { type BodyInstruction, handlerPositions, type MethodBody, waysOn } from '../../code/method-body.ts';
import { classData } from '../../formats/dex/class-data.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import type { Coverage, RanCode } from '../machine/coverage.ts';
import { javaName } from '../machine/linked-class.ts';

/** A place that calls something. */
export interface MissedCall {
  readonly dex: Dex;
  readonly methodIndex: number;
  /** Of the call, in code units. */
  readonly address: number;
  /** Of the method that it calls. */
  readonly name: string;
  readonly api: string;
}

export interface RunOutcome {
  readonly coverage: Coverage;
  readonly manifest: Manifest | null;
  /** What of the platform nothing models, `Landroid/a/B;->m()V` or a class. */
  readonly unmodelled: ReadonlyMap<string, number>;
  /** Names of the limits that ended the run. */
  readonly ends: ReadonlySet<string>;
}

/** Methods on the way up from one place; more only generated code has. */
const maxAbove = 400;
/** How far back what a branch compares is followed. */
const maxOrigins = 4;
const maxShownOrigins = 3;
const maxSupertypes = 64;
const nativeFlag = 0x100;
/** Letters of a text that something is compared with. */
const maxText = 100;
/** Classes whose methods compare and convert what they are given. */
const comparing =
  /^L(?:java\/lang\/(?:String|StringBuilder|CharSequence|Object|Boolean|Integer|Long|Float|Double|Character)|java\/util\/Objects|android\/text\/TextUtils);$/;

/** The last instruction on the way to a place that ran, and what would have led on from it. */
interface Frontier {
  readonly position: number;
  readonly by: 'next' | 'branch' | 'handler';
}

export class MissedCalls {
  readonly #outcome: RunOutcome;
  readonly #methods: AppMethods;
  readonly #isOwn: (dex: Dex, descriptor: string) => boolean;
  readonly #above = new Map<AppMethod, string>();

  /** @param isOwn whether a class of a dex file is the app's own and no known library's */
  constructor(outcome: RunOutcome, isOwn: (dex: Dex, descriptor: string) => boolean) {
    this.#outcome = outcome;
    this.#isOwn = isOwn;
    const { dexFiles } = outcome.coverage;
    const names = (descriptor: string) => dexFiles.some((dex) => isOwn(dex, descriptor));
    this.#methods = new AppMethods(new AppClasses(dexFiles, names), () => null);
  }

  /** One word of what kind the reason is, and what is to be said of it: `branch: com.a.B.m+0x1c depends on …`. */
  reasonOf({ dex, methodIndex, address }: MissedCall): string {
    const signature = dex.methodName(methodIndex) + dex.methodDescriptor(methodIndex);
    const method = this.#methods.methodsOf(dex.methodClass(methodIndex)).get(signature);
    if (method === undefined || method.place.dex !== dex)
      return 'dead: another dex file defines the class, and its code counts';
    return this.#ranOf(method) === null ? this.#reasonAbove(method) : this.#reasonInside(method, address);
  }

  #ranOf(method: AppMethod): RanCode | null {
    return this.#outcome.coverage.ran.get(method.place.dex)?.get(method.methodIndex) ?? null;
  }

  // Inside a method that ran.

  #reasonInside(method: AppMethod, address: number): string {
    const ran = this.#ranOf(method)!;
    const definitions = this.#methods.definitionsOf(method);
    if (definitions === null) return `branch: in ${labelOf(method)}, which is too long to follow`;
    const { body } = definitions;
    const frontier = frontierOf(body, ran, address);
    if (frontier === null) return `dead: nothing in ${labelOf(method)} leads there`;
    const instruction = body.instructions[frontier.position]!;
    const place = placeOf(method, instruction.at);
    if (frontier.by === 'handler') return `branch: nothing was thrown at ${place}`;
    if (frontier.by === 'branch') return this.#branch(definitions, frontier.position, place);
    return this.#brokeOff(ran, instruction.at, place);
  }

  #brokeOff(ran: RanCode, address: number, place: string): string {
    const thrown = ran.thrownAt(address);
    if (thrown !== null) {
      const by = thrown.model === null ? '' : `, thrown by ${thrown.model.label}`;
      return `exception: ${thrown.exception} at ${place}${by}`;
    }
    const { ends } = this.#outcome;
    return ends.size > 0
      ? `budget: the run ended (${[...ends].join(', ')}) before ${place} was over`
      : `waits: what ${place} calls did not return`;
  }

  #branch(definitions: Definitions, position: number, place: string): string {
    const origins = new Map<string, boolean>();
    this.#origins(definitions, position, 0, origins);
    const unmodelled = [...origins].find(([, isUnmodelled]) => isUnmodelled);
    if (unmodelled !== undefined) return `model: ${unmodelled[0]}, which nothing models, decides at ${place}`;
    const shown = [...origins.keys()].slice(0, maxShownOrigins);
    return shown.length === 0
      ? `branch: ${place} went another way`
      : `branch: ${place} depends on ${shown.join(' and ')}`;
  }

  /** Where the values come from that an instruction works on, in words, with whether nothing models what they come from. */
  #origins(definitions: Definitions, position: number, depth: number, found: Map<string, boolean>): void {
    const { registers } = definitions.body.instructions[position]!;
    if (depth >= maxOrigins) return;
    for (const register of new Set(registers)) {
      for (const definition of definitions.reaching(position, register)) {
        if (definition >= parameterBase) found.set(`its parameter ${definition - parameterBase}`, false);
        else if (definition !== position && !this.#origin(definitions, definition, found))
          this.#origins(definitions, definition, depth + 1, found);
      }
    }
  }

  /** Whether what an instruction left says where it comes from. */
  #origin(definitions: Definitions, position: number, found: Map<string, boolean>): boolean {
    const { body, calls, dex } = definitions;
    const call = calls.get(position);
    if (call !== undefined && comparing.test(call.owner)) return false;
    if (call !== undefined) {
      const key = `${call.owner}->${call.name}${call.descriptor}`;
      found.set(`what ${javaName(call.owner)}.${call.name} returned`, this.#outcome.unmodelled.has(key));
      return true;
    }
    const { opcode, index } = body.instructions[position]!;
    if (opcode.index === 'string') {
      found.set(JSON.stringify(dex.string(index).slice(0, maxText)), false);
      return true;
    }
    if (opcode.index === 'field') {
      found.set(`the field ${javaName(dex.fieldClass(index))}.${dex.fieldName(index)}`, false);
      return true;
    }
    return false;
  }

  // Above a method that did not run.

  #reasonAbove(start: AppMethod): string {
    const known = this.#above.get(start);
    if (known !== undefined) return known;
    const reason = this.#search(start);
    this.#above.set(start, reason);
    return reason;
  }

  /** Goes up from caller to caller to the nearest method that ran. */
  #search(start: AppMethod): string {
    const queue = [start];
    const seen = new Set<AppMethod>(queue);
    let end: string | null = null;
    for (let next = 0; next < queue.length && seen.size < maxAbove; next++) {
      const method = queue[next]!;
      const above: AppMethod[] = [];
      for (const { method: caller, at } of this.#callersOf(method)) {
        if (this.#ranOf(caller) !== null) return this.#reasonAtCall(caller, at, method);
        above.push(caller);
      }
      const called = this.#calledFromOutside(method);
      if (called?.isSure) return called.reason;
      if (called !== null) above.push(...called.above);
      if (called !== null || above.length === 0) end ??= called?.reason ?? this.#withoutCaller(method);
      for (const each of above) {
        if (seen.has(each)) continue;
        seen.add(each);
        queue.push(each);
      }
    }
    return end ?? `dead: only code that does not run calls ${labelOf(start)}`;
  }

  #reasonAtCall(caller: AppMethod, address: number, callee: AppMethod): string {
    const ran = this.#ranOf(caller)!;
    if (!ran.hasRun(address)) return this.#reasonInside(caller, address);
    if (ran.thrownAt(address) !== null) return this.#brokeOff(ran, address, placeOf(caller, address));
    return `branch: the call at ${placeOf(caller, address)} went to another class than ${javaName(callee.owner)}`;
  }

  /** The calls of a method in own code, also by the name that a superclass or an interface of the app's gives it. */
  #callersOf(method: AppMethod) {
    const signature = method.name + method.descriptor;
    const owners = [method.owner, ...(method.isVirtual ? this.#supertypes(method.owner).filter(this.#isDefined) : [])];
    const keys = new Set(owners.map((owner) => `${owner}->${signature}`));
    this.#methods.findCallers(new Set([...keys].filter((key) => this.#methods.callersOf(key) === null)));
    return [...keys].flatMap((key) => this.#methods.callersOf(key) ?? []);
  }

  readonly #isDefined = (descriptor: string) => this.#methods.classes.placeOf(descriptor) !== null;

  /** All that a class extends and implements, but Object. */
  #supertypes(descriptor: string): string[] {
    const found = new Set<string>();
    const queue = [descriptor];
    for (let next = 0; next < queue.length && found.size < maxSupertypes; next++) {
      const place = this.#methods.classes.placeOf(queue[next]!);
      if (place === null) continue;
      const { dex, classIndex } = place;
      const { superclassIndex, interfacesOffset } = dex.classDef(classIndex);
      for (const type of [...dex.typeList(interfacesOffset), superclassIndex]) {
        const name = type < dex.typeCount ? dex.type(type) : '';
        if (name === '' || name === 'Ljava/lang/Object;' || found.has(name)) continue;
        found.add(name);
        queue.push(name);
      }
    }
    return [...found];
  }

  /**
   * Whether the system or a library would call a method.
   * @returns `isSure`: nothing of the app stood in the way; `above`: what would have to run first; null where nobody would
   */
  #calledFromOutside(method: AppMethod): { reason: string; isSure: boolean; above: AppMethod[] } | null {
    if (!method.isVirtual) return null;
    const label = labelOf(method);
    const none: AppMethod[] = [];
    const component = this.#outcome.manifest?.components.find(({ name }) => name === javaName(method.owner));
    const own = [...this.#methods.methodsOf(method.owner).values()];
    if (component !== undefined) {
      const hasStarted = own.some((each) => this.#ranOf(each) !== null);
      const reason = hasStarted ? `entry: the system did not call ${label}` : this.#notStarted(component);
      return { reason, isSure: true, above: none };
    }
    const outside = this.#supertypes(method.owner).filter((type) => !this.#isOwnType(type));
    if (outside.length === 0) return null;
    const makers = own.filter(({ name }) => name === '<init>');
    const isMade = makers.some((maker) => this.#ranOf(maker) !== null);
    const missing = outside.find((type) => this.#outcome.unmodelled.has(type));
    const reason =
      missing === undefined
        ? `entry: nothing called ${label}, which is for ${outside.slice(0, 2).map(javaName).join(' or ')}`
        : `model: ${javaName(missing)}, which nothing models, would call ${label}`;
    return { reason, isSure: isMade, above: isMade ? none : makers };
  }

  #withoutCaller(method: AppMethod): string {
    const label = labelOf(method);
    return this.#hasNative(method) ? `native: only native code could call ${label}` : `dead: nothing calls ${label}`;
  }

  #notStarted({ kind, name }: { kind: string; name: string }): string {
    const { ends } = this.#outcome;
    return ends.size > 0
      ? `budget: the run ended (${[...ends].join(', ')}) before the ${kind} ${name} was started`
      : `entry: the ${kind} ${name} was not started`;
  }

  #isOwnType(descriptor: string): boolean {
    const place = this.#methods.classes.placeOf(descriptor);
    return place !== null && this.#isOwn(place.dex, descriptor);
  }

  #hasNative({ place: { dex, classIndex } }: AppMethod): boolean {
    const { directMethods, virtualMethods } = classData(dex, classIndex);
    return [...directMethods, ...virtualMethods].some(({ accessFlags }) => (accessFlags & nativeFlag) !== 0);
  }
}

const labelOf = ({ owner, name }: AppMethod): string => `${javaName(owner)}.${name}`;
const placeOf = (method: AppMethod, address: number): string => `${labelOf(method)}+0x${address.toString(16)}`;

/** The nearest instruction that ran on a way to an address; null where no way leads there. */
function frontierOf(body: MethodBody, ran: RanCode, address: number): Frontier | null {
  const target = body.positions[address] ?? -1;
  if (target < 0) return null;
  if (ran.hasRun(address)) return { position: target, by: 'next' };
  const before = waysTo(body);
  const queue = [target];
  const seen = new Set(queue);
  for (let next = 0; next < queue.length; next++) {
    for (const frontier of before[queue[next]!] ?? []) {
      const { position } = frontier;
      if (ran.hasRun(body.instructions[position]!.at)) return frontier;
      if (seen.has(position)) continue;
      seen.add(position);
      queue.push(position);
    }
  }
  return null;
}

/** By the position of each instruction, those from which control can come; exceptions last, which are the rarer way. */
function waysTo(body: MethodBody): (readonly Frontier[])[] {
  const ways: Frontier[][] = body.instructions.map(() => []);
  body.instructions.forEach((instruction, position) => {
    const by = isChoice(instruction) ? 'branch' : 'next';
    for (const to of waysOn(instruction)) ways[to]?.push({ position, by });
  });
  if (body.tries.length === 0) return ways;
  body.instructions.forEach((instruction, position) => {
    for (const to of handlerPositions(body, instruction.at)) ways[to]?.push({ position, by: 'handler' });
  });
  return ways;
}

const isChoice = ({ opcode, following }: BodyInstruction): boolean =>
  opcode.isSwitch || (opcode.canBranch && following >= 0);
