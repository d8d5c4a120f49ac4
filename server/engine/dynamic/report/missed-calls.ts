// Why a run did not get to a place in the code, in words: what nothing leads to, what went another way, what broke off.
import type { AppMethods } from '../../code/app-methods.ts';
import { type Definitions, parameterBase } from '../../code/definitions.ts';
import type { RanCode } from '../machine/coverage.ts';
import { javaName } from '../machine/linked-class.ts';
import { type CallPlace, labelOf, type Obstacle, Obstacles, type RunSoFar } from './obstacles.ts';
import type { IsOwn } from './own-code.ts';

/** How far back what a branch compares is followed. */
const maxOrigins = 4;
const maxShownOrigins = 3;
/** Letters of a text that something is compared with. */
const maxText = 100;
/** Classes whose methods compare and convert what they are given. */
const comparing =
  /^L(?:java\/lang\/(?:String|StringBuilder|CharSequence|Object|Boolean|Integer|Long|Float|Double|Character)|java\/util\/Objects|android\/text\/TextUtils);$/;

export class MissedCalls {
  readonly #run: RunSoFar;
  readonly #methods: AppMethods;
  readonly #obstacles: Obstacles;

  /** @param isOwn whether a class of a dex file is the app's own and no known library's */
  constructor(run: RunSoFar, methods: AppMethods, isOwn: IsOwn) {
    this.#run = run;
    this.#methods = methods;
    this.#obstacles = new Obstacles(run, methods, isOwn);
  }

  /** One word of what kind the reason is, and what is to be said of it: `branch: com.a.B.m+0x1c depends on …`. */
  reasonOf(place: CallPlace): string {
    const obstacle = this.#obstacles.before(place);
    if (obstacle.kind === 'none' || obstacle.kind === 'uncalled') return obstacle.because;
    const at = placeOf(obstacle);
    switch (obstacle.kind) {
      case 'handler':
        return `branch: nothing was thrown at ${at}`;
      case 'branch':
        return this.#branch(obstacle, at);
      case 'other-class':
        return `branch: the call at ${at} went to another class than ${javaName(obstacle.callee.owner)}`;
      case 'broken':
        return this.#brokeOff(
          this.#run.ran.get(obstacle.method.place.dex)!.get(obstacle.method.methodIndex)!,
          obstacle.at,
          at,
        );
    }
  }

  #brokeOff(ran: RanCode, address: number, place: string): string {
    const thrown = ran.thrownAt(address);
    if (thrown !== null) {
      const by = thrown.model === null ? '' : `, thrown by ${thrown.model.label}`;
      return `exception: ${thrown.exception} at ${place}${by}`;
    }
    const { ends } = this.#run;
    return ends.size > 0
      ? `budget: the run ended (${[...ends].join(', ')}) before ${place} was over`
      : `waits: what ${place} calls did not return`;
  }

  #branch({ method, at }: Obstacle & { kind: 'branch' | 'handler' }, place: string): string {
    const definitions = this.#methods.definitionsOf(method)!;
    const position = definitions.body.positions[at]!;
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
      found.set(`what ${javaName(call.owner)}.${call.name} returned`, this.#run.unmodelled.has(key));
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
}

const placeOf = ({ method, at }: Obstacle & { kind: 'branch' | 'handler' | 'broken' | 'other-class' }): string =>
  `${labelOf(method)}+0x${at.toString(16)}`;
