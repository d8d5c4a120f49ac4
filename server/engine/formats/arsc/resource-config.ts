// The configuration a resource value is meant for (ResTable_config): fields, qualifiers, and which of two fits better.
// Knows no table.

/** Fields as they stand in the file; 0 and '' mean "any". */
export interface ResourceConfig {
  mcc: number;
  mnc: number;
  /** ISO 639 in lower case, `''` for the default locale. */
  language: string;
  /** ISO 3166 in upper case or a UN M.49 number. */
  region: string;
  script: string;
  variant: string;
  orientation: number;
  touchscreen: number;
  /** Dots per inch; 0xfffe is `anydpi`, 0xffff `nodpi`. */
  density: number;
  keyboard: number;
  navigation: number;
  inputFlags: number;
  grammaticalGender: number;
  screenWidth: number;
  screenHeight: number;
  sdkVersion: number;
  minorVersion: number;
  screenLayout: number;
  uiMode: number;
  smallestScreenWidthDp: number;
  screenWidthDp: number;
  screenHeightDp: number;
  screenLayout2: number;
  colorMode: number;
}

export const densities = { any: 0xfffe, none: 0xffff, medium: 160, xxxhigh: 640 } as const;

export const defaultConfig: Readonly<ResourceConfig> = Object.freeze({
  mcc: 0,
  mnc: 0,
  language: '',
  region: '',
  script: '',
  variant: '',
  orientation: 0,
  touchscreen: 0,
  density: 0,
  keyboard: 0,
  navigation: 0,
  inputFlags: 0,
  grammaticalGender: 0,
  screenWidth: 0,
  screenHeight: 0,
  sdkVersion: 0,
  minorVersion: 0,
  screenLayout: 0,
  uiMode: 0,
  smallestScreenWidthDp: 0,
  screenWidthDp: 0,
  screenHeightDp: 0,
  screenLayout2: 0,
  colorMode: 0,
});

/**
 * The device that values are chosen for where nobody asks otherwise: a phone of medium density in the default locale
 * under the newest platform, as `aapt dump badging` assumes it.
 */
export const phoneConfig: Readonly<ResourceConfig> = Object.freeze({
  ...defaultConfig,
  orientation: 1,
  density: densities.medium,
  sdkVersion: 10000,
  screenWidthDp: 320,
  screenHeightDp: 480,
  smallestScreenWidthDp: 320,
  screenLayout: 2,
});

/** Two bytes of packed language or region: two letters, or three of five bits each when the top bit is set. */
function unpack(first: number, second: number, base: number): string {
  if ((first & 0x80) !== 0) {
    return String.fromCharCode(
      base + (second & 0x1f),
      base + (((second & 0xe0) >> 5) | ((first & 0x03) << 3)),
      base + ((first & 0x7c) >> 2),
    );
  }
  return first === 0 ? '' : String.fromCharCode(first, second);
}

/**
 * Reads a configuration of any size; fields past its declared size are 0.
 * @param start offset of the configuration, whose first 4 bytes are its own size
 * @param end offset past which nothing is read
 * @see https://android.googlesource.com/platform/frameworks/base/+/refs/heads/main/libs/androidfw/include/androidfw/ResourceTypes.h
 */
export function readConfig(view: DataView, start: number, end: number): ResourceConfig {
  const limit = start + 4 <= end ? Math.min(end, start + view.getUint32(start, true)) : start;
  const u8 = (at: number) => (start + at < limit ? view.getUint8(start + at) : 0);
  const u16 = (at: number) => (start + at + 2 <= limit ? view.getUint16(start + at, true) : 0);
  const ascii = (at: number, length: number) => {
    let text = '';
    for (let index = 0; index < length && u8(at + index) !== 0; index++) text += String.fromCharCode(u8(at + index));
    return text;
  };
  // The script is computed from the language where the flag says so, and was then not written by the author.
  const isScriptComputed = u8(52) !== 0;
  return {
    mcc: u16(4),
    mnc: u16(6),
    language: unpack(u8(8), u8(9), 0x61),
    region: unpack(u8(10), u8(11), 0x30),
    orientation: u8(12),
    touchscreen: u8(13),
    density: u16(14),
    keyboard: u8(16),
    navigation: u8(17),
    inputFlags: u8(18),
    grammaticalGender: u8(19) & 3,
    screenWidth: u16(20),
    screenHeight: u16(22),
    sdkVersion: u16(24),
    minorVersion: u16(26),
    screenLayout: u8(28),
    uiMode: u8(29),
    smallestScreenWidthDp: u16(30),
    screenWidthDp: u16(32),
    screenHeightDp: u16(34),
    script: isScriptComputed ? '' : ascii(36, 4),
    variant: ascii(40, 8),
    screenLayout2: u8(48),
    colorMode: u8(49),
  };
}

/** `de`, `pt-BR`, `sr-Latn`, `ca-ES-valencia`; `''` for the default locale. */
export function localeName(config: ResourceConfig): string {
  return [config.language, config.script, config.region, config.variant].filter((part) => part !== '').join('-');
}

const layoutSize = (config: ResourceConfig) => config.screenLayout & 0x0f;
const layoutLong = (config: ResourceConfig) => config.screenLayout & 0x30;
const layoutDirection = (config: ResourceConfig) => config.screenLayout & 0xc0;
const uiType = (config: ResourceConfig) => config.uiMode & 0x0f;
const uiNight = (config: ResourceConfig) => config.uiMode & 0x30;
const keysHidden = (config: ResourceConfig) => config.inputFlags & 0x03;
const navigationHidden = (config: ResourceConfig) => config.inputFlags & 0x0c;

/** Whether a value for `config` may be used on a device that is `wanted`, as `ResTable_config::match` has it. */
export function matchesConfig(config: ResourceConfig, wanted: ResourceConfig): boolean {
  const fits = (value: number, device: number) => value === 0 || value === device;
  if (!fits(config.mcc, wanted.mcc) || !fits(config.mnc, wanted.mnc)) return false;
  if (config.language !== '' || config.region !== '') {
    if (config.language !== wanted.language) return false;
    if (config.region !== '' && config.region !== wanted.region) return false;
    if (config.script !== '' && wanted.script !== '' && config.script !== wanted.script) return false;
    if (config.region === '' && config.variant !== '' && config.variant !== wanted.variant) return false;
  }
  if (!fits(layoutDirection(config), layoutDirection(wanted))) return false;
  if (layoutSize(config) > layoutSize(wanted)) return false;
  if (!fits(layoutLong(config), layoutLong(wanted))) return false;
  if (!fits(uiType(config), uiType(wanted)) || !fits(uiNight(config), uiNight(wanted))) return false;
  if (config.smallestScreenWidthDp > wanted.smallestScreenWidthDp) return false;
  if (!fits(config.screenLayout2 & 3, wanted.screenLayout2 & 3)) return false;
  if (!fits(config.colorMode & 3, wanted.colorMode & 3)) return false;
  if (!fits(config.colorMode & 12, wanted.colorMode & 12)) return false;
  if (config.screenWidthDp > wanted.screenWidthDp || config.screenHeightDp > wanted.screenHeightDp) return false;
  if (!fits(config.orientation, wanted.orientation)) return false;
  if (!fits(config.touchscreen, wanted.touchscreen)) return false;
  if (!fits(config.grammaticalGender, wanted.grammaticalGender)) return false;
  const hidden = keysHidden(config);
  // A device with a soft keyboard counts as one whose keys are exposed.
  if (hidden !== 0 && hidden !== keysHidden(wanted) && !(hidden === 1 && keysHidden(wanted) === 3)) return false;
  if (!fits(navigationHidden(config), navigationHidden(wanted))) return false;
  if (!fits(config.keyboard, wanted.keyboard) || !fits(config.navigation, wanted.navigation)) return false;
  if (config.screenWidth > wanted.screenWidth || config.screenHeight > wanted.screenHeight) return false;
  return (
    config.sdkVersion <= wanted.sdkVersion && (config.minorVersion === 0 || config.minorVersion === wanted.minorVersion)
  );
}

/** The sign of "a fits better than b" for one field: a set field before an unset one. */
const bySet = (a: number, b: number): number => (a === b ? 0 : a === 0 ? -1 : b === 0 ? 1 : 0);

/**
 * Whether `a` fits a device better than `b`, both matching it already, as `ResTable_config::isBetterThan` has it: fields
 * in order of weight, the first that differs decides.
 */
export function isBetterConfig(a: ResourceConfig, b: ResourceConfig, wanted: ResourceConfig): boolean {
  const first = bySet(a.mcc, b.mcc) || bySet(a.mnc, b.mnc) || compareLocales(a, b, wanted);
  if (first !== 0) return first > 0;
  const layout = bySet(a.grammaticalGender, b.grammaticalGender) || bySet(layoutDirection(a), layoutDirection(b));
  if (layout !== 0) return layout > 0;
  if (a.smallestScreenWidthDp !== b.smallestScreenWidthDp) return a.smallestScreenWidthDp > b.smallestScreenWidthDp;
  const distance = (config: ResourceConfig) =>
    wanted.screenWidthDp - config.screenWidthDp + (wanted.screenHeightDp - config.screenHeightDp);
  if (distance(a) !== distance(b)) return distance(a) < distance(b);
  if (layoutSize(a) !== layoutSize(b)) {
    // Below "small" nothing was declared; "normal" counts as undeclared against "small".
    const size = (config: ResourceConfig) =>
      layoutSize(wanted) >= 2 && layoutSize(config) === 0 ? 2 : layoutSize(config);
    return size(a) === size(b) ? layoutSize(a) !== 0 : size(a) > size(b);
  }
  const screen =
    bySet(layoutLong(a), layoutLong(b)) ||
    bySet(a.screenLayout2 & 3, b.screenLayout2 & 3) ||
    bySet(a.colorMode & 3, b.colorMode & 3) ||
    bySet(a.colorMode & 12, b.colorMode & 12) ||
    bySet(a.orientation, b.orientation) ||
    bySet(uiType(a), uiType(b)) ||
    bySet(uiNight(a), uiNight(b));
  if (screen !== 0) return screen > 0;
  if (a.density !== b.density) return isBetterDensity(a.density, b.density, wanted.density || densities.medium);
  const input =
    bySet(a.touchscreen, b.touchscreen) ||
    compareKeys(a, b, wanted) ||
    bySet(navigationHidden(a), navigationHidden(b)) ||
    bySet(a.keyboard, b.keyboard) ||
    bySet(a.navigation, b.navigation);
  if (input !== 0) return input > 0;
  const area = (config: ResourceConfig) =>
    wanted.screenWidth - config.screenWidth + (wanted.screenHeight - config.screenHeight);
  if (area(a) !== area(b)) return area(a) < area(b);
  if (a.sdkVersion !== b.sdkVersion) return a.sdkVersion > b.sdkVersion;
  return a.minorVersion > b.minorVersion;
}

function compareLocales(a: ResourceConfig, b: ResourceConfig, wanted: ResourceConfig): number {
  if (wanted.language === '' && wanted.region === '') return 0;
  const weight = (config: ResourceConfig) => {
    if (config.language === '' || config.language !== wanted.language) return 0;
    const region = config.region === '' ? 2 : config.region === wanted.region ? 4 : 0;
    return (
      1 +
      region * 4 +
      (config.script !== '' && config.script === wanted.script ? 2 : 0) +
      (config.variant !== '' && config.variant === wanted.variant ? 1 : 0)
    );
  };
  return Math.sign(weight(a) - weight(b));
}

function compareKeys(a: ResourceConfig, b: ResourceConfig, wanted: ResourceConfig): number {
  const [ours, theirs] = [keysHidden(a), keysHidden(b)];
  if (ours === theirs) return 0;
  if (ours === 0 || theirs === 0) return ours === 0 ? -1 : 1;
  return ours === keysHidden(wanted) ? 1 : theirs === keysHidden(wanted) ? -1 : 0;
}

/**
 * Whether density `a` serves a screen of density `wanted` better than `b`: `anydpi` wins; of two larger ones the
 * smaller, of two smaller ones the larger, and shrinking is preferred to enlarging.
 */
function isBetterDensity(a: number, b: number, wanted: number): boolean {
  if (a === densities.any || b === densities.any) return a === densities.any;
  const [ours, theirs] = [a || densities.medium, b || densities.medium];
  const target = wanted === densities.any ? densities.medium : wanted;
  const [high, low, isOursHigh] = ours > theirs ? [ours, theirs, true] : [theirs, ours, false];
  if (target >= high) return isOursHigh;
  if (low >= target) return !isOursHigh;
  return (2 * low - target) * high > target * target ? !isOursHigh : isOursHigh;
}
