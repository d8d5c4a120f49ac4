// Which classes are the app's own, and their methods with who calls them. Knows no run.
import { AppClasses } from '../../code/app-classes.ts';
import { AppMethods } from '../../code/app-methods.ts';
import { classData } from '../../formats/dex/class-data.ts';
import { codeAt } from '../../formats/dex/code-item.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import { frameworkClass } from '../android/class-hierarchy.ts';

/** Whether a class of a dex file is the app's own and no known library's. */
export type IsOwn = (dex: Dex, descriptor: string) => boolean;

export function ownMethods(dexFiles: readonly Dex[], isOwn: IsOwn): AppMethods {
  const names = (descriptor: string) => dexFiles.some((dex) => isOwn(dex, descriptor));
  return new AppMethods(new AppClasses(dexFiles, names), () => null);
}

const platformPackage = /^L(?:android|java|javax)\//;
const stubs = new WeakMap<Dex, ReadonlySet<string>>();

/**
 * Whether a class stands for one of the platform's, which a phone never takes from an app: R8 adds such classes, with
 * nothing but an initialiser that throws, for those that older phones lack.
 */
export function isPlatformStub(dex: Dex, descriptor: string): boolean {
  if (!platformPackage.test(descriptor)) return false;
  let known = stubs.get(dex);
  if (known === undefined) {
    const found = new Set<string>();
    for (let index = 0; index < dex.classCount; index++) {
      const name = dex.className(index);
      if (platformPackage.test(name) && (frameworkClass(name) !== null || isEmpty(dex, index))) found.add(name);
    }
    known = found;
    stubs.set(dex, known);
  }
  return known.has(descriptor);
}

const resourceClass = /\/(?:R|Manifest)(?:\$\w+)?;$|\/BuildConfig;$/;
/** Code units of a constructor that only calls that of Object. */
const emptyConstructor = 4;

/** Whether build tools made a class for its constants alone: it has nothing that could run but a constructor that does nothing. */
export function isConstantsOnly(dex: Dex, classIndex: number): boolean {
  if (!resourceClass.test(dex.className(classIndex))) return false;
  const { directMethods, virtualMethods } = classData(dex, classIndex);
  const isIdle = ({ methodIndex, codeOffset }: (typeof directMethods)[number]): boolean =>
    dex.methodName(methodIndex) === '<init>' && (codeAt(dex, codeOffset)?.units.length ?? 0) <= emptyConstructor;
  return virtualMethods.length === 0 && directMethods.every(isIdle);
}

function isEmpty(dex: Dex, classIndex: number): boolean {
  const { directMethods, virtualMethods } = classData(dex, classIndex);
  return (
    virtualMethods.length === 0 && directMethods.every(({ methodIndex }) => dex.methodName(methodIndex) === '<clinit>')
  );
}
