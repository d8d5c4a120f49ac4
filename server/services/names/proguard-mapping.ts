// ProGuard's mapping files, which R8 writes too: `com.example.Name -> a.b:`, members below. Knows no store.
//
// https://www.guardsquare.com/manual/tools/retrace, https://r8.googlesource.com/r8/+/refs/heads/main/doc/retrace.md
import { descriptorOf, dotted, type MappingEntry, type MappingFault } from './mapping-entries.ts';

const primitives: Readonly<Record<string, string>> = {
  void: 'V',
  boolean: 'Z',
  byte: 'B',
  short: 'S',
  char: 'C',
  int: 'I',
  long: 'J',
  float: 'F',
  double: 'D',
};
const primitiveNames = new Map(Object.entries(primitives).map(([name, letter]) => [letter, name]));

const classLine = /^(\S+) -> (\S+):\s*(?:#.*)?$/;
const memberLine = /^\s+(?:(\d+):(\d+):)?(\S+) ([^\s(]+)(?:\(([^)]*)\))?((?::\d+){0,2}) -> (\S+)\s*$/;

interface Member {
  readonly line: number;
  readonly returns: string;
  readonly name: string;
  /** Null for a field. */
  readonly parameters: string | null;
  readonly called: string;
  /** Lines of the code; what is inlined into a method has the same as it. */
  readonly range: string;
  /** As the code has it, where R8 says that it is another. */
  signature: string | null;
}

interface Class {
  readonly line: number;
  readonly name: string;
  readonly called: string;
  readonly members: Member[];
}

/** What the lines of a mapping file name, and the lines that could not be understood. */
export function proguardEntries(lines: readonly string[]): { entries: MappingEntry[]; faults: MappingFault[] } {
  const faults: MappingFault[] = [];
  const classes = classesOf(lines, faults);
  /** What the code calls classes. */
  const called = new Map(classes.map(({ name, called: now }) => [name, now]));
  const typeOf = (name: string): string => {
    const element = name.replace(/(?:\[\])+$/, '');
    const dimensions = '['.repeat((name.length - element.length) / 2);
    return dimensions + (primitives[element] ?? descriptorOf(called.get(element) ?? element));
  };
  const entries = classes.flatMap(({ line, name, called: now, members }) => {
    const owner = descriptorOf(now);
    const found: MappingEntry[] = [];
    const add = (at: number, symbol: string, text: string) =>
      found.push({ line: at, kind: 'name', symbol, address: null, text });
    if (name !== now) add(line, owner, packageOf(name) === packageOf(now) ? lastOf(name) : name);
    for (const member of outermost(members)) {
      if (member.name === member.called || member.name.startsWith('<')) continue;
      const types =
        member.parameters === null
          ? `:${typeOf(member.returns)}`
          : `(${member.parameters === '' ? '' : member.parameters.split(',').map(typeOf).join('')})${typeOf(member.returns)}`;
      add(member.line, `${owner}->${member.called}${member.signature ?? types}`, member.name);
    }
    return found;
  });
  return { entries, faults };
}

function classesOf(lines: readonly string[], faults: MappingFault[]): Class[] {
  const classes: Class[] = [];
  for (const [index, text] of lines.entries()) {
    const line = index + 1;
    if (/^\s*(?:#|$)/.test(text)) {
      const member = classes.at(-1)?.members.at(-1);
      const signature = /"com\.android\.tools\.r8\.residualsignature".*"signature"\s*:\s*"([^"]+)"/.exec(text)?.[1];
      if (member !== undefined && signature !== undefined)
        member.signature = member.parameters === null ? `:${signature}` : signature;
      continue;
    }
    const [, name, called] = classLine.exec(text) ?? [];
    if (name !== undefined && called !== undefined) {
      classes.push({ line, name, called, members: [] });
      continue;
    }
    const [, from, to, returns, member, parameters = null, , now] = memberLine.exec(text) ?? [];
    const within = classes.at(-1);
    if (within === undefined || returns === undefined || member === undefined || now === undefined) {
      faults.push({ line, text });
      continue;
    }
    const range = from === undefined ? '' : `${from}:${to}`;
    within.members.push({ line, returns, name: member, parameters, called: now, range, signature: null });
  }
  return classes;
}

/** Members that the class itself has: of a method with others inlined into it the last line is its own, each once. */
function outermost(members: readonly Member[]): Member[] {
  const own = members.filter((member, index) => {
    const next = members[index + 1];
    const isInlined = member.range !== '' && next?.range === member.range && next.called === member.called;
    return !isInlined && !member.name.includes('.');
  });
  const key = ({ name, called, returns, parameters, signature }: Member) =>
    [name, called, returns, parameters, signature].join(' ');
  return [...new Map(own.toReversed().map((member) => [key(member), member])).values()].reverse();
}

/** The lines of a mapping file, class by class. @param nameOf the name of a class, with dots */
export function* proguardLines(
  names: readonly { symbol: string; text: string }[],
  nameOf: (descriptor: string) => string,
): Generator<string> {
  const typeName = (type: string): string => {
    const element = type.replace(/^\[+/, '');
    return (primitiveNames.get(element) ?? nameOf(element)) + '[]'.repeat(type.length - element.length);
  };
  const owners = Map.groupBy(names, ({ symbol }) => symbol.slice(0, symbol.indexOf(';') + 1));
  for (const [owner, some] of [...owners].sort(([a], [b]) => (a < b ? -1 : 1))) {
    yield `${nameOf(owner)} -> ${dotted(owner)}:`;
    for (const { symbol, text } of some) {
      if (symbol === owner) continue;
      const member = symbol.slice(owner.length + 2);
      const [, name, parameters, returns] = /^([^(:]+)\(([^)]*)\)(.+)$/.exec(member) ?? [];
      if (name !== undefined && parameters !== undefined && returns !== undefined) {
        const types = parameters.match(/\[*(?:[ZBSCIJFD]|L[^;]+;)/g) ?? [];
        yield `    ${typeName(returns)} ${text}(${types.map(typeName).join(',')}) -> ${name}`;
      } else {
        const colon = member.indexOf(':');
        yield `    ${typeName(member.slice(colon + 1))} ${text} -> ${member.slice(0, colon)}`;
      }
    }
  }
}

const packageOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('.')));
const lastOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1);
