// Implicit flow: which instructions a branch decides about, by immediate post-dominators. Knows no values but taints.
//
// Computed for methods where a branch on a tainted value ran; the others cost nothing.

import { immediateDominators, reversed } from '../../code/control-flow/dominators.ts';
import { handlerPositions, type MethodBody, waysOn } from '../../code/method-body.ts';
import { writesFirst } from '../../code/operand-kinds.ts';
import { HeapObject, type Taint } from './heap.ts';
import type { FieldPut, Frame, JavaThread, Region, Written } from './java-thread.ts';
import { bodyOf } from './preparation.ts';
import { machineOperations, type PreparedMethod } from './prepared-method.ts';
import type { Runtime } from './runtime.ts';

interface BranchRegion {
  /** Place in the stream where both ways meet again, -1 where only the return ends it. */
  readonly end: number;
  /** What something between the branch and the end writes. */
  readonly written: Written;
  /** Both ways do the same, so that nothing is decided. */
  readonly isSame: boolean;
}

interface Analysis {
  readonly body: MethodBody;
  /** By position the position of the immediate post-dominator, -1 where that is the exit. */
  readonly postDominators: Int32Array;
}

const nothingWritten: Written = { registers: [], fields: [] };

const analyses = new WeakMap<PreparedMethod, Analysis>();

/**
 * Enters a branch on a tainted value: everything up to the instruction where both ways meet carries its taint.
 * @returns the control taint from here on
 */
export function enterRegion(vm: Runtime, frame: Frame, at: number, taint: Taint): Taint {
  const region = regionOf(frame.prepared!, at);
  if (region.isSame) return frame.control;
  const implied = vm.taints.implied(taint);
  const control = vm.taints.union(frame.control, implied);
  if (control === frame.control && hasRegion(frame, region.end)) return control;
  push(frame, region, implied, frame.control);
  frame.control = control;
  vm.note(taint);
  return control;
}

/** A place where regions of this frame may end. Returns the control taint from here on. */
export function leaveRegions(vm: Runtime, thread: JavaThread, frame: Frame, at: number): Taint {
  while (frame.regions !== null && hasRegion(frame, at)) {
    const region = frame.regions;
    frame.regions = region.next;
    frame.control = region.outer;
    // The branch decided what these registers hold, whichever way was taken.
    for (const register of region.written.registers) {
      const index = frame.base + register;
      thread.taints[index] = vm.taints.union(thread.taints[index]!, region.taint);
    }
    for (const put of region.written.fields) taintField(vm, thread, frame, put, region.taint);
  }
  return frame.control;
}

/** The same of a field that one of the ways puts something into. */
function taintField(vm: Runtime, thread: JavaThread, { base, prepared }: Frame, put: FieldPut, taint: Taint): void {
  const { dex } = prepared!;
  const owner = vm.linker.find(dex.fieldClass(put.field));
  const field = owner?.findField(dex.fieldName(put.field), dex.fieldType(put.field)) ?? null;
  if (field === null || field.isStatic !== (put.object === null)) return;
  if (put.object === null) {
    vm.setStaticTaint(field, vm.taints.union(field.owner.staticTaints?.[field.slot] ?? 0, taint));
    return;
  }
  const object = thread.registers[base + put.object];
  if (!(object instanceof HeapObject) || field.slot >= object.fields.length) return;
  vm.setFieldTaint(object, field.slot, vm.taints.union(object.fieldTaints?.[field.slot] ?? 0, taint));
}

/**
 * Enters a handler of an exception that a tainted branch led to: what the handler does depends on that branch. Regions
 * of this frame that end after the handler stay open; inner ones last until the handler and the code without an
 * exception meet.
 */
export function regionOfThrow(vm: Runtime, frame: Frame, handler: number, thrown: Taint): void {
  if (thrown === 0 && frame.regions === null) return;
  const prepared = frame.prepared!;
  const { postDominators } = analysisOf(prepared);
  const after = dominatorsAfter(postDominators, prepared.positionAt(handler));
  const open: Region[] = [];
  let base = frame.control;
  for (let region = frame.regions; region !== null; region = region.next) {
    base = region.outer;
    if (region.end < 0 || after.has(prepared.positionAt(region.end))) open.unshift(region);
  }
  frame.regions = null;
  frame.control = base;
  for (const region of open) {
    frame.regions = { ...region, outer: frame.control, next: frame.regions };
    frame.control = vm.taints.union(frame.control, region.taint);
  }
  const control = vm.taints.union(frame.control, thrown);
  if (control === frame.control) return;
  const meet = firstIn(postDominators, prepared.positionAt(frame.at - 1), after);
  push(
    frame,
    { end: meet < 0 ? -1 : prepared.starts[meet]!, written: nothingWritten, isSame: false },
    thrown,
    frame.control,
  );
  frame.control = control;
}

function hasRegion(frame: Frame, end: number): boolean {
  for (let region = frame.regions; region !== null; region = region.next) if (region.end === end) return true;
  return false;
}

function push(frame: Frame, { end, written }: BranchRegion, taint: Taint, outer: Taint): void {
  frame.regions = { end, written, taint, outer, next: frame.regions };
  if (end < 0) return;
  const prepared = frame.prepared!;
  prepared.breaks ??= new Map();
  if (prepared.breaks.has(end)) return;
  prepared.breaks.set(end, prepared.stream[end]!);
  prepared.stream[end] = machineOperations.regionEnd;
}

function regionOf(prepared: PreparedMethod, at: number): BranchRegion {
  prepared.regions ??= new Map();
  const known = prepared.regions.get(at) as BranchRegion | undefined;
  if (known !== undefined) return known;
  const { body, postDominators } = analysisOf(prepared);
  const branch = prepared.positionAt(at);
  const end = postDominators[branch]!;
  const region = {
    end: end < 0 ? -1 : prepared.starts[end]!,
    written: end < 0 ? nothingWritten : writtenBetween(body, branch, end),
    isSame: end >= 0 && hasSameWays(body, branch, end),
  };
  prepared.regions.set(at, region);
  return region;
}

function analysisOf(prepared: PreparedMethod): Analysis {
  let analysis = analyses.get(prepared);
  if (analysis === undefined) {
    const body = bodyOf(prepared.method);
    analysis = { body, postDominators: postDominatorsOf(body) };
    analyses.set(prepared, analysis);
  }
  return analysis;
}

/** Ways that are longer are taken for different ones. */
const maxSameWay = 64;

/** Whether both ways of a branch are the same straight instructions. */
function hasSameWays({ instructions }: MethodBody, branch: number, end: number): boolean {
  const { following, targets } = instructions[branch]!;
  let [left, right] = [following, targets[0] ?? -1];
  if (targets.length !== 1) return false;
  const skipJumps = (from: number): number => {
    let position = from;
    for (let count = 0; count < maxSameWay && position >= 0 && position !== end; count++) {
      const { opcode, targets: next } = instructions[position]!;
      if (opcode.value < 0x28 || opcode.value > 0x2a) break;
      position = next[0] ?? -1;
    }
    return position;
  };
  for (let count = 0; count < maxSameWay; count++) {
    left = skipJumps(left);
    right = skipJumps(right);
    if (left === end || right === end) return left === right && count > 0;
    const [a, b] = [instructions[left], instructions[right]];
    if (a === undefined || b === undefined || a.targets.length > 0 || b.targets.length > 0) return false;
    const isAlike =
      a.opcode === b.opcode &&
      a.index === b.index &&
      a.literal === b.literal &&
      a.registers.length === b.registers.length &&
      a.registers.every((register, index) => register === b.registers[index]);
    if (!isAlike) return false;
    left = a.following;
    right = b.following;
  }
  return false;
}

function writtenBetween({ instructions }: MethodBody, branch: number, end: number): Written {
  /** By register the one it was copied from, -1 where it came otherwise or from several. */
  const written = new Map<number, number>();
  const puts: FieldPut[] = [];
  const seen = new Set<number>([end]);
  const waiting = [branch];
  while (waiting.length > 0) {
    const instruction = instructions[waiting.pop()!]!;
    const { opcode, registers: operands, index } = instruction;
    if (writesFirst(opcode.value)) {
      const isCopy = opcode.value >= 0x07 && opcode.value <= 0x09 && !written.has(operands[0]!);
      written.set(operands[0]!, isCopy ? operands[1]! : -1);
    }
    if (opcode.value >= 0x59 && opcode.value <= 0x5f) puts.push({ field: index, object: operands[1]! });
    if (opcode.value >= 0x67 && opcode.value <= 0x6d) puts.push({ field: index, object: null });
    for (const next of waysOn(instruction)) {
      if (seen.has(next)) continue;
      seen.add(next);
      waiting.push(next);
    }
  }
  const fields: FieldPut[] = [];
  for (const { field, object } of puts) {
    const from = object === null ? null : (written.get(object) ?? object);
    // Where the ways meet, a register names only an object that existed before the branch.
    if (from === null || (from >= 0 && !written.has(from))) fields.push({ field, object: from });
  }
  return { registers: [...written.keys()], fields };
}

/**
 * Immediate post-dominators by instruction, -1 where that is the exit. Only `throw` has an edge to its handlers: nearly
 * every instruction could throw, and then nothing would ever meet.
 */
function postDominatorsOf(body: MethodBody): Int32Array {
  const exit = body.instructions.length;
  const successors = body.instructions.map((instruction): readonly number[] => {
    const next = [...waysOn(instruction)];
    if (instruction.opcode.value === 0x27) next.push(...handlerPositions(body, instruction.at));
    return next.length > 0 ? next : [exit];
  });
  const found = immediateDominators(reversed([...successors, []]), exit);
  return found.subarray(0, exit).map((node) => (node === exit ? -1 : node));
}

/** The instructions that every way from this one comes to, itself included. */
function dominatorsAfter(postDominators: Int32Array, position: number): ReadonlySet<number> {
  const after = new Set<number>();
  for (let node = position; node >= 0 && !after.has(node); node = postDominators[node]!) after.add(node);
  return after;
}

/** The first instruction of `among` that every way from `position` comes to, -1 where that is the exit. */
function firstIn(postDominators: Int32Array, position: number, among: ReadonlySet<number>): number {
  const seen = new Set<number>();
  for (let node = position; node >= 0 && !seen.has(node); node = postDominators[node]!) {
    if (among.has(node)) return node;
    seen.add(node);
  }
  return -1;
}
