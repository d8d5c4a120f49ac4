// What an app's manifest says that an analyst should know. Knows no code and no archive.
import type { Severity } from '../../contract/findings/finding.ts';
import type { FindingCode } from '../../contract/findings/finding-catalogue.ts';
import { type Component, isLauncher } from '../app/manifest/components.ts';
import type { Manifest } from '../app/manifest/manifest.ts';
import type { ProtectionLevel } from '../app/manifest/permissions.ts';
import { platformLevel } from '../app/permissions.ts';
import type { Findings } from '../findings.ts';

const where = 'AndroidManifest.xml';
const placeOf = ({ kind, name }: Component): string => `${where}:${kind}:${name}`;
const android = (name: string): string => `android.permission.${name}`;

/** Since Android 9 cleartext traffic is off unless the app allows it. */
const cleartextOffSince = 28;
/** Since Android 12 a backup over adb holds only apps that can be debugged. */
const adbBackupOffSince = 31;
/** Since Android 6 dangerous permissions are asked for while the app runs. */
const runtimePermissionsSince = 23;
/** The highest priority a system app may use; apps take it to see a message before others. */
const systemPriority = 999;
const singleTask = 2;

/** Permissions that are suspicious together, each being ordinary alone. */
const mixes: readonly { code: FindingCode; all: readonly (readonly string[])[] }[] = [
  { code: 'permission-mix-sms-network', all: [['READ_SMS', 'RECEIVE_SMS'], ['INTERNET']] },
  {
    code: 'permission-mix-sms-trojan',
    all: [['RECEIVE_SMS'], ['SEND_SMS'], ['INTERNET'], ['RECEIVE_BOOT_COMPLETED']],
  },
  {
    code: 'permission-mix-contacts-network',
    all: [['READ_CONTACTS', 'READ_CALL_LOG'], ['INTERNET']],
  },
  {
    code: 'permission-mix-spying',
    all: [
      ['RECORD_AUDIO'],
      ['READ_SMS', 'READ_CALL_LOG'],
      ['ACCESS_FINE_LOCATION', 'ACCESS_COARSE_LOCATION'],
      ['READ_CONTACTS'],
      ['INTERNET'],
    ],
  },
  {
    code: 'permission-mix-overlay-usage',
    all: [['SYSTEM_ALERT_WINDOW'], ['PACKAGE_USAGE_STATS', 'GET_TASKS'], ['RECEIVE_BOOT_COMPLETED'], ['INTERNET']],
  },
  {
    code: 'permission-mix-dropper',
    all: [['REQUEST_INSTALL_PACKAGES'], ['INTERNET']],
  },
];

/** Single permissions that only few kinds of apps have a use for. */
const notable: Readonly<Record<string, Severity>> = {
  INSTALL_PACKAGES: 'medium',
  DELETE_PACKAGES: 'medium',
  BROADCAST_SMS: 'medium',
  WRITE_APN_SETTINGS: 'low',
  MOUNT_UNMOUNT_FILESYSTEMS: 'info',
  READ_LOGS: 'low',
  WRITE_SECURE_SETTINGS: 'low',
  INJECT_EVENTS: 'medium',
  READ_FRAME_BUFFER: 'medium',
  MASTER_CLEAR: 'medium',
  PROCESS_OUTGOING_CALLS: 'low',
  MANAGE_EXTERNAL_STORAGE: 'low',
  QUERY_ALL_PACKAGES: 'info',
  SYSTEM_ALERT_WINDOW: 'info',
};

/** Services and receivers that the system binds, by the permission that guards them. */
const privileged: Readonly<Record<string, FindingCode>> = {
  BIND_ACCESSIBILITY_SERVICE: 'manifest-accessibility-service',
  BIND_DEVICE_ADMIN: 'manifest-device-admin',
  BIND_NOTIFICATION_LISTENER_SERVICE: 'manifest-notification-listener',
  BIND_VPN_SERVICE: 'manifest-vpn-service',
  BIND_INPUT_METHOD: 'manifest-input-method',
  BIND_SCREENING_SERVICE: 'manifest-call-screening',
};

/** Reports everything suspicious in the manifest, most general first. */
export function reportManifest(manifest: Manifest, findings: Findings): void {
  reportApplication(manifest, findings);
  reportPermissions(manifest, findings);
  const levels = new Map(manifest.definedPermissions.map(({ name, protectionLevel }) => [name, protectionLevel]));
  for (const component of manifest.components) {
    reportExport(component, manifest, levels, findings);
    reportRole(component, findings);
    reportTask(component, manifest, findings);
    reportFilters(component, findings);
  }
  reportLauncher(manifest, findings);
}

function reportApplication(manifest: Manifest, findings: Findings): void {
  const { application, effectiveTargetSdkVersion: target } = manifest;
  // What a split's manifest leaves out is in its base's.
  const isWhole = manifest.splitName === null;
  const place = `${where}:application`;
  if (application.debuggable) findings.add('manifest-debuggable', place, 'android:debuggable="true"');
  if (application.testOnly) findings.add('manifest-test-only', place, 'android:testOnly="true"');
  if (isWhole && application.allowBackup !== false) reportBackup(manifest, findings);
  if (application.usesCleartextTraffic === true) {
    findings.add('manifest-cleartext', place, 'android:usesCleartextTraffic="true"');
  } else if (
    isWhole &&
    application.usesCleartextTraffic === null &&
    target < cleartextOffSince &&
    !application.networkSecurityConfig
  ) {
    findings.add('manifest-cleartext', place, `allowed by default: target SDK ${target}`, 'info');
  }
  if (application.persistent) findings.add('manifest-persistent', place, 'android:persistent="true"');
  if (manifest.sharedUserId) {
    const isSystem = manifest.sharedUserId.startsWith('android.uid.');
    const evidence = `android:sharedUserId="${manifest.sharedUserId}"`;
    findings.add('manifest-shared-user', where, evidence, isSystem ? 'medium' : undefined);
  }
  if (isWhole && target < runtimePermissionsSince) {
    const evidence = `target SDK ${target}: permissions are granted at installation`;
    findings.add('manifest-old-target', `${where}:uses-sdk`, evidence);
  }
}

/** Backups over adb, which any computer with the unlocked device makes, leave apps for Android 12 and later out. */
function reportBackup({ application, effectiveTargetSdkVersion: target }: Manifest, findings: Findings): void {
  const { allowBackup, fullBackupContent, dataExtractionRules } = application;
  const rules = dataExtractionRules ?? fullBackupContent;
  const isOpen = rules === null && target < adbBackupOffSince;
  const allowed = allowBackup === true ? 'android:allowBackup="true"' : 'allowed by default';
  const evidence = `${allowed}, ${rules === null ? 'without rules on what is left out' : `rules in ${rules}`}`;
  findings.add('manifest-allow-backup', `${where}:application`, evidence, isOpen ? 'low' : undefined);
}

function reportPermissions(manifest: Manifest, findings: Findings): void {
  const used = new Set(manifest.usesPermissions.map(({ name }) => name));
  const place = `${where}:uses-permission`;
  for (const { code, all } of mixes) {
    const held = all.map((choices) => choices.filter((name) => used.has(android(name))));
    if (held.every((names) => names.length > 0)) findings.add(code, place, held.flat().join(', '));
  }
  for (const { name, protectionLevel } of manifest.definedPermissions) {
    if (protectionLevel === 'normal' || protectionLevel === 'dangerous')
      findings.add(
        'manifest-weak-permission',
        `${where}:permission`,
        `${name} is ${protectionLevel}: any app can hold it`,
      );
  }
  for (const [name, severity] of Object.entries(notable)) {
    if (used.has(android(name))) findings.add('permission-notable', place, android(name), severity);
  }
}

/** @param levels of the permissions that the app defines itself, by name */
function reportExport(
  component: Component,
  manifest: Manifest,
  levels: ReadonlyMap<string, ProtectionLevel>,
  findings: Findings,
): void {
  const { kind } = component;
  if (component.isExportedMissing) {
    findings.add('manifest-export-undeclared', placeOf(component), 'has an intent filter and no android:exported');
  }
  if (!component.exported || !component.enabled || isLauncher(component)) return;
  const guards = [component.permission, component.readPermission, component.writePermission].filter(
    (name): name is string => name !== null,
  );
  if (guards.length === 0 && manifest.application.permission === null) {
    const code = `manifest-exported-${kind === 'activity-alias' ? 'activity' : kind}` as const;
    const reason = component.exportedAttribute === null ? 'exported by default' : 'android:exported="true"';
    const authorities = component.authorities.length > 0 ? `, authorities ${component.authorities.join(';')}` : '';
    const guarded = component.guardedPaths.length > 0 ? ` but for ${component.guardedPaths.join(' ')}` : '';
    findings.add(code, placeOf(component), `${reason}, no permission${guarded}${authorities}`);
  }
  for (const guard of guards) {
    const level = levels.get(guard) ?? platformLevel(guard);
    if (level === 'normal' || level === 'dangerous') {
      findings.add('manifest-weak-guard', placeOf(component), `${guard} is ${level}: any app can hold it`);
    } else if (level === null && !isOfPlatform(guard) && manifest.splitName === null) {
      findings.add('manifest-undefined-guard', placeOf(component), `${guard} is defined nowhere in the app`);
    }
  }
  if (kind === 'provider' && component.grantUriPermissions) {
    findings.add('manifest-provider-grants', placeOf(component), 'android:grantUriPermissions="true"');
  }
  if (kind === 'activity' && component.launchMode === singleTask && component.taskAffinity !== '') {
    findings.add('manifest-task-affinity', placeOf(component), 'exported, launchMode="singleTask"');
  }
}

/** Whose permissions other packages of the device define. */
const isOfPlatform = (permission: string): boolean =>
  /^(?:android|com\.(?:android|google|samsung|sec))\./.test(permission);

/** Reports screens that stand in, or go over to, a task of another name than the app's. */
function reportTask(component: Component, { packageName, application }: Manifest, findings: Findings): void {
  const { kind, taskAffinity, allowTaskReparenting } = component;
  if (kind !== 'activity' || !component.enabled) return;
  const own = application.taskAffinity ?? packageName;
  const isForeign =
    taskAffinity !== null && taskAffinity !== '' && taskAffinity !== own && taskAffinity !== packageName;
  if (!isForeign && !allowTaskReparenting) return;
  const affinity = isForeign ? `taskAffinity="${taskAffinity}"` : '';
  const reparenting = allowTaskReparenting ? 'allowTaskReparenting="true"' : '';
  findings.add('manifest-task-affinity', placeOf(component), [affinity, reparenting].filter(Boolean).join(', '));
}

function reportRole(component: Component, findings: Findings): void {
  if (component.permission === null || !component.permission.startsWith('android.permission.')) return;
  const name = component.permission.slice('android.permission.'.length);
  if (!Object.hasOwn(privileged, name)) return;
  findings.add(privileged[name]!, placeOf(component), component.permission);
}

const smsReceived: ReadonlySet<string> = new Set([
  'android.provider.Telephony.SMS_RECEIVED',
  'android.provider.Telephony.SMS_DELIVER',
  'android.provider.Telephony.WAP_PUSH_RECEIVED',
]);
const starts: ReadonlySet<string> = new Set([
  'android.intent.action.BOOT_COMPLETED',
  'android.intent.action.LOCKED_BOOT_COMPLETED',
  'android.intent.action.QUICKBOOT_POWERON',
]);

function reportFilters(component: Component, findings: Findings): void {
  for (const { actions, categories, data, priority, autoVerify } of component.intentFilters) {
    if (component.kind === 'receiver') {
      const sms = actions.filter((action) => smsReceived.has(action));
      if (sms.length > 0) {
        const isFirst = (priority ?? 0) >= systemPriority;
        const evidence = `${sms.join(', ')}${priority === null ? '' : `, priority ${priority}`}`;
        findings.add('manifest-sms-receiver', placeOf(component), evidence, isFirst ? 'high' : undefined);
      } else if ((priority ?? 0) > systemPriority) {
        findings.add('manifest-filter-priority', placeOf(component), `priority ${priority}`);
      }
      const boot = actions.filter((action) => starts.has(action));
      if (boot.length > 0) findings.add('manifest-starts-at-boot', placeOf(component), boot.join(', '));
    }
    if (component.kind === 'activity' && component.exported && (priority ?? 0) > 0) {
      findings.add('manifest-filter-priority', placeOf(component), `priority ${priority}`);
    }
    if (actions.includes('android.provider.Telephony.SECRET_CODE')) {
      const codes = data.flatMap(({ host }) => host ?? []);
      findings.add('manifest-secret-code', placeOf(component), `dialling *#*#${codes.join(' or ')}#*#* starts it`);
    }
    if (!categories.includes('android.intent.category.BROWSABLE')) continue;
    const schemes = [...new Set(data.flatMap(({ scheme }) => scheme ?? []))];
    const hosts = [...new Set(data.flatMap(({ host }) => host ?? []))];
    if (schemes.length === 0) continue;
    const isWeb = schemes.some((scheme) => scheme === 'http' || scheme === 'https');
    const verified = autoVerify ? ', verified' : isWeb ? ', not verified: another app may take the links' : '';
    const evidence = `${schemes.join(' ')}${hosts.length > 0 ? ` on ${hosts.join(' ')}` : ''}${verified}`;
    findings.add('manifest-deep-link', placeOf(component), evidence, isWeb && !autoVerify ? 'low' : undefined);
  }
}

/** Reports an app with code and no launcher icon; test packages, overlays and splits never have one. */
function reportLauncher(manifest: Manifest, findings: Findings): void {
  const isApp = manifest.splitName === null && manifest.overlay === null && manifest.instrumentations.length === 0;
  if (!isApp || !manifest.application.hasCode || manifest.hasLeanbackLauncher || manifest.mainActivity !== '') return;
  const startable = manifest.components.filter(({ kind }) => kind === 'service' || kind === 'receiver');
  if (startable.length === 0) return;
  const evidence = `no launcher activity, ${startable.length} services and receivers`;
  findings.add('manifest-no-launcher', where, evidence);
}
