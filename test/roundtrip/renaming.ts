// Gives fields and methods the names that obfuscators do: the same for all that differ in type, case alone, or none at all that
// Java could write. Knows names only.
import type { SmaliClass } from '../fixtures/dynamic/compiled/class-to-smali.ts';

/** In the order they are taken. */
const names = ['a', 'A', 'do', 'b', '-x', 'B', 'if', '1c', 'c', 'null', 'C', 'int', 'aa', 'aA', 'Aa', 'AA'];
const nameAt = (index: number): string => names[index] ?? `n${index}`;

const field = /^\.field (?:[\w-]+ )*?([^\s:]+):(\S+)/;
const method = /^\.method (?:([\w -]*) )?([^\s(]+)(\(\S*)$/;

/** By what tells two members apart beside their name, so that equal names stay equal and others stay others. */
class Renaming {
  readonly #byType = new Map<string, Map<string, string>>();

  nameOf(name: string, type: string): string {
    const known = this.#byType.get(type) ?? new Map<string, string>();
    this.#byType.set(type, known);
    const already = known.get(name);
    if (already !== undefined) return already;
    const made = nameAt(known.size);
    known.set(name, made);
    return made;
  }
}

export function renamed(classes: readonly SmaliClass[], random: () => number): SmaliClass[] {
  const lines = classes.flatMap(({ text }) => text.split('\n'));
  // What a program looks for by name keeps it.
  const spoken = new Set(
    lines.flatMap((line) => line.match(/(?:^const-string \S+ |call_site_\d+\()"([^"]*)"/)?.[1] ?? []),
  );
  const owners = new Set(classes.map(({ name }) => `L${name};`));
  const isOverridable = new Set<string>();
  const isOwn = new Set<string>();
  const fields = new Set<string>();
  for (const line of lines) {
    const [, words, name, descriptor] = line.match(method) ?? [];
    if (name === undefined) {
      const [, fieldName, type] = line.match(field) ?? [];
      if (fieldName !== undefined) fields.add(`${fieldName}:${type}`);
    } else if (/\b(?:static|private)\b/.test(words ?? '')) isOwn.add(name + descriptor);
    else isOverridable.add(name);
  }
  const kept = new Set(['main', 'values', 'valueOf', '<init>', '<clinit>', '$values']);
  const renaming = new Renaming();
  const ofField = (name: string, type: string): string =>
    fields.has(`${name}:${type}`) && !spoken.has(name) ? renaming.nameOf(name, type) : name;
  const ofMethod = (name: string, descriptor: string): string =>
    isOwn.has(name + descriptor) && !isOverridable.has(name) && !kept.has(name) && !spoken.has(name)
      ? renaming.nameOf(name, descriptor)
      : name;
  // Enum constants and components of records have names that a running program sees.
  const reference = /(L[^;\s"]+;)->([^\s:("]+)(?::(\S+)|(\([^\s,]*))/g;
  const isFieldless = random() < 0.2;
  const change = (line: string): string => {
    if (/^\s*(?:const-string|\.source|value = "|name = |component)/.test(line)) return line;
    const declared = line.match(method);
    if (declared !== null) {
      const [, words, name, descriptor] = declared;
      return `.method ${words === undefined ? '' : `${words} `}${ofMethod(name!, descriptor!)}${descriptor}`;
    }
    const member = isFieldless ? null : line.match(field);
    if (member !== null) {
      const at = line.indexOf(`${member[1]}:${member[2]}`);
      return line.slice(0, at) + ofField(member[1]!, member[2]!) + line.slice(at + member[1]!.length);
    }
    return line.replace(reference, (whole, owner: string, name: string, type?: string, descriptor?: string) => {
      if (!owners.has(owner)) return whole;
      if (type !== undefined) return isFieldless ? whole : `${owner}->${ofField(name, type)}:${type}`;
      return `${owner}->${ofMethod(name, descriptor!)}${descriptor}`;
    });
  };
  return classes.map(({ name, text }) => ({ name, text: text.split('\n').map(change).join('\n') }));
}
