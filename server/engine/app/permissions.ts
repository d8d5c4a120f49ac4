// What the platform, vendors and the app itself say of a permission. Reads no manifest.
import type { PermissionDetail } from '../../contract/engine/reports.ts';
import type { DefinedPermission } from './manifest/permissions.ts';
import { resourceFile } from './resource-file.ts';

interface PermissionTable {
  platform: Record<string, string>;
  vendor: Record<string, string>;
  descriptions: Record<string, string>;
}

type Level = PermissionDetail['protection_level'];

/** Base level of a platform permission, null where the platform has none of that name. */
export function platformLevel(name: string): Level | null {
  const { platform } = resourceFile<PermissionTable>('permissions.json');
  const entry = Object.hasOwn(platform, name) ? platform[name] : undefined;
  return entry === undefined ? null : (entry.split('|', 1)[0] as Level);
}

/**
 * @param name as requested
 * @param maxSdkVersion up to which platform it is requested, null for all
 * @param own what the app itself defines under this name, null where it does not
 */
export function permissionDetail(
  name: string,
  maxSdkVersion: number | null,
  own: DefinedPermission | null,
): PermissionDetail {
  const { platform, vendor, descriptions } = resourceFile<PermissionTable>('permissions.json');
  const known = Object.hasOwn(platform, name) ? platform[name]! : null;
  const description = Object.hasOwn(descriptions, name)
    ? descriptions[name]!
    : Object.hasOwn(vendor, name)
      ? vendor[name]!
      : null;
  const common = { name, max_sdk_version: maxSdkVersion, description };
  if (known !== null) {
    const [level, ...flags] = known.split('|');
    return { ...common, protection_level: level as Level, flags, defined_by: 'android' };
  }
  if (own !== null) {
    return { ...common, protection_level: own.protectionLevel, flags: own.flags, defined_by: 'app' };
  }
  return { ...common, protection_level: 'unknown', flags: [], defined_by: 'unknown' };
}
