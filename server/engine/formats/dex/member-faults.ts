// What Android's verifier refuses a class's fields and methods for. Knows no order of members and no code.
//
// https://source.android.com/docs/core/runtime/dex-format#access-flags
import type { Dex } from './dex.ts';

const flags = {
  public: 0x1,
  private: 0x2,
  protected: 0x4,
  static: 0x8,
  final: 0x10,
  volatile: 0x40,
  native: 0x100,
  abstract: 0x400,
  constructor: 0x10000,
  declaredSynchronized: 0x20000,
} as const;
const javaFlags = 0xffff;
const methodFlags = javaFlags | flags.constructor | flags.declaredSynchronized;
const scopes = flags.public | flags.private | flags.protected;
const constant = flags.volatile | flags.final;

/**
 * What is wrong with a field that a class lists; null for nothing.
 * @param type index of the class's type
 * @param isStatic whether it stands among the static fields
 */
export function fieldFault(dex: Dex, type: number, field: number, access: number, isStatic: boolean): string | null {
  if (field >= dex.fieldCount) return `field ${field} of ${dex.fieldCount}`;
  if (dex.fieldIds[field * 4] !== type) return `field ${field} is another class's`;
  if (((access & flags.static) !== 0) !== isStatic) return `field ${field} is listed among those of the other kind`;
  const isOdd = (access & ~javaFlags) !== 0 || (access & constant) === constant || hasSeveralScopes(access);
  return isOdd ? `field ${field} has flags 0x${access.toString(16)}` : null;
}

/**
 * The same of a method.
 * @param isDirect whether it stands among those that are not overridden
 */
export function methodFault(
  dex: Dex,
  type: number,
  method: number,
  access: number,
  hasCode: boolean,
  isDirect: boolean,
): string | null {
  if (method >= dex.methodCount) return `method ${method} of ${dex.methodCount}`;
  if (dex.methodIds[method * 4] !== type) return `method ${method} is another class's`;
  if (!isDirect && (access & (flags.static | flags.private | flags.constructor)) !== 0) {
    return `method ${method} is listed among those of the other kind`;
  }
  if (((access & (flags.native | flags.abstract)) === 0) !== hasCode) {
    return `method ${method} has ${hasCode ? 'code' : 'no code'} and flags 0x${access.toString(16)}`;
  }
  const isOdd = (access & ~methodFlags) !== 0 || hasSeveralScopes(access);
  return isOdd ? `method ${method} has flags 0x${access.toString(16)}` : null;
}

function hasSeveralScopes(access: number): boolean {
  const scope = access & scopes;
  return (scope & (scope - 1)) !== 0;
}
