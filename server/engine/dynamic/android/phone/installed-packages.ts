// Which apps are on the phone, the app itself among them: who signed each, and which takes an intent. Knows no models.
import type { Machine } from '../../machine/model.ts';
import { googleCertificate } from '../../world/google-certificate.ts';
import { installedApps } from '../../world/people.ts';
import { worldOf } from '../../world/world.ts';
import { appOf } from '../components/app.ts';
import type { IntentShape } from '../components/intent-resolution.ts';

/** What is thrown for a package or a component that is not there. */
export const notFound = (machine: Machine, name: string) =>
  machine.exception('Landroid/content/pm/PackageManager$NameNotFoundException;', name);

/** An app as others know it. */
export interface InstalledPackage {
  readonly packageName: string;
  readonly label: string;
  readonly version: string;
  readonly versionCode: number;
  readonly isSystem: boolean;
  readonly isOwn: boolean;
}

/** @throws JavaThrow NameNotFoundException */
export function installedPackage(machine: Machine, name: string): InstalledPackage {
  const { manifest } = appOf(machine).plan;
  if (name === manifest.packageName) {
    return {
      packageName: name,
      label: manifest.appName,
      version: manifest.versionName,
      versionCode: Number(manifest.versionCode) || 1,
      isSystem: false,
      isOwn: true,
    };
  }
  const found = worldOf(machine).installed.find((each) => each.packageName === name);
  if (found === undefined) throw notFound(machine, name);
  const [major = 0, minor = 0, patch = 0] = found.version.split(/\D+/).map(Number);
  return { ...found, versionCode: major * 1_000_000 + minor * 10_000 + patch * 100, isOwn: false };
}

/** Who signed it; no two makers are the same. */
export function signerOf(machine: Machine, app: InstalledPackage): Uint8Array {
  if (app.isOwn) return appOf(machine).plan.certificate ?? new Uint8Array(0);
  return googleApps.has(app.packageName) ? googleCertificate : Buffer.from(app.packageName);
}

const googleApps: ReadonlySet<string> = new Set(['com.android.vending', 'com.google.android.gms']);

/** Which of the other apps take an intent to start something on the screen. */
export function takersOf({ action, categories, data, packageName }: IntentShape): string[] {
  const names = installedApps.map((each) => each.packageName).filter((name) => !withoutScreen.test(name));
  const isWanted = (name: string): boolean => packageName === null || packageName === name;
  const scheme = /^[a-z]+(?=:)/i.exec(data ?? '')?.[0].toLowerCase() ?? '';
  if (action === 'android.intent.action.MAIN') {
    if (categories.includes('android.intent.category.LAUNCHER')) return names.filter(isWanted);
    const isHome = categories.includes('android.intent.category.HOME');
    return ['com.sec.android.app.launcher'].filter((name) => isHome && isWanted(name));
  }
  return (takers[`${action?.replace('android.intent.action.', '')} ${scheme}`] ?? []).filter(isWanted);
}

const withoutScreen =
  /^android$|\.(?:launcher|systemui|bluetooth|nfc|gsf|webview|packageinstaller|inputmethod)$|\.providers\./;

/** Who takes what, by action and scheme. */
const takers: Readonly<Record<string, readonly string[]>> = {
  'VIEW http': ['com.android.chrome'],
  'VIEW https': ['com.android.chrome'],
  'VIEW market': ['com.android.vending'],
  'DIAL tel': ['com.android.phone'],
  'CALL tel': ['com.android.phone'],
  'SENDTO sms': ['com.samsung.android.messaging'],
  'SENDTO smsto': ['com.samsung.android.messaging'],
  'SEND ': ['com.samsung.android.messaging', 'com.whatsapp', 'com.facebook.katana'],
};
