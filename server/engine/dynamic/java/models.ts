// Every model of the core library, in one table. Knows nothing else.
import { mergedModels } from '../machine/merged-models.ts';
import type { Models } from '../machine/model.ts';
import { modelTables } from '../machine/model-tables.ts';

/** Models of java.*, javax.*, org.json and org.xmlpull. */
export const javaModels: Models = mergedModels(await modelTables(new URL('.', import.meta.url)));
