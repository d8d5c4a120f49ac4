// JavaScript that an app bundles: bytecode of Hermes, bundles of React Native, pages of Cordova and Capacitor.
import { tokenizer } from 'acorn';
import { readHermes } from '../../formats/hermes/hermes-file.ts';
import { ramBundleMagic, readRamBundle, type ScriptPiece } from '../../formats/metro/ram-bundle.ts';
import { type Bundle, type BundleStrings, bufferOf, bundle, read } from './bundle.ts';

/** A longer source is no bundle that was made for a phone. */
const maxSource = 64 * 1024 * 1024;
const maxStringLength = 8192;
/** Bytes from the start on in which Metro's own variables stand. */
const preludeLength = 4096;
const maxVersionsTried = 50;

/** Releases of React Native by the bytecode that their compilers make, as far as they were tried. */
const releases: Readonly<Record<number, string>> = {
  62: '0.61',
  74: '0.62',
  76: '0.64',
  84: '0.68',
  89: '0.70',
  90: '0.71',
  94: '0.72',
  96: '0.73 and later',
};

export function hermesBundle(bytes: Uint8Array): Bundle {
  const faults: string[] = [];
  const file = read(faults, () => readHermes(bytes));
  if (file === null) return bundle('hermes', { faults });
  const segment = file.segment > 0 ? `${file.segment}` : '';
  return bundle('hermes', {
    version: `${file.version}`,
    functions: file.functionCount,
    modules: file.commonJsModules > 0 ? file.commonJsModules : null,
    strings: file.stringCount,
    details: [
      { name: 'React Native that compiles so', value: releases[file.version] ?? '' },
      { name: 'SHA-1 of the source', value: /^0+$/.test(file.sourceHash) ? '' : file.sourceHash },
      { name: 'Source files', value: file.sources.join(', ') },
      { name: 'Identifiers', value: `${file.identifierCount}` },
      { name: 'Segment', value: segment },
      { name: 'Form', value: file.isDelta ? 'for differences, does not run' : '' },
    ],
    faults: file.faults,
    holds: 'constants',
    readTexts: () => file.strings(),
  });
}

/** Whether a text begins as a bundle of Metro: with its variables, and modules behind them. */
export function isMetroScript(bytes: Uint8Array): boolean {
  const prelude = bufferOf(bytes).subarray(0, preludeLength).toString('latin1');
  return /\b__(?:BUNDLE_START_TIME|METRO_GLOBAL_PREFIX)__\b/.test(prelude) && bufferOf(bytes).includes('__d(');
}

export const metroBundle = (bytes: Uint8Array): Bundle =>
  bundle('react-native', {
    version: reactNativeVersion(bufferOf(bytes)),
    modules: moduleCount(bufferOf(bytes)),
    readTexts: () => literalsIn(bytes, [{ start: 0, end: bytes.length }]),
  });

/** How often a module is defined. */
function moduleCount(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf('__d('); at >= 0; at = bytes.indexOf('__d(', at + 4)) {
    const before = bytes[at - 1] ?? 10;
    // `;`, `}` and ends of line; the definition itself stands behind a letter or a blank.
    if (before === 0x3b || before === 0x7d || before === 0x0a || before === 0x0d) count += 1;
  }
  return count;
}

/** What React Native says of itself: `{major:0,minor:72,patch:6,prerelease:null}`. */
function reactNativeVersion(bytes: Buffer): string {
  let tried = 0;
  for (let at = bytes.indexOf('prerelease'); at >= 0 && tried < maxVersionsTried; tried++) {
    const around = bytes.toString('latin1', Math.max(0, at - 200), at + 60);
    const match =
      /major\s*[:=]\s*(\d{1,4})\W[^;{}]{0,30}?minor\s*[:=]\s*(\d{1,4})\W[^;{}]{0,30}?patch\s*[:=]\s*(\d{1,4})\W[^;{}]{0,30}?prerelease\s*[:=]\s*(?:null|void 0|["']([\w.-]{1,40})["'])/.exec(
        around,
      );
    if (match !== null) {
      const [, major, minor, patch, prerelease] = match;
      return `${major}.${minor}.${patch}${prerelease === undefined ? '' : `-${prerelease}`}`;
    }
    at = bytes.indexOf('prerelease', at + 10);
  }
  return '';
}

export function ramBundle(bytes: Uint8Array): Bundle {
  const { modules, pieces, faults } = readRamBundle(bytes);
  return bundle('react-native-ram', {
    version: reactNativeVersion(bufferOf(bytes)),
    modules,
    faults,
    readTexts: () => literalsIn(bytes, pieces),
  });
}

/** `js-modules/UNBUNDLE` holds the magic number alone; each module is a file beside it. */
export const isUnbundleMark = (name: string, bytes: Uint8Array): boolean =>
  bytes.length === 4 && /(?:^|\/)js-modules\/UNBUNDLE$/.test(name) && bufferOf(bytes).readUInt32LE() === ramBundleMagic;

export const unbundleFolder = (name: string, names: readonly string[]): Bundle => {
  const folder = name.slice(0, name.lastIndexOf('/') + 1);
  const modules = names.filter((one) => one.startsWith(folder) && /^\d+\.js$/.test(one.slice(folder.length)));
  return bundle('react-native-ram', {
    modules: modules.length,
    details: [{ name: 'Form', value: 'a file for each module' }],
  });
};

/** What the source writes as strings and in templates. Where it cannot be read on, the rest of that piece is left out. */
function* literalsIn(bytes: Uint8Array, pieces: readonly ScriptPiece[]): BundleStrings {
  let isWhole = true;
  let left = maxSource;
  for (const { start, end } of pieces) {
    left -= end - start;
    if (left < 0) return false;
    const source = bufferOf(bytes).toString('utf8', start, end);
    const isAscii = source.length === end - start;
    let [char, offset] = [0, start];
    const tokens = tokenizer(source, { ecmaVersion: 'latest', allowHashBang: true });
    try {
      for (let token = tokens.getToken(); token.type.label !== 'eof'; token = tokens.getToken()) {
        const { type, value } = token as typeof token & { value: unknown };
        if ((type.label !== 'string' && type.label !== 'template') || typeof value !== 'string' || value === '')
          continue;
        offset = isAscii ? start + token.start : offset + Buffer.byteLength(source.slice(char, token.start));
        char = token.start;
        if (value.length > maxStringLength) isWhole = false;
        yield { offset, text: value.slice(0, maxStringLength) };
      }
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      isWhole = false;
    }
  }
  return isWhole;
}

/** How Cordova calls its own script. */
export const cordovaScript = /(?:^|\/)cordova(?:\.min|-\d[\d.]*)?\.js$/;

export const isCordova = (bytes: Uint8Array): boolean => bufferOf(bytes).includes('cordova');

/** `PLATFORM_VERSION_BUILD_LABEL = '10.1.2'`, or the comment `// 3.6.4` of older files, near the beginning. */
export function cordovaVersion(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 4096)).toString('latin1');
  const match =
    /PLATFORM_VERSION_BUILD_LABEL\s*=\s*['"]([^'"]{1,40})['"]/.exec(head) ??
    /CORDOVA_JS_BUILD_LABEL\s*=\s*['"]([^'"]{1,40})['"]/.exec(head) ??
    /^\s*\/\/\s*(?:Platform: android\s*\n\s*\/\/\s*)?v?(\d[\w.-]{0,39})\s*$/m.exec(head);
  return match?.[1] ?? '';
}

const filesBeside = (name: string, names: readonly string[]): number => {
  const folder = name.slice(0, name.lastIndexOf('/') + 1);
  return names.filter((one) => one.startsWith(folder)).length;
};

export const cordovaBundle = (name: string, bytes: Uint8Array, names: readonly string[]): Bundle =>
  bundle('cordova', {
    version: cordovaVersion(bytes),
    modules: filesBeside(name, names),
    readTexts: () => literalsIn(bytes, [{ start: 0, end: bytes.length }]),
  });

/** Capacitor's settings: which app, and whether its pages come from a server. */
export function capacitorBundle(bytes: Uint8Array, names: readonly string[]): Bundle | null {
  let settings: unknown;
  try {
    settings = JSON.parse(Buffer.from(bytes).toString());
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
  const { appId, webDir, server } = (settings ?? {}) as {
    appId?: unknown;
    webDir?: unknown;
    server?: { url?: unknown };
  };
  if (typeof appId !== 'string' || typeof webDir !== 'string') return null;
  return bundle('capacitor', {
    modules: filesBeside('assets/public/', names),
    details: [
      { name: 'App', value: appId },
      { name: 'Pages come from', value: typeof server?.url === 'string' ? server.url : '' },
    ],
  });
}
