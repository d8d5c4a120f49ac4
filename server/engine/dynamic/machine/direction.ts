// How a run can be led to code that it does not get to by itself: what stands for null, what is passed over, which way a
// branch goes. Knows no goal.

import type { CallSite } from './call-site.ts';
import type { MethodInfo } from './class-info.ts';
import type { Taint, Value } from './heap.ts';
import type { Frame, JavaThread } from './java-thread.ts';
import { bodyOf } from './preparation.ts';
import { machineOperations, type PreparedMethod } from './prepared-method.ts';

/** A value with its taint. */
export interface TaintedValue {
  readonly value: Value;
  readonly taint: Taint;
}

/** Where in the stream of a method's code something happens. */
export interface CodePlace {
  readonly prepared: PreparedMethod;
  readonly at: number;
}

/** Leads a run. Each may be asked for any code that runs. */
export interface Director {
  /** A watched method of the platform answered; null leaves its answer as it is. */
  answered(method: MethodInfo, args: readonly Value[], value: Value): TaintedValue | null;
  /** A branch on a tainted value is about to go its way. @param registers of the method's frame */
  decided(place: CodePlace, taint: Taint, registers: Registers): void;
  /** What to go on with where null is used as an object of a class; null throws the NullPointerException. */
  standIn(place: CodePlace, descriptor: string): TaintedValue | null;
  /** What a call that threw is taken to have returned; null throws on. */
  passOver(place: CodePlace, returns: string): TaintedValue | null;
  /** A method of the app runs for the first time. */
  began(method: MethodInfo): void;
}

/** What registers hold, and the taint beside it. */
export interface Registers {
  value(register: number): Value;
  taint(register: number): Taint;
}

export const registersOf = (thread: JavaThread, { base }: Frame): Registers => ({
  value: (register) => thread.registers[base + register]!,
  taint: (register) => thread.taints[base + register]!,
});

const goto = 0x28;
const throwing = 0x27;

/** Puts an object where the instruction at a place found null; false where there is none to put. */
export function standIn(director: Director, thread: JavaThread, frame: Frame, at: number): boolean {
  const prepared = frame.prepared!;
  const used = nullOperand(prepared, at);
  const made = used === null ? null : director.standIn({ prepared, at }, used.descriptor);
  if (made === null || made.value === null) return false;
  thread.registers[frame.base + used!.register] = made.value;
  thread.taints[frame.base + used!.register] = made.taint;
  return true;
}

/** The register that an instruction uses as an object, and the class that its code names for it. */
function nullOperand(prepared: PreparedMethod, at: number): { register: number; descriptor: string } | null {
  const { stream, dex, method } = prepared;
  const { index } = bodyOf(method).instructions[prepared.positionAt(at)]!;
  switch (prepared.operationAt(at)) {
    case machineOperations.invoke:
      return { register: stream[at + 3]!, descriptor: dex.methodClass(index) };
    case machineOperations.instanceGet:
    case machineOperations.defaultGet:
    case machineOperations.instancePut:
      return { register: stream[at + 2]!, descriptor: dex.fieldClass(index) };
    case throwing:
      return { register: stream[at + 1]!, descriptor: 'Ljava/lang/RuntimeException;' };
    default:
      return null;
  }
}

/** Goes on behind a call that threw, as if it had returned; false where the exception goes on. */
export function passOver(director: Director, thread: JavaThread, frame: Frame): boolean {
  const prepared = frame.prepared!;
  const position = prepared.positionAt(frame.at - 1);
  const at = prepared.operationOf(position);
  const next = prepared.starts[position + 1];
  if (next === undefined || prepared.operationAt(at) !== machineOperations.invoke) return false;
  const { returns } = prepared.pool[prepared.stream[at + 1]!] as CallSite;
  const made = director.passOver({ prepared, at }, returns);
  if (made === null) return false;
  thread.result = made.value;
  thread.resultTaint = made.taint;
  frame.at = next;
  return true;
}

/** Makes control go from one instruction to another, both by address. @returns what undoes it; null where it cannot be */
export function redirect(prepared: PreparedMethod, from: number, to: number): (() => void) | null {
  const at = prepared.placeOf(from);
  const target = prepared.placeOf(to);
  if (at < 0 || target < 0 || (prepared.placeAfter(from) ?? 0) - at < 2) return null;
  const operation = prepared.operationAt(at);
  const operand = prepared.stream[at + 1]!;
  prepared.patch(at, goto);
  prepared.stream[at + 1] = target;
  return () => {
    prepared.patch(at, operation);
    prepared.stream[at + 1] = operand;
  };
}
