// jadx's deobfuscation maps: `c a.b.C = Name`, `f a.b.C.x:I = name`, `m a.b.C.m(I)V = name`, `p a.b = name`. Knows no store.
//
// https://github.com/skylot/jadx (jadx-core, DeobfPresets)
import { descriptorOf, dotted, type MappingEntry, type MappingFault } from './mapping-entries.ts';

/** Classes that one may stand in, as names with dots do not tell. */
const maxNesting = 4;

/** What the lines of a deobfuscation map name, and the lines that could not be understood. */
export function jadxEntries(lines: readonly string[]): { entries: MappingEntry[]; faults: MappingFault[] } {
  const entries: MappingEntry[] = [];
  const faults: MappingFault[] = [];
  for (const [index, text] of lines.entries()) {
    const line = index + 1;
    if (/^\s*(?:#|$)/.test(text)) continue;
    const [, kind, original, name] = /^\s*([pcfm])\s+(\S.*?)\s*=\s*(\S+)\s*$/.exec(text) ?? [];
    const symbols = kind === undefined ? [] : symbolsOf(kind, original!);
    const [symbol, ...others] = symbols;
    if (symbol === undefined) faults.push({ line, text });
    else entries.push({ line, kind: 'name', symbol, address: null, text: name!, others });
  }
  return { entries, faults };
}

function symbolsOf(kind: string, original: string): string[] {
  if (kind === 'p') return [`${original.replaceAll('.', '/')}/`];
  if (kind === 'c') return classesOf(original);
  const [, owner, member] = (kind === 'm' ? /^(.+?)\.([^.()]+\(.*\).+)$/ : /^(.+?)\.([^.:]+:.+)$/).exec(original) ?? [];
  return owner === undefined ? [] : classesOf(owner).map((type) => `${type}->${member}`);
}

/** The class of a name, which may stand in others: older maps part all names by dots. */
function classesOf(name: string): string[] {
  const plain = name.replace(/^defpackage\./, '');
  const found = [descriptorOf(plain)];
  for (
    let at = plain.lastIndexOf('.'), inner = plain;
    at > 0 && found.length < maxNesting;
    at = inner.lastIndexOf('.')
  ) {
    inner = `${inner.slice(0, at)}$${inner.slice(at + 1)}`;
    found.push(descriptorOf(inner));
  }
  return found;
}

/** What is named, as jadx sorts it. */
export function* jadxLines(names: readonly { symbol: string; text: string }[]): Generator<string> {
  const lines = names.map(({ symbol, text }) => {
    if (symbol.endsWith('/')) return `p ${symbol.slice(0, -1).replaceAll('/', '.')} = ${text}`;
    const end = symbol.indexOf(';') + 1;
    const owner = dotted(symbol.slice(0, end));
    // It has no packages in names of classes.
    if (end === symbol.length) return `c ${owner} = ${text.slice(text.lastIndexOf('.') + 1)}`;
    const member = symbol.slice(end + 2);
    return `${member.includes('(') ? 'm' : 'f'} ${owner}.${member} = ${text}`;
  });
  yield* lines.sort();
}
