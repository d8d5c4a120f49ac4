// Names of parameters that Kotlin's compiler leaves in the code: it has each checked, by its name, where a method begins. Knows no
// metadata.
import type { Local, Statement } from '../expressions/tree.ts';

const checks: ReadonlySet<string> = new Set(['checkNotNullParameter', 'checkParameterIsNotNull']);

/** Gives the names to the parameters that have none from debug information. */
export function nameCheckedParameters(statements: readonly Statement[], parameters: readonly Local[]): void {
  for (const statement of statements) {
    if (statement.kind !== 'do' || statement.expression.kind !== 'call') return;
    const { owner, name, values } = statement.expression;
    const [checked, text] = values;
    if (owner !== 'Lkotlin/jvm/internal/Intrinsics;' || !checks.has(name)) return;
    if (checked?.kind !== 'local' || text?.kind !== 'string' || !parameters.includes(checked.local)) return;
    checked.local.hint ??= text.value === '<this>' ? '$this' : text.value;
  }
}
