// Names and notes of an APK as a mapping file. Knows no store.
import type { MappingFormat } from '../../contract/catalogue/code-name.ts';
import { symbolParts } from '../../contract/engine/code-names.ts';
import { jadxLines } from './jadx-mapping.ts';
import { ownMark } from './mapping.ts';
import { dotted, type Saying } from './mapping-entries.ts';
import { proguardLines } from './proguard-mapping.ts';

/** The lines of a mapping file; what its format has no lines for stands behind as comments that are read back. */
export function* mappingLines(names: readonly Saying[], format: MappingFormat): Generator<string> {
  const { plain = [], own = [] } = Object.groupBy(names, (name) => (isPlain(name, format) ? 'plain' : 'own'));
  const classes = new Map(plain.filter(({ symbol }) => symbol.endsWith(';')).map(({ symbol, text }) => [symbol, text]));
  if (format === 'jadx') yield* jadxLines(plain);
  else yield* proguardLines(plain, (type) => fullName(type, classes.get(type)));
  for (const { kind, symbol, address, text } of own) yield ownMark + JSON.stringify({ kind, symbol, address, text });
}

/** Whether the format has a line for it. */
function isPlain({ kind, symbol, text }: Saying, format: MappingFormat): boolean {
  if (kind === 'note') return false;
  const what = symbolParts(symbol)?.kind;
  if (what === 'class') return format === 'proguard' || !text.includes('.');
  if (what === 'package') return format === 'jadx';
  return what === 'field' || what === 'method';
}

/** With its package. */
function fullName(type: string, given: string | undefined): string {
  const own = dotted(type);
  if (given === undefined || given.includes('.')) return given ?? own;
  return `${own.slice(0, own.lastIndexOf('.') + 1)}${given}`;
}
