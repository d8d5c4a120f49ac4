// Values in an app's XML that link to another view: classes, resources, permissions. Knows addresses, not what stands there.
import { codeAddress } from '../place/place-address.ts';

/** Values of attributes that are a dotted name or a resource. */
export const xmlReference = /(?<==")(?:\.?[A-Za-z_][\w$]*(?:\.[\w$]+)+|\.[\w$]+|@[a-z]+\/[\w.]+)(?=")/g;

/**
 * The address that a value leads to, null where it leads nowhere.
 * @param packageName completes names that begin with a dot
 */
export function xmlReferenceAddress(sha256: string, value: string, packageName: string): string | null {
  const base = `/apks/${sha256}`;
  const resource = /^@([a-z]+)\/(.+)$/.exec(value);
  if (resource !== null) {
    return `${base}/resources?${new URLSearchParams({ type: resource[1]!, find: resource[2]! })}`;
  }
  if (value.includes('.permission.')) return `${base}/permissions`;
  // Actions and categories end in capitals, features have packages of their own; any other dotted name may be a class.
  if (/^android\.(?:hardware|software|intent)\.|\.[A-Z][A-Z\d_]{2,}$/.test(value)) return null;
  const name = value.startsWith('.') ? packageName + value : value;
  return codeAddress(sha256, `L${name.replaceAll('.', '/')};`);
}
