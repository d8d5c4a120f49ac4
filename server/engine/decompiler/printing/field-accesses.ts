// Writes accesses of fields. Knows no declarations of them.
import type { Expression } from '../expressions/tree.ts';
import { writeCall } from './calls.ts';
import type { ExpressionPrinter } from './expressions.ts';
import { binding } from './precedence.ts';

/** Writes a field with the object or class it is taken from. */
export function writeField(to: ExpressionPrinter, field: Expression & { kind: 'field' }): void {
  const { owner, name, type, object: of } = field;
  const symbol = `${owner}->${name}:${type}`;
  const lambda = of === null ? to.types.lambda(field) : null;
  if (lambda !== null) {
    writeCall(to, lambda, binding.postfix);
    return;
  }
  if (of === null && to.program.isValuesField(owner, name, type)) {
    to.names.write(to.writer, owner);
    to.writer.text('.values()');
    return;
  }
  const holder = to.program.fieldOwner(owner, name, type);
  // Variables may have the names of fields that are inherited.
  const isByName = of === null && to.isOwn(holder) && to.program.hasField(holder, name, type);
  if (of !== null) writeHolder(to, of, holder, isHidden(to, of, holder, name));
  else if (!isByName) to.names.write(to.writer, holder);
  if (!isByName) to.writer.text('.');
  to.writer.symbol(to.program.fieldName(owner, name, type), symbol);
}

/** Writes the object that a field is in. */
function writeHolder(to: ExpressionPrinter, of: Expression, holder: string, isExact: boolean): void {
  const above = isExact && of.kind !== 'number' ? to.typing.asOne(of, holder) : null;
  if (above === null) to.receiver(of, holder, isExact);
  else to.castTo(above, binding.postfix, () => to.plain(of, binding.unary));
}

/** Whether a class below the field's own has another of this name, or does not inherit it. */
function isHidden(to: ExpressionPrinter, of: Expression, owner: string, name: string): boolean {
  if (to.types.typeOf(of) !== owner && to.program.isPrivateField(owner, name)) return true;
  for (let at: string | null = to.types.typeOf(of); at !== null && at !== owner; ) {
    const known = to.program.classOf(at);
    if (known === null) return false;
    const { dex, data } = known;
    if ([...data.instanceFields, ...data.staticFields].some(({ fieldIndex }) => dex.fieldName(fieldIndex) === name))
      return true;
    at = to.program.relations.factsOf(at)?.superclass ?? null;
  }
  return false;
}
