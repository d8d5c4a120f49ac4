// What Android says of a null reference, from the instruction that met it. Knows no objects.
import type { CallSite } from './call-site.ts';
import { javaName } from './linked-class.ts';
import type { PreparedMethod } from './prepared-method.ts';

/** `Attempt to invoke virtual method 'int java.lang.String.length()' on a null object reference` */
export function nullPointerMessage(prepared: PreparedMethod, at: number): string {
  const { stream, pool, dex } = prepared;
  const operation = prepared.breaks?.get(at) ?? stream[at]!;
  if (operation === 0x53) {
    const site = pool[stream[at + 1]!] as CallSite;
    const { target } = site;
    if (target === null) return '';
    const parameters = target.parameters.map(typeName).join(', ');
    const name = `${typeName(target.returns)} ${target.label}(${parameters})`;
    const kind = site.kind === 'interface' ? 'interface' : site.kind === 'direct' ? 'direct' : 'virtual';
    return `Attempt to invoke ${kind} method '${name}' on a null object reference`;
  }
  if (operation === 0x52 || operation === 0x59) {
    const field = stream[at + 3]!;
    const name = `${typeName(dex.fieldType(field))} ${javaName(dex.fieldClass(field))}.${dex.fieldName(field)}`;
    const what = `field '${name}' on a null object reference`;
    return operation === 0x52 ? `Attempt to read from ${what}` : `Attempt to write to ${what}`;
  }
  if (operation === 0x43) return 'Attempt to read from field on a null object reference';
  if (operation === 0x73) return 'Attempt to write to field on a null object reference';
  if (operation === 0x21) return 'Attempt to get length of null array';
  if (operation >= 0x44 && operation <= 0x4a) return 'Attempt to read from null array';
  if (operation >= 0x4b && operation <= 0x51) return 'Attempt to write to null array';
  if (operation === 0x27) return 'Attempt to throw null';
  return 'null';
}

function typeName(descriptor: string): string {
  return descriptor.startsWith('[') ? `${typeName(descriptor.slice(1))}[]` : javaName(descriptor);
}
