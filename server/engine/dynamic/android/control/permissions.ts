// Which permissions the app holds, and what the phone's owner says when it asks for more. Knows no activity.
import { platformLevel } from '../../../app/permissions.ts';
import type { Machine } from '../../machine/model.ts';
import { appOf } from '../components/app.ts';

/** Apps for Android 6 and later ask for dangerous permissions while they run; older ones have them since they were installed. */
const asksSince = 23;

const grantedTo = (machine: Machine): Set<string> =>
  machine.state('android.granted-permissions', () => new Set<string>());

const isDeclared = (machine: Machine, permission: string): boolean =>
  appOf(machine).plan.manifest.usesPermissions.some(({ name }) => name === permission);

export function holdsPermission(machine: Machine, permission: string): boolean {
  if (!isDeclared(machine, permission)) return false;
  const { effectiveTargetSdkVersion } = appOf(machine).plan.manifest;
  if (effectiveTargetSdkVersion < asksSince || platformLevel(permission) !== 'dangerous') return true;
  return grantedTo(machine).has(permission);
}

/** The owner grants every permission that the manifest declares. */
export function askForPermission(machine: Machine, permission: string): boolean {
  if (isDeclared(machine, permission)) grantedTo(machine).add(permission);
  return holdsPermission(machine, permission);
}

/** As when the owner turns on every permission in the phone's settings. */
export function grantAllPermissions(machine: Machine): void {
  for (const { name } of appOf(machine).plan.manifest.usesPermissions) grantedTo(machine).add(name);
}
