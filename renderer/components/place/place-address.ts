// Addresses of the views that show a place in an APK, and its name. Knows how places are written, not what stands there.
import { className } from '../text/format.ts';

const query = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString();

/**
 * Class, method or field by its descriptor: `Lcom/a/B;`, `Lcom/a/B;->m(I)V`, `Lcom/a/B;->f:I`, `Lcom/a/B;->m`.
 * @param seek text to stand at within it
 */
export function codeAddress(sha256: string, descriptor: string, seek = ''): string {
  const arrow = descriptor.indexOf(';->');
  const name = arrow < 0 ? descriptor : descriptor.slice(0, arrow + 1);
  const member: Record<string, string> = arrow < 0 ? {} : { member: descriptor.slice(arrow + 3) };
  return `/apks/${sha256}/code?${query({ class: name.replace(/^\[+/, ''), ...member, ...(seek !== '' && { seek }) })}`;
}

/** The address of a class, or of a method behind its class, as Java writes names: `com.a.B`, `com.a.B.m`. */
export function dottedAddress(sha256: string, name: string, isMethod: boolean): string | null {
  if (!/^[^\s.:;/[\]]+(?:\.[^\s.:;/[\]]+)+$/.test(name)) return null;
  const end = isMethod ? name.lastIndexOf('.') : name.length;
  const descriptor = `L${name.slice(0, end).replaceAll('.', '/')};`;
  return codeAddress(sha256, isMethod ? `${descriptor}->${name.slice(end + 1)}` : descriptor);
}

export const fileAddress = (sha256: string, path: string, more: Record<string, string> = {}) =>
  `/apks/${sha256}/files?${query({ path, ...more })}`;

/** Two APKs side by side; of one alone, the choice of another. */
export const compareAddress = (first: string, second?: string) =>
  second === undefined ? `/compare/${first}` : `/compare/${first}/${second}`;

/** Bytes of a file inside an APK, or of the APK itself where the name is empty. */
export function bytesAddress(sha256: string, file: string, offset: number, length: number): string {
  const place: Record<string, string> = file === '' ? { whole: '' } : { path: file };
  return `/apks/${sha256}/files?${query({ ...place, view: 'hex', at: String(offset), length: String(length) })}`;
}

/** The code at bytes of a dex file; null where the file is none. */
export const codeAtAddress = (sha256: string, file: string, offset: number) =>
  /\.dex$/i.test(file) ? `/apks/${sha256}/code?${query({ path: file, bytes: String(offset) })}` : null;

/** Parts of the page by what reports call them. */
const parts: Readonly<Record<string, string>> = {
  bundles: 'bundles',
  code: 'code',
  components: 'components',
  dynamic: 'dynamic',
  files: 'files',
  native_libraries: 'native',
  strings: 'indicators',
};

/**
 * The address that shows a place, null where the text is none: `Lcom/a/B;->m()V`, `AndroidManifest.xml:activity:name`,
 * `@string/name`, `certificate …`, `classes.dex:0x12`, `assets/a.js`, `dynamic:network`, `device:network`, and
 * `apk:…`, another APK by its SHA-256.
 */
export function placeAddress(sha256: string, place: string): string | null {
  const base = `/apks/${sha256}`;
  if (/^L[^;]+;/.test(place)) return codeAddress(sha256, place);
  const other = /^apk:([0-9a-f]{64})$/.exec(place)?.[1];
  if (other !== undefined) return `/apks/${other}`;
  if (place.startsWith('AndroidManifest.xml')) {
    const sought = place.split(':').at(-1) ?? '';
    return `${base}/manifest${sought === '' || sought === place ? '' : `?${query({ find: sought })}`}`;
  }
  const inDex = /^(classes\d*\.dex(?:#\d+)?):(L[^;]+;.*)$/s.exec(place);
  if (inDex !== null) return codeAddress(sha256, inDex[2]!);
  const offset = /^(.+):0x([0-9a-f]{1,12})$/s.exec(place);
  if (offset !== null) {
    return fileAddress(sha256, offset[1]!, { view: 'hex', at: String(Number.parseInt(offset[2]!, 16)) });
  }
  const resource = /^@(\w+)\/(.+)$/s.exec(place);
  if (resource !== null) return `${base}/resources?${query({ type: resource[1]!, find: resource[2]! })}`;
  const run = /^(dynamic|device):(\w+)$/.exec(place);
  if (run !== null) {
    const seen = query({
      ...(run[1] === 'device' && { run: 'device' }),
      ...(run[2] !== 'timeline' && { part: run[2] }),
    });
    return `${base}/dynamic${seen === '' ? '' : `?${seen}`}`;
  }
  if (/^certificate\b|^signature\b|^signing block\b/.test(place)) return `${base}/signature`;
  if (/^[^\s:/][^\s:]*\.[A-Za-z0-9]{1,9}$/.test(place) || /^(?:assets|res|lib|META-INF)\//.test(place)) {
    return fileAddress(sha256, place);
  }
  // `classes.dex:string@5`: a thing in a file that no view shows by itself.
  const inFile = /^([^\s:/][^\s:]*\.[A-Za-z0-9]{1,9}):\S/.exec(place);
  if (inFile !== null) return fileAddress(sha256, inFile[1]!);
  if (place === 'start of file') return bytesAddress(sha256, '', 0, 1);
  const part = Object.hasOwn(parts, place) ? parts[place] : undefined;
  return part === undefined ? null : `${base}/${part}`;
}

const primitives: Record<string, string> = {
  Z: 'boolean',
  B: 'byte',
  S: 'short',
  C: 'char',
  I: 'int',
  J: 'long',
  F: 'float',
  D: 'double',
};

/** A type without its package, `String[]` for `[Ljava/lang/String;`. */
function typeName(descriptor: string): string {
  const element = descriptor.replace(/^\[+/, '');
  const name = className(element);
  const simple = primitives[element] ?? name.slice(name.lastIndexOf('.') + 1);
  return simple + '[]'.repeat(descriptor.length - element.length);
}

/**
 * Classes and methods as Java writes them, `com.a.B.m(int, String)` for `Lcom/a/B;->m(ILjava/lang/String;)V`; another APK by
 * the beginning of its SHA-256; any other place as it is.
 */
export function placeName(place: string): string {
  if (/^apk:[0-9a-f]{64}$/.test(place)) return `${place.slice(0, 16)}…`;
  const [, owner, method, parameters = ''] = /^(L[^;]+;)(?:->([^:(]+)\((.*)\).*)?$/s.exec(place) ?? [];
  if (owner === undefined) return place;
  if (method === undefined) return className(owner);
  // Every character is matched once, also in a malformed descriptor: no backtracking.
  const types = parameters.match(/(?!$)\[*(?:L[^;]*;?|[^[L]?)/g) ?? [];
  return `${className(owner)}.${method}(${types.map(typeName).join(', ')})`;
}

/**
 * The part of an instruction, as androguard prints it, that its smali text holds too: the name it refers to, or the
 * beginning of a constant string. Empty where it has neither.
 */
export function seekOf(instruction: string): string {
  const target = /(?<=^|[\s[])L[^;\s[]+;->[\w$<>-]+/.exec(instruction)?.[0];
  if (target !== undefined) return target;
  const constant = /^const-string\S* v\d+, ['"]([\x20\x21\x23-\x26\x28-\x5b\x5d-\x7e]{1,80})/.exec(instruction)?.[1];
  return constant === undefined ? '' : `"${constant}`;
}
