// Every model of the Android framework, in one table. Knows no machine.
import { mergedModels } from '../machine/merged-models.ts';
import type { Models } from '../machine/model.ts';
import { modelTables, modulesIn } from '../machine/model-tables.ts';

function completed(tables: readonly Models[]): Models {
  const all = mergedModels(tables);
  for (const descriptor of Object.keys(all)) all[descriptor] = withConstructors(descriptor, all);
  return all;
}

/** Constructors are not inherited in Java; a model that names none takes its superclass's, which do the same. */
function withConstructors(descriptor: string, all: Readonly<Record<string, Models[string]>>): Models[string] {
  const model = all[descriptor]!;
  if (model.isInterface === true) return model;
  const constructors: Record<string, NonNullable<Models[string]['methods']>[string]> = {};
  for (let each: Models[string] | undefined = model; each !== undefined; each = all[each.extends ?? '']) {
    for (const [signature, body] of Object.entries(each.methods ?? {})) {
      if (signature.startsWith('<init>')) constructors[signature] ??= body;
    }
  }
  return { ...model, methods: { ...constructors, ...model.methods } };
}

export const androidModels: Models = completed(modelTables(await modulesIn(import.meta.dirname)));
