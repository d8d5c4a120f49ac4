// What resources are chosen by: the phone's size, how it is held, its language, network and platform. Knows no resource.
import type { ResourceConfig } from '../../formats/arsc/resource-config.ts';
import type { Machine } from '../machine/model.ts';
import type { Device } from '../world/device.ts';
import { worldOf } from '../world/world.ts';

/** The configuration of the phone as it is held now; the same object until that changes. */
export function configurationOf(machine: Machine): Readonly<ResourceConfig> {
  const { device } = worldOf(machine);
  const known = machine.state('android.configurations', () => new WeakMap<Device, ResourceConfig>());
  let config = known.get(device);
  if (config === undefined) {
    config = configurationFor(device);
    known.set(device, config);
  }
  return config;
}

function configurationFor({ screen, locale, networkOperator, sdk }: Device): ResourceConfig {
  const screenWidthDp = Math.round(screen.width / screen.density);
  const screenHeightDp = Math.round(screen.height / screen.density);
  const [short, long] = [Math.min(screenWidthDp, screenHeightDp), Math.max(screenWidthDp, screenHeightDp)];
  const size = long >= 960 && short >= 720 ? 4 : long >= 640 && short >= 480 ? 3 : long >= 470 && short >= 320 ? 2 : 1;
  const isLong = (long * 3) / 5 >= short - 1;
  return {
    mcc: Number(networkOperator.slice(0, 3)),
    mnc: Number(networkOperator.slice(3)),
    language: locale.language,
    region: locale.country,
    script: '',
    variant: '',
    orientation: screen.width > screen.height ? 2 : 1,
    touchscreen: 3,
    density: screen.density * 160,
    keyboard: 1,
    navigation: 1,
    // Keys on the screen only, and none to move about with.
    inputFlags: 0x3 | 0x8,
    grammaticalGender: 0,
    screenWidth: screen.width,
    screenHeight: screen.height,
    sdkVersion: sdk,
    minorVersion: 0,
    screenLayout: size | (isLong ? 0x20 : 0x10) | 0x40,
    uiMode: 0x11,
    smallestScreenWidthDp: short,
    screenWidthDp,
    screenHeightDp,
    screenLayout2: 1,
    colorMode: 0x5,
  };
}
