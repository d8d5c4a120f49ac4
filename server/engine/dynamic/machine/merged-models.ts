// Puts tables of models together, and refuses two models of the same thing. Knows no class.
import { type Models, plainSignature } from './model.ts';

type ModelClass = Models[string];

/**
 * One table of several; parts of a class that stand in two of them are put together.
 * @throws Error where two say what the same member does, or name different superclasses: one would be lost
 */
export function mergedModels(tables: readonly Models[]): Record<string, ModelClass> {
  const all: Record<string, ModelClass> = {};
  for (const table of tables) {
    for (const [descriptor, model] of Object.entries(table)) {
      const known = all[descriptor];
      all[descriptor] = known === undefined ? model : united(descriptor, known, model);
    }
  }
  return all;
}

const tableKinds = ['methods', 'staticMethods', 'pure', 'pureStatic', 'constants'] as const;
const listKinds = ['implements', 'abstractMethods', 'fields'] as const;

function united(descriptor: string, one: ModelClass, other: ModelClass): ModelClass {
  if (one.extends !== undefined && other.extends !== undefined && one.extends !== other.extends) {
    throw new Error(`${descriptor} has two superclasses, ${one.extends} and ${other.extends}`);
  }
  const parts: Record<string, unknown> = { ...one, ...other };
  for (const kind of tableKinds) {
    const known = new Set(Object.keys(one[kind] ?? {}).map(plainSignature));
    const twice = Object.keys(other[kind] ?? {}).filter((name) => known.has(plainSignature(name)));
    if (twice.length > 0) throw new Error(`${descriptor} has two models of ${twice.join(', ')}`);
    if (kind in parts) parts[kind] = { ...one[kind], ...other[kind] };
  }
  for (const kind of listKinds) {
    if (kind in parts) parts[kind] = [...new Set([...(one[kind] ?? []), ...(other[kind] ?? [])])];
  }
  return parts;
}
