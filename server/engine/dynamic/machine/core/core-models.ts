// The platform classes that are inseparable from the machine, in one table. Knows no others.
import type { Models } from '../model.ts';
import { classModels } from './class.ts';
import { classLoaderModels } from './class-loader.ts';
import { genericTypeModels } from './generic-types.ts';
import { invokeModels } from './invoke.ts';
import { memberModels } from './members.ts';
import { modifierModels } from './modifiers.ts';
import { objectModels } from './object.ts';
import { proxyModels } from './proxy.ts';
import { threadModels } from './thread.ts';
import { throwableModels } from './throwable.ts';

export const coreModels: Models = {
  ...objectModels,
  ...throwableModels,
  ...classModels,
  ...memberModels,
  ...genericTypeModels,
  ...modifierModels,
  ...proxyModels,
  ...classLoaderModels,
  ...invokeModels,
  ...threadModels,
};
