// Permissions that a manifest asks for, implies and defines. Knows nothing of the platform's own permissions.
import type { Findings } from '../../findings.ts';
import { isElement, type XmlElement } from '../../formats/axml/document.ts';
import { type AttributeReader, childElements } from './element-attributes.ts';

export interface UsedPermission {
  name: string;
  maxSdkVersion: number | null;
  /** Asked for only from Android 6 on (`uses-permission-sdk-23`, `uses-permission-sdk-m`). */
  isSdk23: boolean;
  required: boolean;
  /** Value of `usesPermissionFlags`, 0 where there is none. */
  flags: number;
}

/** A permission that Android grants because of another one or of an old target SDK. */
export interface ImpliedPermission {
  name: string;
  maxSdkVersion: number | null;
  reason: string;
}

export const protectionLevels = ['normal', 'dangerous', 'signature', 'signatureOrSystem', 'internal'] as const;
export type ProtectionLevel = (typeof protectionLevels)[number];

export interface DefinedPermission {
  name: string;
  protectionLevel: ProtectionLevel;
  /** Names of the flags beside the base level. */
  flags: string[];
  label: string | null;
  description: string | null;
  group: string | null;
}

/** `PermissionInfo.PROTECTION_FLAG_*`. @see https://developer.android.com/reference/android/content/pm/PermissionInfo */
const protectionFlags: readonly (readonly [number, string])[] = [
  [0x10, 'privileged'],
  [0x20, 'development'],
  [0x40, 'appop'],
  [0x80, 'pre23'],
  [0x100, 'installer'],
  [0x200, 'verifier'],
  [0x400, 'preinstalled'],
  [0x800, 'setup'],
  [0x1000, 'instant'],
  [0x2000, 'runtime'],
  [0x4000, 'oem'],
  [0x8000, 'vendorPrivileged'],
  [0x10000, 'textClassifier'],
  [0x20000, 'wellbeing'],
  [0x40000, 'documenter'],
  [0x80000, 'configurator'],
  [0x100000, 'incidentReportApprover'],
  [0x200000, 'appPredictor'],
  [0x400000, 'module'],
  [0x800000, 'companion'],
  [0x1000000, 'retailDemo'],
  [0x2000000, 'recents'],
  [0x4000000, 'role'],
  [0x8000000, 'knownSigner'],
];

/** Splits a `protectionLevel` number into its base level and the names of its flags. */
function protectionOf(level: number): { base: ProtectionLevel; flags: string[] } {
  const flags = protectionFlags.filter(([bit]) => (level & bit) !== 0).map(([, name]) => name);
  // The low four bits are an enum; Android treats values that it does not know as signature.
  return { base: protectionLevels[level & 0xf] ?? 'signature', flags };
}

const tags: ReadonlySet<string> = new Set(['uses-permission', 'uses-permission-sdk-23', 'uses-permission-sdk-m']);

/** Permissions asked for, each once and in order; Android looks at the root's own children alone. */
export function readUsedPermissions(root: XmlElement, read: AttributeReader, findings: Findings): UsedPermission[] {
  const found = new Map<string, UsedPermission>();
  for (const node of root.children) {
    if (!isElement(node) || !tags.has(node.name)) continue;
    const name = readRequestedName(node, read, findings);
    if (name === null) continue;
    const isSdk23 = node.name !== 'uses-permission';
    const known = found.get(name);
    if (known !== undefined) {
      known.isSdk23 &&= isSdk23;
      continue;
    }
    found.set(name, {
      name,
      maxSdkVersion: read.integer(node, 'maxSdkVersion'),
      isSdk23,
      required: read.boolean(node, 'required') ?? true,
      flags: read.integer(node, 'usesPermissionFlags') ?? 0,
    });
  }
  return [...found.values()];
}

/** The name of what an element asks for; null where Android takes none. A reference in its place is a finding. */
export function readRequestedName(element: XmlElement, read: AttributeReader, findings: Findings): string | null {
  const name = read.literal(element, 'name');
  if (name !== null && name !== '') return name;
  const shown = read.text(element, 'name');
  if (name === null && shown !== null) {
    const reference = read.referenceText(element, 'name');
    const evidence = `${reference} (${shown}): Android takes text of the manifest alone`;
    findings.add('manifest-reference-name', `AndroidManifest.xml:${element.name}`, evidence);
  }
  return null;
}

const android = (name: string) => `android.permission.${name}`;

/** Permissions that Android adds, by the rules that `aapt dump badging` prints them by. */
export function impliedPermissions(used: readonly UsedPermission[], targetSdkVersion: number): ImpliedPermission[] {
  const implied: ImpliedPermission[] = [];
  const find = (name: string) => used.find((permission) => permission.name === android(name));
  const add = (name: string, reason: string, maxSdkVersion: number | null = null) => {
    if (find(name) === undefined) implied.push({ name: android(name), maxSdkVersion, reason });
  };
  if (targetSdkVersion < 4) {
    add('WRITE_EXTERNAL_STORAGE', 'targetSdkVersion < 4');
    add('READ_PHONE_STATE', 'targetSdkVersion < 4');
  }
  const write = find('WRITE_EXTERNAL_STORAGE');
  if (write !== undefined || targetSdkVersion < 4) {
    add('READ_EXTERNAL_STORAGE', 'requested WRITE_EXTERNAL_STORAGE', write?.maxSdkVersion ?? null);
  }
  if (targetSdkVersion < 16) {
    if (find('READ_CONTACTS')) add('READ_CALL_LOG', 'targetSdkVersion < 16 and requested READ_CONTACTS');
    if (find('WRITE_CONTACTS')) add('WRITE_CALL_LOG', 'targetSdkVersion < 16 and requested WRITE_CONTACTS');
  }
  return implied;
}

/** Permissions that the app defines itself. */
export function readDefinedPermissions(root: XmlElement, read: AttributeReader): DefinedPermission[] {
  const found: DefinedPermission[] = [];
  for (const element of childElements(root, 'permission')) {
    const name = read.text(element, 'name');
    if (name === null || name === '') continue;
    const { base, flags } = protectionOf(read.integer(element, 'protectionLevel') ?? 0);
    found.push({
      name,
      protectionLevel: base,
      flags,
      label: read.text(element, 'label'),
      description: read.text(element, 'description'),
      group: read.text(element, 'permissionGroup'),
    });
  }
  return found;
}
