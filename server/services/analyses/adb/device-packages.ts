// The packages of a device, by its package manager. All that it prints is hostile: what does not look as it must is left out.
import { AdbError, plainText } from './adb-connection.ts';
import type { AdbDevice } from './adb-server.ts';

export interface DevicePackage {
  name: string;
  /** Decimal; empty where the device does not tell (before Android 8). */
  versionCode: string;
  /** Of its base APK. */
  path: string;
}

/** Packages that are listed of a device, and APKs of one of them: several times what any has. */
const maxPackages = 5_000;
const maxSplits = 500;

/** As the platform lets packages be called; nothing in it means anything to a shell. */
export const isPackageName = (text: string): boolean =>
  text.length <= 223 && /^[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*$/.test(text);

/** An absolute path of an APK. Spaces and `=` stand in real ones. */
const isApkPath = (text: string): boolean => text.length <= 900 && /^\/[^\p{Cc}\uFFFD]+\.apk$/u.test(text);

/** Lines of `pm list packages -f --show-versioncode`: `package:/data/app/…/base.apk=com.example versionCode:3`. */
function listedPackages(text: string): DevicePackage[] {
  const found = new Map<string, DevicePackage>();
  for (const line of text.split(/\r?\n/)) {
    const [, path = '', name = '', versionCode = ''] =
      /^package:(.+)=([^=\s]+)(?: versionCode:(\d{1,19}))?\s*$/.exec(line) ?? [];
    if (!isPackageName(name) || !isApkPath(path)) continue;
    if (found.size >= maxPackages) break;
    found.set(name, { name, versionCode, path });
  }
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * @param withSystem also those that came with the device
 * @throws AdbError
 */
export async function packagesOf(
  device: AdbDevice,
  withSystem: boolean,
  signal: AbortSignal,
): Promise<DevicePackage[]> {
  const which = withSystem ? '' : ' -3';
  const newer = await device.shell(`pm list packages -f --show-versioncode${which}`, { signal, patience: 60_000 });
  if (newer.exitCode === 0) return listedPackages(newer.output);
  const older = await device.shell(`pm list packages -f${which}`, { signal, patience: 60_000 });
  if (older.exitCode === 0) return listedPackages(older.output);
  throw new AdbError('device', `its package manager says: ${plainText(older.output) || `exit ${older.exitCode}`}`);
}

/** Paths of a package's APKs, the base first; none where it is not installed. @throws AdbError */
export async function apkPathsOf(device: AdbDevice, packageName: string, signal: AbortSignal): Promise<string[]> {
  if (!isPackageName(packageName)) return [];
  const { output } = await device.shell(`pm path ${packageName}`, { signal });
  const paths = output.split(/\r?\n/).map((line) => /^package:(.+?)\s*$/.exec(line)?.[1] ?? '');
  return [...new Set(paths)].filter(isApkPath).slice(0, maxSplits);
}
