// Method handles and call sites, which version 038 brought. Knows no notation.
//
// https://source.android.com/docs/core/runtime/dex-format#call-site-id-item
import type { Dex } from './dex.ts';
import { type EncodedValue, EncodedValueReader } from './encoded-value.ts';

const handleTypes = [
  'static-put',
  'static-get',
  'instance-put',
  'instance-get',
  'invoke-static',
  'invoke-instance',
  'invoke-constructor',
  'invoke-direct',
  'invoke-interface',
] as const;

export interface MethodHandle {
  readonly type: (typeof handleTypes)[number];
  /** Whether `index` is a field's or a method's. */
  readonly target: 'field' | 'method';
  readonly index: number;
}

/** Types up to here are accessors of fields. */
const lastFieldType = 3;

/** Method handle `index`, null where the index or its type is bad. */
export function methodHandleAt(dex: Dex, index: number): MethodHandle | null {
  const section = dex.map.methodHandles;
  if (section === null || index >= section.count) return null;
  const at = section.offset + index * 8;
  const number = dex.view.getUint16(at, true);
  const type = handleTypes[number];
  if (type === undefined) {
    dex.findings.add('dex-method-handle', `${dex.where}:0x${at.toString(16)}`, `type ${number}`);
    return null;
  }
  return { type, target: number <= lastFieldType ? 'field' : 'method', index: dex.view.getUint16(at + 4, true) };
}

/** The bootstrap method handle, the name, the prototype, and further arguments; null where the index is bad. */
export function callSiteAt(dex: Dex, index: number): readonly EncodedValue[] | null {
  const section = dex.map.callSites;
  if (section === null || index >= section.count) return null;
  return new EncodedValueReader(dex).arrayAt(dex.view.getUint32(section.offset + index * 4, true));
}
