// Names for variables: those that debug information tells, else after their types. Knows no code.
import type { Local } from '../expressions/tree.ts';
import { identifier, isIdentifier } from './identifiers.ts';
import type { Program } from './program.ts';

const shortNames: Readonly<Record<string, string>> = {
  Z: 'flag',
  B: 'b',
  S: 's',
  C: 'c',
  I: 'i',
  J: 'l',
  F: 'f',
  D: 'd',
};

/** The name that a variable would have by itself. @param type what source calls its type */
export function nameFor({ hint, role }: Local, program: Program, type: string): string {
  if (hint !== null && isIdentifier(hint) && hint !== 'this') return program.isTypeName(hint) ? `${hint}_` : hint;
  const element = type.replace(/^\[+/, '');
  if (element.length === 1) return `${shortNames[element] ?? 'v'}${element === type ? '' : 's'}`;
  const given = program.given.classes.has(element) ? program.simpleName(element) : null;
  const simple = given ?? element.slice(Math.max(element.lastIndexOf('/'), element.lastIndexOf('$'), 0) + 1, -1);
  const name = identifier(`${simple.charAt(0).toLowerCase()}${simple.slice(1)}`);
  const base = /^[a-z]\w*$/.test(name) ? name : role === 'parameter' ? 'p' : 'v';
  return element === type ? base : `${base}s`;
}

/** Gives each variable a name of its own. */
export function nameLocals(
  locals: readonly Local[],
  isTaken: (name: string, local: Local) => boolean,
  nameFor: (local: Local) => string,
): void {
  const used = new Set<string>();
  for (const local of locals) {
    const base = nameFor(local);
    let name = base;
    for (let number = 2; used.has(name) || isTaken(name, local); number++) name = `${base}${number}`;
    used.add(name);
    local.name = name;
  }
}
