// Names for variables: those that debug information tells, else after their types. Knows no code.
import type { Local } from '../expressions/tree.ts';
import type { VariableScope } from '../language/variable-scopes.ts';
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
export function nameFor({ hint, suggested, role }: Local, program: Program, type: string): string {
  if (hint !== null && isIdentifier(hint) && hint !== 'this') return program.isTypeName(hint) ? `${hint}_` : hint;
  if (suggested != null && isIdentifier(suggested) && !program.isTypeName(suggested)) return suggested;
  const element = type.replace(/^\[+/, '');
  if (element.length === 1) return `${shortNames[element] ?? 'v'}${element === type ? '' : 's'}`;
  const given = program.given.classes.has(element) ? program.simpleName(element) : null;
  const simple = given ?? element.slice(Math.max(element.lastIndexOf('/'), element.lastIndexOf('$'), 0) + 1, -1);
  const name = identifier(`${simple.charAt(0).toLowerCase()}${simple.slice(1)}`);
  const base = /^[a-z]\w*$/.test(name) ? name : role === 'parameter' ? 'p' : 'v';
  return element === type ? base : `${base}s`;
}

/** What counts comes after each other. */
const counters = ['i', 'j', 'k'];

/**
 * Gives each variable a name that no other one in sight has.
 * @param scopes of variables; others are in sight everywhere
 */
export function nameLocals(
  locals: readonly Local[],
  scopes: ReadonlyMap<Local, VariableScope>,
  isTaken: (name: string, local: Local) => boolean,
  nameFor: (local: Local) => string,
): void {
  const used = new Map<string, VariableScope[]>();
  for (const local of locals) {
    const { from, to } = scopes.get(local) ?? everywhere;
    const isFree = (name: string) =>
      !isTaken(name, local) && used.get(name)?.some((other) => other.from < to && from < other.to) !== true;
    const base = nameFor(local);
    let name = base === 'i' ? (counters.find(isFree) ?? base) : base;
    for (let number = 2; !isFree(name); number++) name = `${base}${number}`;
    const scope = from === to ? [] : [{ from, to }];
    used.set(name, [...(used.get(name) ?? []), ...scope]);
    local.name = name;
  }
}

const everywhere: VariableScope = { from: 0, to: Number.POSITIVE_INFINITY };
