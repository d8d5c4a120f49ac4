// The platform classes that are inseparable from the machine, in one table. Knows no others.
import type { Models } from '../model.ts';
import { classModels } from './class.ts';
import { objectModels } from './object.ts';
import { threadModels } from './thread.ts';
import { throwableModels } from './throwable.ts';

export const coreModels: Models = {
  ...objectModels,
  ...throwableModels,
  ...classModels,
  ...threadModels,
};
