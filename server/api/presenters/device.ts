// Connected devices and what is installed on them, in their current shape.
import type { z } from 'zod';
import type { Device, devicePackageListSchema } from '../../contract/jobs/device.ts';
import type { DevicePackage } from '../../services/analyses/adb/device-packages.ts';
import type { DeviceView } from '../../services/analyses/devices.ts';
import type { Presenting } from './presenting.ts';

export function presentDevice({ baseUrl }: Presenting, device: DeviceView): Device {
  const { serial, state, model, product } = device;
  return {
    serial,
    url: `${baseUrl}/devices/${encodeURIComponent(serial)}/`,
    state,
    is_usable: state === 'device',
    model,
    product,
    is_emulator: serial.startsWith('emulator-'),
    android_version: device.androidVersion,
    sdk_version: device.sdkVersion,
    abi: device.abi,
  };
}

export const presentDevicePackage = ({
  name,
  versionCode,
  path,
}: DevicePackage): z.infer<typeof devicePackageListSchema>['results'][number] => ({
  package_name: name,
  version_code: versionCode,
  path,
});
