// The branches that something decided which the app was told, as they went. Knows no goal.
import type { CodePlace, Registers } from '../machine/direction.ts';
import type { Taint } from '../machine/heap.ts';
import type { PreparedMethod } from '../machine/prepared-method.ts';
import type { Comparisons } from './comparisons.ts';
import { isTyped, plainOf, type ToldValues } from './told-values.ts';
import type { Trial } from './trial.ts';
import type { Decision, Operand } from './wanted-values.ts';

/** Of one branch, those that went by different values. */
const maxDecisions = 6;
/** Times that a branch is looked at: one in a loop comes by often. */
const maxLooks = 200;
/** Fields of which one branch is followed. */
const maxTyped = 20;
const isIf = (operation: number): boolean => operation >= 0x32 && operation <= 0x37;
const isIfZero = (operation: number): boolean => operation >= 0x38 && operation <= 0x3d;
const isSwitch = (operation: number): boolean => operation === 0x2b || operation === 0x2c;
const isCompare = (operation: number): boolean => operation >= 0x2d && operation <= 0x31;
const zero: Operand = { value: 0, told: [] };

/** A decision with what the app was told meanwhile. */
export interface MadeDecision extends Decision {
  readonly trial: Trial;
}

interface Branch {
  looks: number;
  /** By the place of what is typed how it went last, and how often in the trial. */
  readonly typed: Map<string, { last: MadeDecision; looks: number }>;
  readonly decisions: Map<string, MadeDecision>;
}

export class Decisions {
  readonly #told: ToldValues;
  readonly #comparisons: Comparisons;
  readonly #branches = new Map<PreparedMethod, Map<number, Branch>>();

  constructor(told: ToldValues, comparisons: Comparisons) {
    this.#told = told;
    this.#comparisons = comparisons;
  }

  /** A branch is about to go its way. */
  note({ prepared, at }: CodePlace, registers: Registers, trial: Trial): void {
    const branch = this.#branchAt(prepared, prepared.positionAt(at));
    if (branch.looks++ >= maxLooks) return;
    const { stream } = prepared;
    const operation = prepared.operationAt(at);
    const operandAt = (place: number): Operand => this.#operand(registers, stream[place]!);
    const operands: readonly [Operand, Operand] | null = isIf(operation)
      ? [operandAt(at + 1), operandAt(at + 2)]
      : isIfZero(operation) || isSwitch(operation)
        ? [operandAt(at + 1), zero]
        : null;
    if (operands === null || operands.every(({ told }) => told.length === 0)) return;
    const places = new Set(operands.flatMap(({ told }) => told.map(([place]) => place)));
    const isAbout = (taint: Taint): boolean => this.#told.placesIn(taint).some((place) => places.has(place));
    const value = registers.value(stream[at + 1]!);
    const comparison =
      isIfZero(operation) && typeof value === 'number' ? this.#comparisons.latest(value, isAbout) : null;
    const compared = isIfZero(operation) ? this.#compared(prepared, at, registers) : null;
    const letter = this.#comparisons.letter(isAbout);
    const decision = { operands, compared, comparison, letter, trial };
    const typed = operands.flatMap(({ told }) => told.map(([place]) => place)).find(isTyped);
    if (typed !== undefined && (branch.typed.has(typed.words) || branch.typed.size < maxTyped))
      branch.typed.set(typed.words, { last: decision, looks: (branch.typed.get(typed.words)?.looks ?? 0) + 1 });
    const key = JSON.stringify([operands.map((each) => String(each.value)), comparison?.texts]);
    if (branch.decisions.size < maxDecisions && !branch.decisions.has(key)) branch.decisions.set(key, decision);
  }

  /** A later trial may come to a branch with other values, which count as well. */
  beginTrial(): void {
    for (const branches of this.#branches.values()) {
      for (const branch of branches.values()) {
        branch.looks = 0;
        for (const each of branch.typed.values()) each.looks = 0;
      }
    }
  }

  /** Whether the trial came by a branch. */
  hasSeen(prepared: PreparedMethod, position: number): boolean {
    return (this.#branches.get(prepared)?.get(position)?.looks ?? 0) > 0;
  }

  /** The branches that went by what is typed, each with the words of the place. */
  *typed(): Generator<{ prepared: PreparedMethod; position: number; place: string }> {
    for (const [prepared, branches] of this.#branches)
      for (const [position, { typed }] of branches)
        for (const place of typed.keys()) yield { prepared, position, place };
  }

  /** How such a branch went last, and how often it was come by in the trial; null where it never was. */
  lastAt(prepared: PreparedMethod, position: number, place: string): { last: MadeDecision; looks: number } | null {
    const found = this.#branches.get(prepared)?.get(position)?.typed.get(place);
    return found === undefined ? null : { ...found };
  }

  /** How a branch went, the latest first. */
  at(prepared: PreparedMethod, position: number): MadeDecision[] {
    return [...(this.#branches.get(prepared)?.get(position)?.decisions.values() ?? [])].reverse();
  }

  #branchAt(prepared: PreparedMethod, position: number): Branch {
    let branches = this.#branches.get(prepared);
    if (branches === undefined) {
      branches = new Map();
      this.#branches.set(prepared, branches);
    }
    let branch = branches.get(position);
    if (branch === undefined) {
      branch = { looks: 0, typed: new Map(), decisions: new Map() };
      branches.set(position, branch);
    }
    return branch;
  }

  #operand(registers: Registers, register: number): Operand {
    const taint = registers.taint(register);
    const places = taint === 0 ? [] : this.#told.placesIn(taint);
    return { value: plainOf(registers.value(register)), told: places.map((place) => [place, place.last]) };
  }

  /** What the instruction before a branch compared, as far as its registers still hold it. */
  #compared(prepared: PreparedMethod, at: number, registers: Registers): readonly [Operand, Operand] | null {
    const before = prepared.starts[prepared.positionAt(at) - 1];
    if (before === undefined || !isCompare(prepared.operationAt(before))) return null;
    const [result, left, right] = [1, 2, 3].map((offset) => prepared.stream[before + offset]!) as [
      number,
      number,
      number,
    ];
    if (result === prepared.stream[at + 1] && (left === result || right === result)) {
      // The result took the place of one of them: which was the told one, and the other still says what it was compared with.
      const kept = left === result ? right : left;
      const other = this.#operand(registers, kept);
      const told = this.#operand(registers, result).told;
      const gone: Operand = { value: told[0]?.[1] ?? undefined, told: other.told.length > 0 ? [] : told };
      return left === result ? [gone, other] : [other, gone];
    }
    return [this.#operand(registers, left), this.#operand(registers, right)];
  }
}
