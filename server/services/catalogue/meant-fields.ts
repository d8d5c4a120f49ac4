// What somebody means who types a hash, a host, a technique or a class without a field before it. Reads nothing.
import { isIP } from 'node:net';
import { verdicts } from '../../contract/catalogue/verdict.ts';
import { findingCatalogue, findingText } from '../../contract/findings/finding-catalogue.ts';

export interface MeantField {
  field: string;
  value: string;
  /** For people. */
  label: string;
}

/** Shorter ones are words, too: `facade`, `decade`. */
const leastDigits = 8;
/** Letters of digests in hex, and the fields in which they stand. */
const digests = [
  { field: 'sha256', length: 64, label: 'SHA-256 of the APK' },
  { field: 'sha1', length: 40, label: 'SHA-1 of the APK' },
  { field: 'md5', length: 32, label: 'MD5 of the APK' },
  { field: 'signer', length: 64, label: "digest of the signer's certificate" },
] as const;
/** First labels of packages, which are the last ones of domains. */
const packageRoots = new Set('com org net io de fr uk ru cn jp eu edu gov me app dev info biz'.split(' '));
const isHexadecimal = /^[0-9a-f]+$/i;
const isPartOfAddress = /^\d{1,3}(?:\.\d{1,3}){1,2}\.?$/;
const dottedName = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/i;
const isDescriptor = /^L[\w$/-]+;?(?:->[\w$<>]*)?$/;

function digestsOf(word: string): MeantField[] {
  if (!isHexadecimal.test(word) || (word.length < leastDigits && !(word.length >= 6 && /\d/.test(word)))) return [];
  return digests
    .filter(({ length }) => word.length <= length)
    .map(({ field, length, label }) => {
      const isWhole = word.length === length;
      return { field, value: isWhole ? word : `${word}*`, label: isWhole ? label : `beginning of the ${label}` };
    });
}

function hostsOf(word: string): MeantField[] {
  const host = /^[a-z]+:\/\/([^/:?#]+)/i.exec(word)?.[1] ?? word;
  if (isIP(host) !== 0) return [{ field: 'ip', value: host, label: 'address in code or contacted' }];
  if (isPartOfAddress.test(host)) return [{ field: 'ip', value: `${host}*`, label: 'addresses that begin so' }];
  if (!dottedName.test(host) || /^\d+$/.test(host.split('.').at(-1)!)) return [];
  const domain = { field: 'domain', value: host, label: 'domain and those below it' };
  if (host !== word) return [domain, { field: 'url', value: word, label: 'part of a URL in code' }];
  const named = [
    { field: 'package', value: host, label: 'part of the package name' },
    { field: 'class', value: `${host}.*`, label: 'classes of a package' },
  ];
  return packageRoots.has(host.split('.', 1)[0]!.toLowerCase()) ? [...named, domain] : [domain, ...named];
}

/** The likeliest first; none where it may be any word. @param word without blanks */
export function meantFields(word: string): MeantField[] {
  const lower = word.toLowerCase();
  if (/^T\d{4}(?:\.\d{3})?$/i.test(word)) return [{ field: 'technique', value: word.toUpperCase(), label: 'ATT&CK' }];
  if (Object.hasOwn(findingCatalogue, lower))
    return [{ field: 'finding', value: lower, label: findingText(lower).title }];
  if ((verdicts as readonly string[]).includes(lower)) return [{ field: 'verdict', value: lower, label: 'verdict' }];
  if (isDescriptor.test(word) && /[/;]/.test(word)) {
    return word.includes('->')
      ? [{ field: 'api', value: word, label: 'method that is called' }]
      : [
          { field: 'class', value: word, label: 'class that the app defines' },
          { field: 'api', value: word, label: 'class that is called' },
        ];
  }
  const found = digestsOf(word);
  return found.length > 0 ? found : hostsOf(word);
}
