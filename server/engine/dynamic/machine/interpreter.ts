// The loop that runs prepared methods. Knows no names: resolution, models, exceptions and waiting are the runtime's.
//
// One function for all instructions, and long for that: its local variables are the running frame, which V8 keeps in
// registers. A function per instruction would pass them on and read them back each time.
//
// Semantics: https://source.android.com/docs/core/runtime/dalvik-bytecode
import type { ArrayData } from '../../formats/dex/instruction.ts';
import { converted, ofFloats, ofInts, ofLongs } from './arithmetic.ts';
import type { CallSite } from './call-site.ts';
import type { HeapObject, JavaArray } from './heap.ts';
import type { Frame, JavaThread } from './java-thread.ts';
import type { Field, LinkedClass, Method } from './linked-class.ts';
import { enterMonitor, exitMonitor, releaseFrameLock } from './monitors.ts';
import { doubleFromBits, floatFromBits, type PackedTable } from './preparation.ts';
import type { PreparedMethod } from './prepared-method.ts';
import type { Runtime } from './runtime.ts';

/** A made-up object stands for whatever class of the platform, equally unknown, the program takes it for. */
const standsIn = ({ cls }: HeapObject, as: LinkedClass): boolean => cls.isUnmodelled && as.isUnmodelled;

/**
 * Runs method frames until something other than an instruction is due: then it returns null with the frames in order,
 * or the throwable on its way. Faults of models come out as they are.
 */
export function run(vm: Runtime, thread: JavaThread): HeapObject | null {
  const taints = vm.taints;
  let frame: Frame = thread.frames[thread.depth]!;
  let prepared: PreparedMethod = frame.prepared!;
  let s = prepared.stream;
  let pool = prepared.pool;
  let at = frame.at;
  let base = frame.base;
  let control = frame.control;
  // biome-ignore lint/suspicious/noExplicitAny: registers hold what the verified code says they do
  let r = thread.registers as any[];
  let t = thread.taints;
  let budget = vm.budget;
  const join = (a: number, b: number, c: number): number => taints.union(taints.union(a, b), c);

  loop: for (;;) {
    let operation = s[at]!;
    /** Where a branch goes. */
    let target = 0;
    budget--;
    for (;;) {
      switch (operation) {
        case 0x00: // nop
          at += 1;
          continue loop;
        case 0x01: {
          // move
          const from = base + s[at + 2]!;
          const to = base + s[at + 1]!;
          r[to] = r[from];
          t[to] = control === 0 ? t[from]! : taints.union(t[from]!, control);
          at += 3;
          continue loop;
        }
        case 0x0a: {
          // move-result
          const to = base + s[at + 1]!;
          r[to] = thread.result;
          t[to] = control === 0 ? thread.resultTaint : taints.union(thread.resultTaint, control);
          at += 2;
          continue loop;
        }
        case 0x0d: {
          // move-exception
          const to = base + s[at + 1]!;
          r[to] = thread.caught;
          t[to] = control;
          at += 2;
          continue loop;
        }
        case 0x0e: // return-void
        case 0x0f: {
          // return
          if (operation === 0x0f) {
            const from = base + s[at + 1]!;
            thread.result = r[from];
            const taint = t[from]!;
            thread.resultTaint = control === 0 ? taint : taints.union(taint, control);
            if (taint !== 0) taints.note(taint, prepared.method.label, vm.outermost(thread));
          }
          if (frame.lock !== null) {
            frame.at = at + 1;
            releaseFrameLock(thread, frame);
          }
          const depth = --thread.depth;
          const caller = thread.frames[depth]!;
          if (caller.prepared === null) {
            vm.budget = budget;
            return null;
          }
          frame = caller;
          prepared = frame.prepared!;
          s = prepared.stream;
          pool = prepared.pool;
          at = frame.at;
          base = frame.base;
          control = frame.control;
          continue loop;
        }
        case 0x12: {
          // const
          const to = base + s[at + 1]!;
          r[to] = s[at + 2]!;
          t[to] = control;
          at += 3;
          continue loop;
        }
        case 0x13: {
          // const of the pool
          const to = base + s[at + 1]!;
          r[to] = pool[s[at + 2]!];
          t[to] = control;
          at += 3;
          continue loop;
        }
        case 0x15: {
          // const-string
          const to = base + s[at + 1]!;
          const literal = pool[s[at + 2]!] as HeapObject;
          r[to] = control === 0 ? literal : vm.taintedCopy(literal, control);
          t[to] = control;
          at += 3;
          continue loop;
        }
        case 0x21: {
          // array-length
          const from = base + s[at + 2]!;
          const to = base + s[at + 1]!;
          const array = r[from];
          if (array === null) return vm.nullPointer(frame, at, budget);
          r[to] = array.elements.length;
          const taint = t[from]! | control;
          t[to] = taint === 0 ? 0 : taints.union(t[from]!, control);
          at += 3;
          continue loop;
        }
        case 0x27: {
          // throw
          const from = base + s[at + 1]!;
          const throwable = r[from];
          frame.at = at + 1;
          vm.budget = budget;
          vm.faultTaint = t[from]!;
          return throwable ?? vm.nullPointer(frame, at, budget);
        }
        case 0x28: // goto
          target = s[at + 1]!;
          break;
        case 0x2b: {
          // packed-switch
          const from = base + s[at + 1]!;
          const table = pool[s[at + 2]!] as PackedTable;
          if (t[from] !== 0) control = vm.enterRegion(frame, at, t[from]!);
          const index = r[from] - table.firstKey;
          at = index >= 0 && index < table.targets.length ? table.targets[index]! : at + 3;
          continue loop;
        }
        case 0x2c: {
          // sparse-switch
          const from = base + s[at + 1]!;
          if (t[from] !== 0) control = vm.enterRegion(frame, at, t[from]!);
          at = (pool[s[at + 2]!] as Map<number, number>).get(r[from]) ?? at + 3;
          continue loop;
        }
        case 0x2d: // cmpl-float
        case 0x2f: {
          // cmpl-double
          const a = base + s[at + 2]!;
          const b = base + s[at + 3]!;
          const to = base + s[at + 1]!;
          const left = r[a];
          const right = r[b];
          r[to] = left > right ? 1 : left === right ? 0 : -1;
          t[to] = (t[a]! | t[b]! | control) === 0 ? 0 : join(t[a]!, t[b]!, control);
          at += 4;
          continue loop;
        }
        case 0x2e: // cmpg-float
        case 0x30: // cmpg-double
        case 0x31: {
          // cmp-long
          const a = base + s[at + 2]!;
          const b = base + s[at + 3]!;
          const to = base + s[at + 1]!;
          const left = r[a];
          const right = r[b];
          r[to] = left < right ? -1 : left === right ? 0 : 1;
          t[to] = (t[a]! | t[b]! | control) === 0 ? 0 : join(t[a]!, t[b]!, control);
          at += 4;
          continue loop;
        }
        case 0x32: // if-eq
        case 0x33: // if-ne
        case 0x34: // if-lt
        case 0x35: // if-ge
        case 0x36: // if-gt
        case 0x37: {
          // if-le
          const a = base + s[at + 1]!;
          const b = base + s[at + 2]!;
          if ((t[a]! | t[b]!) !== 0) control = vm.enterRegion(frame, at, taints.union(t[a]!, t[b]!));
          const left = r[a];
          const right = r[b];
          let isTaken: boolean;
          switch (operation) {
            case 0x32:
              isTaken = left === right;
              break;
            case 0x33:
              isTaken = left !== right;
              break;
            case 0x34:
              isTaken = left < right;
              break;
            case 0x35:
              isTaken = left >= right;
              break;
            case 0x36:
              isTaken = left > right;
              break;
            default:
              isTaken = left <= right;
          }
          if (!isTaken) {
            at += 4;
            continue loop;
          }
          target = s[at + 3]!;
          break;
        }
        case 0x38: // if-eqz
        case 0x39: // if-nez
        case 0x3a: // if-ltz
        case 0x3b: // if-gez
        case 0x3c: // if-gtz
        case 0x3d: {
          // if-lez
          const a = base + s[at + 1]!;
          if (t[a]! !== 0) control = vm.enterRegion(frame, at, t[a]!);
          const value = r[a];
          let isTaken: boolean;
          switch (operation) {
            case 0x38:
              isTaken = value === 0 || value === null;
              break;
            case 0x39:
              isTaken = value !== 0 && value !== null;
              break;
            case 0x3a:
              isTaken = value < 0;
              break;
            case 0x3b:
              isTaken = value >= 0;
              break;
            case 0x3c:
              isTaken = value > 0;
              break;
            default:
              isTaken = value <= 0;
          }
          if (!isTaken) {
            at += 3;
            continue loop;
          }
          target = s[at + 2]!;
          break;
        }
        case 0x44: // aget
        case 0x45: // aget-wide
        case 0x46: // aget-object
        case 0x47: // aget-boolean
        case 0x48: // aget-byte
        case 0x49: // aget-char
        case 0x4a: {
          // aget-short
          const a = base + s[at + 2]!;
          const i = base + s[at + 3]!;
          const to = base + s[at + 1]!;
          const array = r[a] as JavaArray;
          const index = r[i] as number;
          if (array === null) return vm.nullPointer(frame, at, budget);
          const { elements } = array;
          if (index >>> 0 >= elements.length) {
            frame.at = at + 1;
            vm.budget = budget;
            vm.faultTaint = taints.union(t[a]!, t[i]!);
            return vm.outOfBounds(array, index);
          }
          // One place per kind of array keeps each load fast.
          let value: unknown;
          switch (operation) {
            case 0x44:
              value = (elements as Int32Array)[index];
              break;
            case 0x45:
              value = (elements as BigInt64Array)[index];
              break;
            case 0x46:
              value = (elements as HeapObject[])[index];
              break;
            case 0x49:
              value = (elements as Uint16Array)[index];
              break;
            case 0x4a:
              value = (elements as Int16Array)[index];
              break;
            default:
              value = (elements as Int8Array)[index];
          }
          r[to] = value;
          t[to] =
            (t[a]! | t[i]! | control | array.taint) === 0 && array.elementTaints === null
              ? 0
              : vm.elementTaint(array, index, join(t[a]!, t[i]!, control));
          at += 4;
          continue loop;
        }
        case 0x4b: // aput
        case 0x4c: // aput-wide
        case 0x4d: // aput-object
        case 0x4e: // aput-boolean
        case 0x4f: // aput-byte
        case 0x50: // aput-char
        case 0x51: {
          // aput-short
          const from = base + s[at + 1]!;
          const i = base + s[at + 3]!;
          const array = r[base + s[at + 2]!] as JavaArray;
          const index = r[i] as number;
          if (array === null) return vm.nullPointer(frame, at, budget);
          const { elements } = array;
          if (index >>> 0 >= elements.length) {
            frame.at = at + 1;
            vm.budget = budget;
            vm.faultTaint = taints.union(t[base + s[at + 2]!]!, t[i]!);
            return vm.outOfBounds(array, index);
          }
          const value = r[from];
          switch (operation) {
            case 0x4b:
              (elements as Int32Array)[index] = value;
              break;
            case 0x4c:
              (elements as BigInt64Array)[index] = value;
              break;
            case 0x4d:
              if (
                value !== null &&
                value.cls !== array.cls.component &&
                !vm.canStore(array, value) &&
                !standsIn(value, array.cls.component as LinkedClass)
              ) {
                frame.at = at + 1;
                vm.budget = budget;
                return vm.arrayStore(array, value);
              }
              (elements as HeapObject[])[index] = value;
              break;
            case 0x50:
              (elements as Uint16Array)[index] = value;
              break;
            case 0x51:
              (elements as Int16Array)[index] = value;
              break;
            default:
              (elements as Int8Array)[index] = value;
          }
          if ((t[from]! | t[i]! | control) !== 0 || array.elementTaints !== null) {
            vm.setElementTaint(array, index, join(t[from]!, t[i]!, control));
          }
          at += 4;
          continue loop;
        }
        case 0x43: {
          // iget
          const from = base + s[at + 2]!;
          const to = base + s[at + 1]!;
          const object = r[from] as HeapObject;
          if (object === null) return vm.nullPointer(frame, at, budget);
          const slot = s[at + 3]!;
          r[to] = object.fields[slot];
          t[to] =
            object.fieldTaints === null && (t[from]! | control) === 0
              ? 0
              : join(t[from]!, object.fieldTaints?.[slot] ?? 0, control);
          at += 4;
          continue loop;
        }
        case 0x5b: {
          // iget of a field that no model has
          const from = base + s[at + 2]!;
          const to = base + s[at + 1]!;
          const object = r[from] as HeapObject;
          if (object === null) return vm.nullPointer(frame, at, budget);
          r[to] = pool[s[at + 3]!];
          t[to] = join(t[from]!, object.taint, control);
          at += 4;
          continue loop;
        }
        case 0x5c: // iput to a field that no model has
          at += 4;
          continue loop;
        case 0x73: {
          // iput
          const from = base + s[at + 1]!;
          const object = r[base + s[at + 2]!] as HeapObject;
          if (object === null) return vm.nullPointer(frame, at, budget);
          const slot = s[at + 3]!;
          object.fields[slot] = r[from];
          if ((t[from]! | control) !== 0 || object.fieldTaints !== null) {
            vm.setFieldTaint(object, slot, taints.union(t[from]!, control));
          }
          at += 4;
          continue loop;
        }
        case 0x79: {
          // sget
          const field = pool[s[at + 2]!] as Field;
          const to = base + s[at + 1]!;
          const { owner } = field;
          r[to] = owner.statics[field.slot];
          t[to] = owner.staticTaints === null ? control : taints.union(owner.staticTaints[field.slot] ?? 0, control);
          at += 3;
          continue loop;
        }
        case 0x7a: {
          // sput
          const field = pool[s[at + 2]!] as Field;
          const from = base + s[at + 1]!;
          const { owner } = field;
          owner.statics[field.slot] = r[from];
          if ((t[from]! | control) !== 0 || owner.staticTaints !== null) {
            vm.setStaticTaint(field, taints.union(t[from]!, control));
          }
          at += 3;
          continue loop;
        }
        case 0x53: {
          // invoke
          const site = pool[s[at + 1]!] as CallSite;
          const count = s[at + 2]!;
          let method: Method = site.target!;
          if (site.isInstance) {
            const receiver = r[base + s[at + 3]!] as HeapObject;
            if (receiver === null) return vm.nullPointer(frame, at, budget);
            if (site.isVirtual) {
              if (receiver.cls !== site.cachedClass) {
                frame.at = at + 1;
                vm.dispatch(site, receiver.cls as LinkedClass);
              }
              method = site.cachedTarget!;
            }
          }
          frame.at = at + 3 + count;
          if (budget < 0) {
            frame.at = at;
            vm.budget = budget;
            if (vm.sliceEnded(thread)) return null;
            budget = vm.budget;
            at = frame.at;
            continue loop;
          }
          const callee = method.code as PreparedMethod | null;
          if (callee === null || callee.isSynchronized) {
            vm.budget = budget;
            if (vm.enterSlowly(thread, frame, site, method, at, count)) {
              budget = vm.budget;
              t = thread.taints;
              at += 3 + count;
              continue loop;
            }
            return null;
          }
          const calleeBase = base + prepared.registers;
          const end = calleeBase + callee.registers;
          if (end > r.length || thread.depth >= vm.limits.frames) {
            vm.reserve(thread, end);
            r = thread.registers;
            t = thread.taints;
          }
          const to = calleeBase + callee.argumentBase;
          for (let index = 0; index < count; index++) {
            const from = base + s[at + 3 + index]!;
            r[to + index] = r[from];
            t[to + index] = t[from]!;
          }
          // Which object it is may have been chosen by a tainted value: then so was what is called.
          if (site.isVirtual && t[base + s[at + 3]!]! !== 0) {
            control = taints.union(control, taints.implied(t[base + s[at + 3]!]!));
          }
          frame = thread.push();
          frame.prepared = callee;
          frame.base = calleeBase;
          frame.control = control;
          prepared = callee;
          s = prepared.stream;
          pool = prepared.pool;
          base = calleeBase;
          at = 0;
          continue loop;
        }
        case 0x7b: // neg-int
        case 0x7c: // not-int
        case 0x7d: // neg-long
        case 0x7e: // not-long
        case 0x7f: // neg-float
        case 0x80: // neg-double
        case 0x81: // int-to-long
        case 0x82: // int-to-float
        case 0x83: // int-to-double
        case 0x84: // long-to-int
        case 0x85: // long-to-float
        case 0x86: // long-to-double
        case 0x87: // float-to-int
        case 0x88: // float-to-long
        case 0x89: // float-to-double
        case 0x8a: // double-to-int
        case 0x8b: // double-to-long
        case 0x8c: // double-to-float
        case 0x8d: // int-to-byte
        case 0x8e: // int-to-char
        case 0x8f: {
          // int-to-short
          const from = base + s[at + 2]!;
          const to = base + s[at + 1]!;
          r[to] = converted(operation, r[from]);
          t[to] = (t[from]! | control) === 0 ? 0 : taints.union(t[from]!, control);
          at += 3;
          continue loop;
        }
        case 0x90: {
          // add-int
          const a = base + s[at + 2]!;
          const b = base + s[at + 3]!;
          const to = base + s[at + 1]!;
          r[to] = (r[a] + r[b]) | 0;
          t[to] = (t[a]! | t[b]! | control) === 0 ? 0 : join(t[a]!, t[b]!, control);
          at += 4;
          continue loop;
        }
        case 0x91: {
          // sub-int
          const a = base + s[at + 2]!;
          const b = base + s[at + 3]!;
          const to = base + s[at + 1]!;
          r[to] = (r[a] - r[b]) | 0;
          t[to] = (t[a]! | t[b]! | control) === 0 ? 0 : join(t[a]!, t[b]!, control);
          at += 4;
          continue loop;
        }
        case 0x92: // mul-int
        case 0x95: // and-int
        case 0x96: // or-int
        case 0x97: // xor-int
        case 0x98: // shl-int
        case 0x99: // shr-int
        case 0x9a: {
          // ushr-int
          const a = base + s[at + 2]!;
          const b = base + s[at + 3]!;
          const to = base + s[at + 1]!;
          r[to] = ofInts(operation, r[a], r[b]);
          t[to] = (t[a]! | t[b]! | control) === 0 ? 0 : join(t[a]!, t[b]!, control);
          at += 4;
          continue loop;
        }
        case 0x93: // div-int
        case 0x94: {
          // rem-int
          const a = base + s[at + 2]!;
          const b = base + s[at + 3]!;
          const to = base + s[at + 1]!;
          if (r[b] === 0) {
            frame.at = at + 1;
            vm.budget = budget;
            vm.faultTaint = t[b]!;
            return vm.divideByZero();
          }
          r[to] = ofInts(operation, r[a], r[b]);
          t[to] = (t[a]! | t[b]! | control) === 0 ? 0 : join(t[a]!, t[b]!, control);
          at += 4;
          continue loop;
        }
        case 0x9b: // add-long
        case 0x9c: // sub-long
        case 0x9d: // mul-long
        case 0xa0: // and-long
        case 0xa1: // or-long
        case 0xa2: // xor-long
        case 0xa3: // shl-long
        case 0xa4: // shr-long
        case 0xa5: {
          // ushr-long
          const a = base + s[at + 2]!;
          const b = base + s[at + 3]!;
          const to = base + s[at + 1]!;
          r[to] = ofLongs(operation, r[a], r[b]);
          t[to] = (t[a]! | t[b]! | control) === 0 ? 0 : join(t[a]!, t[b]!, control);
          at += 4;
          continue loop;
        }
        case 0x9e: // div-long
        case 0x9f: {
          // rem-long
          const a = base + s[at + 2]!;
          const b = base + s[at + 3]!;
          const to = base + s[at + 1]!;
          if (r[b] === 0n) {
            frame.at = at + 1;
            vm.budget = budget;
            vm.faultTaint = t[b]!;
            return vm.divideByZero();
          }
          r[to] = ofLongs(operation, r[a], r[b]);
          t[to] = (t[a]! | t[b]! | control) === 0 ? 0 : join(t[a]!, t[b]!, control);
          at += 4;
          continue loop;
        }
        case 0xa6: // add-float
        case 0xa7: // sub-float
        case 0xa8: // mul-float
        case 0xa9: // div-float
        case 0xaa: // rem-float
        case 0xab: // add-double
        case 0xac: // sub-double
        case 0xad: // mul-double
        case 0xae: // div-double
        case 0xaf: {
          // rem-double
          const a = base + s[at + 2]!;
          const b = base + s[at + 3]!;
          const to = base + s[at + 1]!;
          r[to] = ofFloats(operation, r[a], r[b]);
          t[to] = (t[a]! | t[b]! | control) === 0 ? 0 : join(t[a]!, t[b]!, control);
          at += 4;
          continue loop;
        }
        case 0xd8: {
          // add-int/lit
          const a = base + s[at + 2]!;
          const to = base + s[at + 1]!;
          r[to] = (r[a] + s[at + 3]!) | 0;
          t[to] = (t[a]! | control) === 0 ? 0 : taints.union(t[a]!, control);
          at += 4;
          continue loop;
        }
        case 0xd9: // rsub-int
        case 0xda: // mul-int/lit
        case 0xdb: // div-int/lit
        case 0xdc: // rem-int/lit
        case 0xdd: // and-int/lit
        case 0xde: // or-int/lit
        case 0xdf: // xor-int/lit
        case 0xe0: // shl-int/lit
        case 0xe1: // shr-int/lit
        case 0xe2: {
          // ushr-int/lit
          const a = base + s[at + 2]!;
          const to = base + s[at + 1]!;
          const literal = s[at + 3]!;
          if (literal === 0 && (operation === 0xdb || operation === 0xdc)) {
            frame.at = at + 1;
            vm.budget = budget;
            return vm.divideByZero();
          }
          // In the order of the instructions on two registers.
          r[to] = operation === 0xd9 ? (literal - r[a]) | 0 : ofInts(operation - 0x48, r[a], literal);
          t[to] = (t[a]! | control) === 0 ? 0 : taints.union(t[a]!, control);
          at += 4;
          continue loop;
        }
        case 0x3e: {
          // check-cast
          const object = r[base + s[at + 1]!] as HeapObject | null;
          const cls = pool[s[at + 2]!] as LinkedClass;
          if (object !== null && object.cls !== cls && !vm.isInstanceOf(object, cls) && !standsIn(object, cls)) {
            frame.at = at + 1;
            vm.budget = budget;
            return vm.classCast(object, cls);
          }
          at += 3;
          continue loop;
        }
        case 0x3f: {
          // instance-of
          const from = base + s[at + 2]!;
          const to = base + s[at + 1]!;
          const object = r[from] as HeapObject | null;
          const cls = pool[s[at + 3]!] as LinkedClass;
          r[to] = object !== null && (object.cls === cls || vm.isInstanceOf(object, cls)) ? 1 : 0;
          t[to] = (t[from]! | control) === 0 ? 0 : taints.union(t[from]!, control);
          at += 4;
          continue loop;
        }
        case 0x40: {
          // new-instance
          const to = base + s[at + 1]!;
          r[to] = vm.newObject(pool[s[at + 2]!] as LinkedClass);
          t[to] = control;
          at += 3;
          continue loop;
        }
        case 0x41: {
          // new-array
          const size = base + s[at + 2]!;
          const to = base + s[at + 1]!;
          const length = r[size] as number;
          frame.at = at + 1;
          r[to] = vm.newArray(pool[s[at + 3]!] as LinkedClass, length);
          t[to] = (t[size]! | control) === 0 ? 0 : taints.union(t[size]!, control);
          at += 4;
          continue loop;
        }
        case 0x42: {
          // filled-new-array
          const count = s[at + 2]!;
          frame.at = at + 1;
          const array = vm.newArray(pool[s[at + 1]!] as LinkedClass, count);
          for (let index = 0; index < count; index++) {
            const from = base + s[at + 3 + index]!;
            (array.elements as unknown[])[index] = r[from];
            if ((t[from]! | control) !== 0) vm.setElementTaint(array, index, taints.union(t[from]!, control));
          }
          thread.result = array;
          thread.resultTaint = 0;
          at += 3 + count;
          continue loop;
        }
        case 0x26: {
          // fill-array-data
          const array = r[base + s[at + 1]!] as JavaArray | null;
          frame.at = at + 1;
          if (array === null) return vm.nullPointer(frame, at, budget);
          vm.fillArray(array, pool[s[at + 2]!] as ArrayData);
          at += 3;
          continue loop;
        }
        case 0x1d: {
          // monitor-enter
          const object = r[base + s[at + 1]!] as HeapObject | null;
          if (object === null) return vm.nullPointer(frame, at, budget);
          frame.at = at;
          if (!enterMonitor(thread, object)) {
            vm.budget = budget;
            return null;
          }
          at += 2;
          continue loop;
        }
        case 0x1e: {
          // monitor-exit
          const object = r[base + s[at + 1]!] as HeapObject | null;
          frame.at = at + 1;
          if (object === null) return vm.nullPointer(frame, at, budget);
          exitMonitor(vm, thread, object);
          at += 2;
          continue loop;
        }
        case 0x54: {
          // 0 as null
          const from = base + s[at + 2]!;
          const to = base + s[at + 1]!;
          r[to] = r[from] === 0 ? null : r[from];
          t[to] = t[from]!;
          at += 3;
          continue loop;
        }
        case 0x55: {
          // bits of an int as a float
          const from = base + s[at + 2]!;
          const to = base + s[at + 1]!;
          r[to] = floatFromBits(r[from]);
          t[to] = t[from]!;
          at += 3;
          continue loop;
        }
        case 0x56: {
          // bits of a long as a double
          const from = base + s[at + 2]!;
          const to = base + s[at + 1]!;
          r[to] = typeof r[from] === 'bigint' ? doubleFromBits(r[from]) : r[from];
          t[to] = t[from]!;
          at += 3;
          continue loop;
        }
        case 0x5a: // the end of what a tainted branch decides
          control = vm.leaveRegions(thread, frame, at);
          operation = prepared.breaks!.get(at)!;
          continue;
        default:
          if (operation < 0) {
            prepared.executed++;
            vm.firstRuns++;
            operation = ~operation;
            prepared.patch(at, operation);
            continue;
          }
          // Everything that needs names looked up, or classes initialised: resolved, it is another operation.
          frame.at = at + 1;
          vm.budget = budget;
          vm.resolve(prepared, at);
          budget = vm.budget;
          r = thread.registers;
          t = thread.taints;
          operation = prepared.breaks?.get(at) ?? s[at]!;
          continue;
      }
      // What is left is a branch.
      if (target <= at && budget < 0) {
        frame.at = target;
        vm.budget = budget;
        if (vm.sliceEnded(thread)) return null;
        budget = vm.budget;
        at = frame.at;
      } else at = target;
      continue loop;
    }
  }
}
