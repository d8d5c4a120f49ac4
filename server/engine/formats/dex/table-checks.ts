// What Android's verifier refuses the tables of a dex file for: indexes past the end of the table that they point into,
// items that are not sorted. Knows no class and no code.
import type { Dex } from './dex.ts';

type Table = 'types' | 'prototypes' | 'fields' | 'methods';

/**
 * Reports each table with a bad index or a wrong order once, by the first item that has it.
 * https://source.android.com/docs/core/runtime/dex-format#file-layout
 */
export function checkTables(dex: Dex): void {
  checkTypes(dex);
  checkPrototypes(dex);
  checkMembers(dex, 'fields', dex.fieldIds, dex.fieldCount, dex.typeCount);
  checkMembers(dex, 'methods', dex.methodIds, dex.methodCount, dex.protoCount);
}

function checkTypes(dex: Dex): void {
  const { typeIds, stringCount } = dex;
  const bad = typeIds.findIndex((string) => string >= stringCount);
  if (bad >= 0) reportIndex(dex, 'types', bad);
  const unsorted = typeIds.findIndex((string, index) => index > 0 && string <= typeIds[index - 1]!);
  if (unsorted >= 0) reportOrder(dex, 'types', unsorted);
}

function checkPrototypes(dex: Dex): void {
  const { protoIds, protoCount, stringCount, typeCount } = dex;
  for (let index = 0; index < protoCount; index++) {
    if (protoIds[index * 3]! < stringCount && protoIds[index * 3 + 1]! < typeCount) continue;
    reportIndex(dex, 'prototypes', index);
    return;
  }
}

/**
 * @param ids per member four units: class, type or prototype, name (low, high)
 * @param kindCount how many types or prototypes there are
 */
function checkMembers(dex: Dex, table: Table, ids: Uint16Array, count: number, kindCount: number): void {
  const { typeCount, stringCount } = dex;
  let bad = -1;
  let unsorted = -1;
  let lastClass = -1;
  let lastName = -1;
  let lastKind = -1;
  for (let index = 0; index < count; index++) {
    const at = index * 4;
    const owner = ids[at]!;
    const kind = ids[at + 1]!;
    const name = ids[at + 2]! + ids[at + 3]! * 0x10000;
    if (bad < 0 && (owner >= typeCount || kind >= kindCount || name >= stringCount)) bad = index;
    const difference = owner - lastClass || name - lastName || kind - lastKind;
    if (unsorted < 0 && difference <= 0) unsorted = index;
    lastClass = owner;
    lastName = name;
    lastKind = kind;
  }
  if (bad >= 0) reportIndex(dex, table, bad);
  if (unsorted >= 0) reportOrder(dex, table, unsorted);
}

function reportIndex({ findings, where }: Dex, table: Table, index: number): void {
  findings.add('dex-index', 'medium', where, `${table}: number ${index} points past the end of another table`);
}

function reportOrder({ findings, where }: Dex, table: Table, index: number): void {
  findings.add('dex-order', 'medium', where, `${table}: number ${index} belongs before the one before it`);
}
