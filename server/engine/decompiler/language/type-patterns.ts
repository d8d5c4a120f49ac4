// Recognises where a variable can be declared by the `instanceof` that asks for its class (JLS 6.3.1, 6.3.2.2). Knows no text.
import type { Expression, Statement } from '../expressions/tree.ts';
import { eachLoop } from './for-each.ts';

type If = Statement & { readonly kind: 'if' };
type Declaration = Statement & { readonly kind: 'set' };
type Test = Expression & { readonly kind: 'instanceof' };

/** A test with the declaration that it stands for: nothing happens between them, so that the cast never fails. */
export interface TypePattern {
  readonly test: Test;
  readonly declaration: Declaration;
}

/** An `if` whose conditions declare what its first statements cast, without these. */
export interface PatternIf {
  readonly condition: Expression;
  readonly yes: readonly Statement[];
  readonly patterns: readonly TypePattern[];
}

/** @param isAsked whether source may ask for a class with a pattern there; null where the first way declares nothing like that */
export function patternIf(statement: If, isAsked: (test: Test) => boolean): PatternIf | null {
  const patterns: TypePattern[] = [];
  let { condition, yes }: { condition: Expression; yes: readonly Statement[] } = statement;
  for (;;) {
    const pattern = patternOf(lastOf(condition, '&&'), declarationAt(yes, 0));
    if (pattern === null || !isAsked(pattern.test)) break;
    patterns.push(pattern);
    yes = yes.slice(1);
    const [only] = yes;
    // Nothing is done where the second condition does not hold: it is the same whether it is asked alone.
    if (yes.length !== 1 || only?.kind !== 'if' || only.no.length > 0 || statement.no.length > 0) break;
    condition = { kind: 'junction', operator: '&&', left: condition, right: only.condition, at: condition.at };
    yes = only.yes;
  }
  return patterns.length === 0 ? null : { condition, yes, patterns };
}

/** The pattern of an `if` that leaves where something is not of a class, and the declaration that follows; null for anything else. */
export function patternBehind(list: readonly Statement[], index: number): TypePattern | null {
  const statement = list[index]!;
  if (statement.kind !== 'if' || statement.no.length > 0) return null;
  const last = statement.yes.at(-1)?.kind;
  if (last !== 'return' && last !== 'throw' && last !== 'jump') return null;
  const refused = lastOf(statement.condition, '||');
  return refused.kind === 'not' ? patternOf(plain(refused.operand), declarationAt(list, index + 1)) : null;
}

/** What is asked last, where all before it was found to be so, or not to be so. */
function lastOf(condition: Expression, operator: '&&' | '||'): Expression {
  let last = plain(condition);
  while (last.kind === 'junction' && last.operator === operator) last = plain(last.right);
  return last;
}

const plain = (condition: Expression): Expression => (condition.kind === 'truth' ? condition.operand : condition);

/** The declaration of a variable that keeps its value; none that a loop over elements writes itself. */
function declarationAt(list: readonly Statement[], index: number): Declaration | null {
  const first = list[index];
  if (first?.kind !== 'set' || !first.isDeclaration || !first.local.isConstant) return null;
  return eachLoop(list, index) === null ? first : null;
}

/** The pattern that a test and the declaration behind it are; null where the variable may hold anything else. */
function patternOf(test: Expression, declaration: Declaration | null): TypePattern | null {
  if (test.kind !== 'instanceof' || declaration === null) return null;
  const { local, value } = declaration;
  const isSame =
    value.kind === 'cast' &&
    value.type === test.type &&
    local.type === test.type &&
    value.operand.kind === 'local' &&
    test.operand.kind === 'local' &&
    value.operand.local === test.operand.local;
  return isSame ? { test, declaration } : null;
}
