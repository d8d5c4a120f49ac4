// Which classes are the app's own, and their methods with who calls them. Knows no run.
import { AppClasses } from '../../code/app-classes.ts';
import { AppMethods } from '../../code/app-methods.ts';
import type { Dex } from '../../formats/dex/dex.ts';

/** Whether a class of a dex file is the app's own and no known library's. */
export type IsOwn = (dex: Dex, descriptor: string) => boolean;

export function ownMethods(dexFiles: readonly Dex[], isOwn: IsOwn): AppMethods {
  const names = (descriptor: string) => dexFiles.some((dex) => isOwn(dex, descriptor));
  return new AppMethods(new AppClasses(dexFiles, names), () => null);
}
