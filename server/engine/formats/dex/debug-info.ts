// A method's debug information: line numbers, names of parameters and locals. Knows no notation.
//
// https://source.android.com/docs/core/runtime/dex-format#debug-info-item
import type { Code } from './code-item.ts';
import type { Dex } from './dex.ts';
import { LebCursor } from './leb128.ts';

/** A change at `address`, in code units. An index of -1 stands for none. */
export type DebugEvent = { readonly address: number } & (
  | { readonly kind: 'line'; readonly line: number }
  | {
      readonly kind: 'local';
      readonly register: number;
      readonly nameIndex: number;
      readonly typeIndex: number;
      readonly signatureIndex: number;
    }
  | { readonly kind: 'end-local' | 'restart-local'; readonly register: number }
  | { readonly kind: 'prologue-end' | 'epilogue-begin' }
  | { readonly kind: 'file'; readonly nameIndex: number }
);

export interface DebugInfo {
  /** String index per parameter, -1 where it has no name. */
  readonly parameterNames: readonly number[];
  readonly events: readonly DebugEvent[];
}

const firstSpecial = 0x0a;
const lineBase = -4;
const lineRange = 15;
/** A method has at most 255 parameters. */
const maxParameters = 255;
/** Compilers emit a few events per instruction. */
const maxEventsPerUnit = 16;
const minEvents = 1024;

/** The debug information of a method; empty where there is none, cut where it makes no sense. */
export function debugInfoOf(dex: Dex, code: Code): DebugInfo {
  const parameterNames: number[] = [];
  const events: DebugEvent[] = [];
  if (code.debugInfoOffset === 0) return { parameterNames, events };
  const where = () => `${dex.where}:0x${code.debugInfoOffset.toString(16)}`;
  if (code.debugInfoOffset >= dex.bytes.length) {
    dex.findings.add('dex-offset-outside', where(), 'debug information lies outside the file', 'low');
    return { parameterNames, events };
  }
  const cursor = new LebCursor(dex.bytes, code.debugInfoOffset);
  let line = cursor.uleb();
  for (let left = Math.min(cursor.uleb(), maxParameters); left > 0 && !cursor.isPastEnd; left--) {
    parameterNames.push(cursor.ulebPlusOne());
  }
  const maxEvents = minEvents + code.units.length * maxEventsPerUnit;
  let address = 0;
  while (events.length < maxEvents && address <= code.units.length && !cursor.isPastEnd) {
    const opcode = cursor.u8();
    switch (opcode) {
      case 0x00:
        return { parameterNames, events };
      case 0x01:
        address += cursor.uleb();
        break;
      case 0x02:
        line = (line + cursor.sleb()) | 0;
        break;
      case 0x03:
      case 0x04:
        events.push({
          address,
          kind: 'local',
          register: cursor.uleb(),
          nameIndex: cursor.ulebPlusOne(),
          typeIndex: cursor.ulebPlusOne(),
          signatureIndex: opcode === 0x04 ? cursor.ulebPlusOne() : -1,
        });
        break;
      case 0x05:
      case 0x06:
        events.push({ address, kind: opcode === 0x05 ? 'end-local' : 'restart-local', register: cursor.uleb() });
        break;
      case 0x07:
        events.push({ address, kind: 'prologue-end' });
        break;
      case 0x08:
        events.push({ address, kind: 'epilogue-begin' });
        break;
      case 0x09:
        events.push({ address, kind: 'file', nameIndex: cursor.ulebPlusOne() });
        break;
      default: {
        const adjusted = opcode - firstSpecial;
        line = (line + lineBase + (adjusted % lineRange)) | 0;
        address += Math.floor(adjusted / lineRange);
        events.push({ address, kind: 'line', line: line >>> 0 });
      }
    }
  }
  dex.findings.add('dex-debug-info', where(), 'debug information does not end with its method');
  return { parameterNames, events };
}
