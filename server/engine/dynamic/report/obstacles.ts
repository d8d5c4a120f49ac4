// What stands between a run and a place in the code that it did not get to: the nearest branch that went another way, what
// broke off, or that nobody calls what leads there. Says nothing in words that it knows otherwise, and changes nothing.
import type { Manifest } from '../../app/manifest/manifest.ts';
import type { AppMethod, AppMethods } from '../../code/app-methods.ts';
import { type BodyInstruction, handlerPositions, type MethodBody, waysOn } from '../../code/method-body.ts';
import { classData } from '../../formats/dex/class-data.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import type { RanCode } from '../machine/coverage.ts';
import { javaName } from '../machine/linked-class.ts';
import type { IsOwn } from './own-code.ts';

/** A place that calls something. Addresses in code units. */
export interface CallPlace {
  readonly dex: Dex;
  readonly methodIndex: number;
  readonly address: number;
}

/** What stands in the way. */
export type Obstacle =
  /** The instruction at `at` ran and did not go on to `to`: a branch, or in a try block, to whose handler it did not come. */
  | { readonly kind: 'branch' | 'handler'; readonly method: AppMethod; readonly at: number; readonly to: number }
  /** The instruction at `at` began and was not over. */
  | { readonly kind: 'broken'; readonly method: AppMethod; readonly at: number }
  /** The call at `at` went to another class than that of `callee`. */
  | { readonly kind: 'other-class'; readonly method: AppMethod; readonly at: number; readonly callee: AppMethod }
  /** Nobody calls the method; `because` is a word of what kind that is, and a sentence. */
  | { readonly kind: 'uncalled'; readonly method: AppMethod; readonly because: string }
  /** Nothing leads there, whoever calls. */
  | { readonly kind: 'none'; readonly because: string };

export interface RunSoFar {
  /** The methods that have run, by their dex file and index in it. */
  readonly ran: ReadonlyMap<Dex, ReadonlyMap<number, RanCode>>;
  readonly manifest: Manifest | null;
  /** What of the platform nothing models, `Landroid/a/B;->m()V` or a class. */
  readonly unmodelled: ReadonlyMap<string, number>;
  /** Names of the limits that ended the run. */
  readonly ends: ReadonlySet<string>;
}

/** Methods on the way up from one place; more only generated code has. */
const maxAbove = 400;
const maxSupertypes = 64;
const nativeFlag = 0x100;

/** The last instruction on the way to a place that ran, and what would have led on from it. */
interface Frontier {
  readonly position: number;
  readonly by: 'next' | 'branch' | 'handler';
  /** Position that it did not go on to. */
  readonly to: number;
}

export class Obstacles {
  readonly #run: RunSoFar;
  readonly #methods: AppMethods;
  readonly #isOwn: IsOwn;
  readonly #above = new Map<AppMethod, Obstacle>();

  /** @param isOwn whether a class of a dex file is the app's own and no known library's */
  constructor(run: RunSoFar, methods: AppMethods, isOwn: IsOwn) {
    this.#run = run;
    this.#methods = methods;
    this.#isOwn = isOwn;
  }

  /** The nearest obstacle on the way to a place that did not run. */
  before({ dex, methodIndex, address }: CallPlace): Obstacle {
    const signature = dex.methodName(methodIndex) + dex.methodDescriptor(methodIndex);
    const method = this.#methods.methodsOf(dex.methodClass(methodIndex)).get(signature);
    if (method === undefined || method.place.dex !== dex)
      return { kind: 'none', because: 'dead: another dex file defines the class, and its code counts' };
    return this.#ranOf(method) === null ? this.#aboveOf(method) : this.#inside(method, address);
  }

  #ranOf(method: AppMethod): RanCode | null {
    return this.#run.ran.get(method.place.dex)?.get(method.methodIndex) ?? null;
  }

  #inside(method: AppMethod, address: number): Obstacle {
    const definitions = this.#methods.definitionsOf(method);
    if (definitions === null)
      return { kind: 'none', because: `branch: in ${labelOf(method)}, which is too long to follow` };
    const { body } = definitions;
    const frontier = frontierOf(body, this.#ranOf(method)!, address);
    if (frontier === null) return { kind: 'none', because: `dead: nothing in ${labelOf(method)} leads there` };
    const { at } = body.instructions[frontier.position]!;
    return frontier.by === 'next'
      ? { kind: 'broken', method, at }
      : { kind: frontier.by, method, at, to: body.instructions[frontier.to]!.at };
  }

  #aboveOf(start: AppMethod): Obstacle {
    const known = this.#above.get(start);
    if (known !== undefined) return known;
    const found = this.#search(start);
    this.#above.set(start, found);
    return found;
  }

  /** Goes up from caller to caller to the nearest method that ran. */
  #search(start: AppMethod): Obstacle {
    const queue = [start];
    const seen = new Set<AppMethod>(queue);
    let end: Obstacle | null = null;
    for (let next = 0; next < queue.length && seen.size < maxAbove; next++) {
      const method = queue[next]!;
      const above: AppMethod[] = [];
      for (const { method: caller, at } of this.#callersOf(method)) {
        if (this.#ranOf(caller) !== null) return this.#atCall(caller, at, method);
        above.push(caller);
      }
      const called = this.#calledFromOutside(method);
      if (called?.isSure) return { kind: 'uncalled', method, because: called.reason };
      if (called !== null) above.push(...called.above);
      if (called !== null || above.length === 0)
        end ??= { kind: 'uncalled', method, because: called?.reason ?? this.#withoutCaller(method) };
      for (const each of above) {
        if (seen.has(each)) continue;
        seen.add(each);
        queue.push(each);
      }
    }
    return (
      end ?? { kind: 'uncalled', method: start, because: `dead: only code that does not run calls ${labelOf(start)}` }
    );
  }

  #atCall(caller: AppMethod, at: number, callee: AppMethod): Obstacle {
    const ran = this.#ranOf(caller)!;
    if (!ran.hasRun(at)) return this.#inside(caller, at);
    if (ran.thrownAt(at) !== null) return { kind: 'broken', method: caller, at };
    return { kind: 'other-class', method: caller, at, callee };
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
    const component = this.#run.manifest?.components.find(({ name }) => name === javaName(method.owner));
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
    const missing = outside.find((type) => this.#run.unmodelled.has(type));
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
    const { ends } = this.#run;
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

/** `com.a.B.m` */
export const labelOf = ({ owner, name }: AppMethod): string => `${javaName(owner)}.${name}`;

/** The nearest instruction that ran on a way to an address; null where no way leads there. */
function frontierOf(body: MethodBody, ran: RanCode, address: number): Frontier | null {
  const target = body.positions[address] ?? -1;
  if (target < 0) return null;
  if (ran.hasRun(address)) return { position: target, by: 'next', to: target };
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
    for (const to of waysOn(instruction)) ways[to]?.push({ position, by, to });
  });
  if (body.tries.length === 0) return ways;
  body.instructions.forEach((instruction, position) => {
    for (const to of handlerPositions(body, instruction.at)) ways[to]?.push({ position, by: 'handler', to });
  });
  return ways;
}

const isChoice = ({ opcode, following }: BodyInstruction): boolean =>
  opcode.isSwitch || (opcode.canBranch && following >= 0);
