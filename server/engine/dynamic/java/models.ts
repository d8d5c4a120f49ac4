// Every model of the core library, in one table. Knows nothing else.
import { mergedModels } from '../machine/merged-models.ts';
import type { Models } from '../machine/model.ts';
import { modelTables, modulesIn } from '../machine/model-tables.ts';

/** Models of java.*, javax.*, org.json and org.xmlpull. */
export const javaModels: Models = mergedModels(modelTables(await modulesIn(import.meta.dirname)));
