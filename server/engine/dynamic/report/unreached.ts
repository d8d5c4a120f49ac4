// Methods with sensitive calls that did not run, with the component they belong to. Knows no machine's inside.
import type { DynamicReport } from '../../../contract/engine/reports.ts';
import type { Manifest } from '../../app/manifest/manifest.ts';
import { scanCode } from '../../formats/dex/code-scan.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import type { Coverage } from '../machine/coverage.ts';

type Unreached = DynamicReport['coverage']['unreached'][number];

/** The list is for a reader. */
const maxListed = 300;

/** Calls that matter, by the platform class and the beginning of the method's name. */
const sensitive: readonly (readonly [owner: string, name: RegExp])[] = [
  ['Landroid/telephony/SmsManager;', /^send/],
  ['Landroid/telephony/gsm/SmsManager;', /^send/],
  [
    'Landroid/telephony/TelephonyManager;',
    /^get(?:DeviceId|Imei|Meid|SubscriberId|SimSerialNumber|Line1Number|VoiceMail|CellLocation)/,
  ],
  ['Landroid/location/LocationManager;', /^(?:request|getLastKnown)/],
  ['Landroid/content/ContentResolver;', /^(?:query|insert|delete|update)$/],
  ['Ljava/lang/Runtime;', /^(?:exec|load)/],
  ['Ljava/lang/ProcessBuilder;', /^start$/],
  ['Ldalvik/system/DexClassLoader;', /^<init>$/],
  ['Ldalvik/system/InMemoryDexClassLoader;', /^<init>$/],
  ['Ldalvik/system/PathClassLoader;', /^<init>$/],
  ['Ljava/net/URL;', /^open/],
  ['Ljava/net/Socket;', /^<init>$/],
  ['Landroid/media/MediaRecorder;', /^start$/],
  ['Landroid/media/AudioRecord;', /^startRecording$/],
  ['Landroid/hardware/Camera;', /^(?:open|takePicture)$/],
  ['Landroid/hardware/camera2/CameraManager;', /^openCamera$/],
  ['Landroid/media/projection/MediaProjection;', /^createVirtualDisplay$/],
  ['Landroid/content/pm/PackageInstaller$Session;', /^commit$/],
  ['Landroid/app/admin/DevicePolicyManager;', /^(?:lockNow|wipeData|resetPassword)$/],
  ['Landroid/accounts/AccountManager;', /^get/],
  ['Landroid/content/pm/PackageManager;', /^(?:setComponentEnabledSetting|getInstalled)/],
  ['Ljavax/crypto/Cipher;', /^doFinal$/],
];

/** invoke-virtual to invoke-interface, and their forms with a range. */
const isInvoke = (opcode: number): boolean => (opcode >= 0x6e && opcode <= 0x72) || (opcode >= 0x74 && opcode <= 0x78);

function sensitiveMethods(dex: Dex): Map<number, string> {
  const found = new Map<number, string>();
  for (let index = 0; index < dex.methodCount; index++) {
    const { owner, name } = methodAt(dex, index);
    if (sensitive.some(([each, pattern]) => each === owner && pattern.test(name))) {
      found.set(index, `${owner.slice(1, -1).replaceAll('/', '.')}.${name}`);
    }
  }
  return found;
}

const methodAt = (dex: Dex, index: number): { owner: string; name: string } => ({
  owner: dex.methodClass(index),
  name: dex.methodName(index),
});

/** @param manifest tells which class is a component, and so how its code would be reached */
export function unreachedCode(dexFiles: readonly Dex[], coverage: Coverage, manifest: Manifest | null): Unreached[] {
  const listed: Unreached[] = [];
  const components = new Map((manifest?.components ?? []).map((each) => [each.name, each]));
  const reachedBy = (className: string): string => {
    const component = components.get(className.replace(/\$.*$/, '')) ?? components.get(className);
    if (component === undefined) return 'a call from code that did not run';
    const [action] = component.intentFilters.flatMap(({ actions }) => actions);
    return action === undefined
      ? `the ${component.kind} ${component.name}`
      : `the ${component.kind} ${component.name} on ${action}`;
  };
  for (const dex of dexFiles) {
    const wanted = sensitiveMethods(dex);
    if (wanted.size === 0) continue;
    const marks = new Uint8Array(dex.methodCount);
    for (const index of wanted.keys()) marks[index] = 1;
    const met = new Set<string>();
    scanCode(dex, { methods: marks }, (_class, methodIndex, _codeOffset, _at, opcode, index) => {
      const api = wanted.get(index)!;
      if (listed.length >= maxListed || !isInvoke(opcode) || coverage.isExecuted(dex, methodIndex)) return;
      const key = `${methodIndex} ${api}`;
      if (met.has(key)) return;
      met.add(key);
      const { owner, name } = methodAt(dex, methodIndex);
      const className = owner.slice(1, -1).replaceAll('/', '.');
      listed.push({ method: `${className}.${name}`, api, reached_by: reachedBy(className) });
    });
  }
  return listed;
}
