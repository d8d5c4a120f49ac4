// What an APK says, written as YARA: whatever it is, it stays within its quotes. Knows no APK.
import type { ReportMember } from '../../../contract/engine/rule-features.ts';

const isPlain = (byte: number): boolean => byte >= 0x20 && byte < 0x7f;
const hexOf = (byte: number): string => byte.toString(16).padStart(2, '0');

/** Between quotes, with every byte that is no printable ASCII by its number. */
function quoted(bytes: Uint8Array): string {
  const letters = Array.from(bytes, (byte) => {
    const letter = String.fromCharCode(byte);
    if (letter === '"' || letter === '\\') return `\\${letter}`;
    return isPlain(byte) ? letter : `\\x${hexOf(byte)}`;
  });
  return `"${letters.join('')}"`;
}

/** A string of a rule: text where all of it is printable ASCII, else bytes. */
export const stringSource = (bytes: Uint8Array): string =>
  bytes.every(isPlain) ? quoted(bytes) : `{ ${Array.from(bytes, hexOf).join(' ')} }`;

/** A host that stands in a regular expression as it is, but for its dots. */
const hostName = /^[a-z0-9.-]{1,255}$/;

/** A condition on the APK's reports; null where the value cannot be asked for. */
export function callSource(member: ReportMember, value: string): string | null {
  if (member === 'domain' || member === 'dns_lookup') {
    if (!hostName.test(value)) return null;
    const host = value.replaceAll('.', '\\.');
    return member === 'domain'
      ? `androguard.url(/:\\/\\/([^\\/]*@)?${host}([:\\/?#]|$)/i)`
      : `cuckoo.network.dns_lookup(/^${host}$/i)`;
  }
  return `androguard.${member}(${quoted(Buffer.from(value, 'utf8'))})`;
}

/** The name of a rule, of words that may be anything. */
export const ruleNameOf = (words: string, part: string): string => {
  const name = (words.match(/[A-Za-z0-9]+/g) ?? []).join('_').slice(0, 80);
  return `${/^[A-Za-z]/.test(name) ? '' : 'apk_'}${name}${name === '' ? '' : '_'}${part}`;
};
