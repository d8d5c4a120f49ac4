// What Android's verifier refuses a dex file for: a map that contradicts the header, and what the other checks know; and
// what stands behind all that the header and the map tell of. Knows no item.
import { checkClassDefinitions } from './class-definitions.ts';
import { DataItems } from './data-items.ts';
import type { Dex } from './dex.ts';
import type { KnownItems } from './item-kinds.ts';
import { checkTables } from './table-checks.ts';

/** Map types of the header's tables. https://source.android.com/docs/core/runtime/dex-format#type-codes */
const tableTypes = { strings: 1, types: 2, protos: 3, fields: 4, methods: 5, classes: 6 } as const;

/** Every type of section that a map may name, once each. https://source.android.com/docs/core/runtime/dex-format#type-codes */
const mapTypes: ReadonlySet<number> = new Set([
  ...[0x0000, 0x0001, 0x0002, 0x0003, 0x0004, 0x0005, 0x0006, 0x0007, 0x0008],
  ...[0x1000, 0x1001, 0x1002, 0x1003],
  ...[0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006],
  0xf000,
]);
/** The header and the map itself. */
const isSingle = (type: number): boolean => type === 0x0000 || type === 0x1000;
const mapEntrySize = 12;
/** Bytes that fill a file up to a multiple of 4. */
const maxPadding = 3;

/** Bytes of a string's length at most. */
const maxLebSize = 5;

/** Reports what is wrong with the map, the data section, the tables and the class definitions. */
export function checkStructure(dex: Dex): void {
  checkMap(dex);
  for (const name of Object.keys(tableTypes) as (keyof typeof tableTypes)[]) compareTable(dex, name);
  checkData(dex);
  checkStrings(dex);
  const items = itemsOf(dex);
  checkTables(dex, items);
  checkClassDefinitions(dex, items);
}

/** Items are checked only where a map lists them, and not in containers, whose parts refer to items of each other. */
function itemsOf(dex: Dex): KnownItems {
  const isMapped = dex.map.entries.length > 0 && dex.header.containerSize === null;
  return isMapped ? new DataItems(dex) : { isAt: (_, offset) => offset < dex.bytes.length };
}

function checkMap({ header, map, bytes, findings, where }: Dex): void {
  const isContainer = header.containerSize !== null;
  const seen = new Set<number>();
  let last = -1;
  for (const { type, count, offset } of map.entries) {
    const report = (fault: string) => {
      const section = `type 0x${type.toString(16)} at 0x${offset.toString(16)}`;
      findings.add('dex-map', where, `${section} ${fault}`);
    };
    if (!mapTypes.has(type)) report('is of no known type');
    else if (seen.has(type)) report('is named twice');
    else if (isSingle(type) && count !== 1) report(`has ${count} items`);
    else if (offset >= bytes.length) report('stands outside the file');
    // Parts of a container refer to data of each other.
    else if (offset <= last && !isContainer) report('is out of order');
    seen.add(type);
    last = offset;
  }
}

function compareTable({ header, map, findings, where }: Dex, name: keyof typeof tableTypes): void {
  const { count, offset } = header[name];
  if (count === 0 || map.entries.length === 0) return;
  const entry = map.entries.find(({ type }) => type === tableTypes[name]);
  if (entry?.count === count && entry.offset === offset) return;
  const mapped = entry === undefined ? 'none' : `${entry.count} at 0x${entry.offset.toString(16)}`;
  findings.add('dex-map', where, `${name}: ${count} at 0x${offset.toString(16)}, in the map ${mapped}`);
}

/** Reports data behind the data section, which ends a compiled file; mostly the map is its end. Packers append to both. */
function checkData({ header, map, bytes, findings, where }: Dex): void {
  const { data, mapOffset, fileSize } = header;
  if (map.entries.length === 0) {
    const isThere = mapOffset !== 0 && mapOffset + 4 <= bytes.length;
    if (isThere) findings.add('dex-map', where, `the map at 0x${mapOffset.toString(16)} is empty`);
    return;
  }
  // In a container the parts share their data.
  if (header.containerSize !== null) return;
  const dataEnd = data.offset + data.count;
  if (mapOffset < data.offset || mapOffset >= dataEnd) {
    const section = `0x${data.offset.toString(16)} to 0x${dataEnd.toString(16)}`;
    findings.add('dex-map', where, `the map is not in the data section, ${section}`);
    return;
  }
  const isMapLast = map.entries.every(({ offset }) => offset <= mapOffset);
  const end = isMapLast ? Math.min(dataEnd, mapOffset + 4 + map.entries.length * mapEntrySize) : dataEnd;
  const past = Math.min(fileSize, bytes.length) - end;
  if (past > maxPadding) findings.add('dex-trailing-data', where, `${past} bytes belong to nothing`);
}

function checkStrings(dex: Dex): void {
  const { stringOffsets, bytes, findings, where } = dex;
  const safeEnd = bytes.length - maxLebSize;
  let outside = 0;
  for (let index = 0; index < stringOffsets.length; index++) {
    if (stringOffsets[index]! > safeEnd && dex.stringRange(index) === null) outside++;
  }
  if (outside === 0) return;
  const evidence = `${outside} of ${stringOffsets.length} strings lie outside the file`;
  findings.add('dex-string-outside', where, evidence);
}
