// Reads mapping files: what a class, field or method is called instead of what the code calls it. Knows no store.
import type { MappingFormat } from '../../contract/catalogue/code-name.ts';
import { jadxEntries } from './jadx-mapping.ts';
import type { MappingEntry, MappingFault } from './mapping-entries.ts';
import { proguardEntries } from './proguard-mapping.ts';

export interface Mapping {
  readonly format: MappingFormat;
  readonly entries: readonly MappingEntry[];
  readonly faults: readonly MappingFault[];
}

/** Names and notes that the formats have no lines for stand behind it as JSON. */
export const ownMark = '# apk-workstation: ';

/** @param format null: told by the lines */
export function mappingOf(text: string, format: MappingFormat | null): Mapping {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const found = format ?? formatOf(lines);
  const { entries, faults } = found === 'jadx' ? jadxEntries(lines) : proguardEntries(lines);
  const own = lines.flatMap((line, index) => (line.startsWith(ownMark) ? ownEntry(line, index + 1) : []));
  return { format: found, entries: [...entries, ...own], faults };
}

const formatOf = (lines: readonly string[]): MappingFormat =>
  lines.some((line) => /^[pcfm] \S.* = \S/.test(line)) ? 'jadx' : 'proguard';

function ownEntry(text: string, line: number): MappingEntry[] {
  let said: unknown;
  try {
    said = JSON.parse(text.slice(ownMark.length));
  } catch {
    return [];
  }
  if (typeof said !== 'object' || said === null) return [];
  const { kind, symbol, address = null, text: word } = said as Record<string, unknown>;
  if ((kind !== 'name' && kind !== 'note') || typeof symbol !== 'string' || typeof word !== 'string') return [];
  if (address !== null && !Number.isSafeInteger(address)) return [];
  return [{ line, kind, symbol, address: address as number | null, text: word }];
}
