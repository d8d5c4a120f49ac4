// A method's code item: registers, code units, exception handlers. Knows no instructions.
//
// https://source.android.com/docs/core/runtime/dex-format#code-item
import type { Dex } from './dex.ts';
import { LebCursor } from './leb128.ts';

export interface Code {
  /** File offset of the code item. */
  readonly offset: number;
  readonly registers: number;
  readonly ins: number;
  readonly outs: number;
  readonly tryCount: number;
  /** 0 where there is no debug information. */
  readonly debugInfoOffset: number;
  readonly units: Uint16Array;
}

export interface CatchHandler {
  readonly typeIndex: number;
  /** In code units from the start of the method. */
  readonly address: number;
}

export interface TryBlock {
  /** First code unit it covers. */
  readonly start: number;
  /** Past the last one. */
  readonly end: number;
  readonly handlers: readonly CatchHandler[];
  readonly catchAllAddress: number | null;
}

const headerLength = 16;
const tryLength = 8;
/** All handlers of a method's try blocks; blocks may share lists, and lists may overlap. */
const maxHandlers = 65_536;

/** Reads a code item, cut to the bytes that are there; null where not even its header is. */
export function codeAt(dex: Dex, offset: number): Code | null {
  if (offset === 0) return null;
  const where = `${dex.where}:0x${offset.toString(16)}`;
  if (offset + headerLength > dex.bytes.length) {
    dex.findings.add('dex-offset-outside', where, 'a code item lies outside the file');
    return null;
  }
  const { view } = dex;
  const start = offset + headerLength;
  const declared = view.getUint32(offset + 12, true);
  const count = Math.min(declared, (dex.bytes.length - start) >> 1);
  if (count < declared) {
    dex.findings.add('dex-code-truncated', where, `${declared} code units, room for ${count}`);
  }
  const from = dex.bytes.byteOffset + start;
  return {
    offset,
    registers: view.getUint16(offset, true),
    ins: view.getUint16(offset + 2, true),
    outs: view.getUint16(offset + 4, true),
    tryCount: view.getUint16(offset + 6, true),
    debugInfoOffset: view.getUint32(offset + 8, true),
    units:
      from % 2 === 0
        ? new Uint16Array(dex.bytes.buffer, from, count)
        : new Uint16Array(dex.bytes.buffer.slice(from, from + count * 2)),
  };
}

/** The try blocks of a method in the file's order; one whose handlers cannot be read has none. */
export function tryBlocksOf(dex: Dex, code: Code): TryBlock[] {
  if (code.tryCount === 0) return [];
  const where = `${dex.where}:0x${code.offset.toString(16)}`;
  const unitsEnd = code.offset + headerLength + code.units.length * 2;
  const start = unitsEnd + (code.units.length % 2) * 2;
  const count = Math.min(code.tryCount, Math.max(0, Math.floor((dex.bytes.length - start) / tryLength)));
  if (count < code.tryCount) dex.findings.add('dex-tries', where, `${code.tryCount} try blocks, ${count} read`);
  const handlersStart = start + code.tryCount * tryLength;
  const known = new Map<number, Pick<TryBlock, 'handlers' | 'catchAllAddress'>>();
  let handlersLeft = maxHandlers;
  return Array.from({ length: count }, (_, index) => {
    const at = start + index * tryLength;
    const address = dex.view.getUint32(at, true);
    const handlerOffset = dex.view.getUint16(at + 6, true);
    let handler = known.get(handlerOffset);
    if (handlersLeft <= 0) {
      dex.findings.add('dex-handlers', where, `more than ${maxHandlers} handlers`);
      handler = { handlers: [], catchAllAddress: null };
    } else if (handler === undefined) {
      handler = readHandler(dex, code, handlersStart + handlerOffset, where);
      known.set(handlerOffset, handler);
    }
    handlersLeft -= handler.handlers.length;
    return { start: address, end: address + dex.view.getUint16(at + 4, true), ...handler };
  });
}

function readHandler(
  dex: Dex,
  code: Code,
  offset: number,
  where: string,
): Pick<TryBlock, 'handlers' | 'catchAllAddress'> {
  const cursor = new LebCursor(dex.bytes, offset);
  const size = cursor.sleb();
  const handlers: CatchHandler[] = [];
  // A method has fewer handlers than code units: each one's code takes a unit at least.
  for (let left = Math.min(Math.abs(size), code.units.length, maxHandlers); left > 0 && !cursor.isPastEnd; left--) {
    handlers.push({ typeIndex: cursor.uleb(), address: cursor.uleb() });
  }
  const catchAllAddress = size <= 0 && !cursor.isPastEnd ? cursor.uleb() : null;
  if (cursor.isPastEnd || Math.abs(size) > code.units.length) {
    dex.findings.add('dex-handlers', where, `${Math.abs(size)} handlers at 0x${offset.toString(16)}`);
  }
  return { handlers, catchAllAddress };
}
