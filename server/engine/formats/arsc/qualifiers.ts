// A resource configuration in the words of resource folders, `de-land-xxhdpi-v21`. Knows no table.
//
// https://developer.android.com/guide/topics/resources/providing-resources#AlternativeResources
import type { ResourceConfig } from './resource-config.ts';

const densityNames: Readonly<Record<number, string>> = {
  120: 'ldpi',
  160: 'mdpi',
  213: 'tvdpi',
  240: 'hdpi',
  320: 'xhdpi',
  480: 'xxhdpi',
  640: 'xxxhdpi',
  65534: 'anydpi',
  65535: 'nodpi',
};
const choices = {
  direction: ['', 'ldltr', 'ldrtl', ''],
  size: ['', 'small', 'normal', 'large', 'xlarge'],
  long: ['', 'notlong', 'long', ''],
  round: ['', 'notround', 'round', ''],
  gamut: ['', 'nowidecg', 'widecg', ''],
  range: ['', 'lowdr', 'highdr', ''],
  orientation: ['', 'port', 'land', 'square'],
  uiType: ['', '', 'desk', 'car', 'television', 'appliance', 'watch', 'vrheadset'],
  night: ['', 'notnight', 'night', ''],
  touch: ['', 'notouch', 'stylus', 'finger'],
  keysHidden: ['', 'keysexposed', 'keyshidden', 'keyssoft'],
  keyboard: ['', 'nokeys', 'qwerty', '12key'],
  navigationHidden: ['', 'navexposed', 'navhidden', ''],
  navigation: ['', 'nonav', 'dpad', 'trackball', 'wheel'],
  gender: ['', 'neuter', 'feminine', 'masculine'],
} as const;

/** Plain for a language with a region, BCP 47 behind `b+` where there is a script or a variant, as aapt writes it. */
function localeOf({ language, script, region, variant }: ResourceConfig): string {
  if (language === '' && region === '') return '';
  if (script !== '' || variant !== '') {
    return `b+${[language, script, region, variant].filter((part) => part !== '').join('+')}`;
  }
  return region === '' ? language : `${language}-r${region}`;
}

/** Qualifiers in the order of Android's table; empty for the default configuration. */
export function qualifiersOf(config: ResourceConfig): string {
  const number = (value: number, before: string, after = '') => (value === 0 ? '' : `${before}${value}${after}`);
  const { density, sdkVersion, minorVersion, screenWidth, screenHeight } = config;
  return [
    number(config.mcc, 'mcc'),
    config.mnc === 0 ? '' : config.mnc === 0xffff ? `mnc00` : `mnc${config.mnc}`,
    localeOf(config),
    choices.gender[config.grammaticalGender] ?? '',
    choices.direction[(config.screenLayout >> 6) & 3],
    number(config.smallestScreenWidthDp, 'sw', 'dp'),
    number(config.screenWidthDp, 'w', 'dp'),
    number(config.screenHeightDp, 'h', 'dp'),
    choices.size[config.screenLayout & 0xf] ?? '',
    choices.long[(config.screenLayout >> 4) & 3],
    choices.round[config.screenLayout2 & 3],
    choices.gamut[config.colorMode & 3],
    choices.range[(config.colorMode >> 2) & 3],
    choices.orientation[config.orientation] ?? '',
    choices.uiType[config.uiMode & 0xf] ?? '',
    choices.night[(config.uiMode >> 4) & 3],
    density === 0 ? '' : (densityNames[density] ?? `${density}dpi`),
    choices.touch[config.touchscreen] ?? '',
    choices.keysHidden[config.inputFlags & 3],
    choices.keyboard[config.keyboard] ?? '',
    choices.navigationHidden[(config.inputFlags >> 2) & 3],
    choices.navigation[config.navigation] ?? '',
    screenWidth === 0 || screenHeight === 0 ? '' : `${screenWidth}x${screenHeight}`,
    sdkVersion === 0 ? '' : `v${sdkVersion}${minorVersion === 0 ? '' : `.${minorVersion}`}`,
  ]
    .filter((part) => part !== '' && part !== undefined)
    .join('-');
}
