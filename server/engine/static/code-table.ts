// Joins the functionality table and the code rules into one lookup by class, member and constant. Knows no dex structure.
import type { functionalityNames } from '../../contract/engine/reports.ts';
import { platformLevel } from '../app/permissions.ts';
import { resourceFile } from '../app/resource-file.ts';
import { type CodeRule, codeRules } from './code-rules.ts';
import type { CallRule } from './weaknesses/call-rule.ts';
import { judgedMethods } from './weaknesses/class-rules.ts';
import { communicationRules } from './weaknesses/communication-rules.ts';
import { cryptographyRules } from './weaknesses/cryptography-rules.ts';
import { deputyRules } from './weaknesses/deputy-rules.ts';
import { deviceRules } from './weaknesses/device-rules.ts';
import { secretRules } from './weaknesses/secret-rules.ts';
import { storageRules } from './weaknesses/storage-rules.ts';
import { touchGuards } from './weaknesses/tapjacking.ts';
import { webViewRules } from './weaknesses/web-view-rules.ts';

export type FunctionalityName = (typeof functionalityNames)[number];

/** The functionalities and rules that a match counts for, and the rules that judge the call by its arguments. */
export interface CodeTarget {
  readonly functionalities: FunctionalityName[];
  readonly rules: CodeRule[];
  readonly calls: CallRule[];
  /** Rules that judge other calls of the method which does this. */
  readonly beside: CallRule[];
  /** Permissions that guard it. */
  readonly permissions: string[];
}

interface FunctionalityRow {
  methods?: Record<string, string>;
  fields?: Record<string, string>;
  strings?: string[];
  /** Texts inside string constants. */
  stringParts?: string[];
}

/** What a permission guards. */
interface GuardedRow {
  methods?: Record<string, string>;
  fields?: Record<string, string>;
  strings?: string[];
}

/** Whether Android asks the user for the permission, or grants it to few apps. */
const isNotable = (permission: string): boolean => platformLevel(permission) !== 'normal';

/** Every text of the table has a number from 1 on, so that a dex file's members are matched as pairs of numbers. */
export interface CodeTable {
  readonly literals: ReadonlyMap<string, number>;
  /** Texts by the hash of their bytes, `hashOfEnd`; two that share one stand in one list. */
  readonly literalsByHash: ReadonlyMap<number, readonly string[]>;
  /** Targets by `memberKey`. */
  readonly methods: ReadonlyMap<number, CodeTarget>;
  readonly fields: ReadonlyMap<number, CodeTarget>;
  /** Targets of fields of any class, by the name's number. */
  readonly fieldNames: ReadonlyMap<number, CodeTarget>;
  readonly strings: ReadonlyMap<number, CodeTarget>;
  /** Targets of strings by a text that they contain. */
  readonly stringParts: ReadonlyMap<string, CodeTarget>;
  /** Rules that judge calls of methods which load a string that names a password or key. */
  readonly secretRules: readonly CallRule[];
  /** Numbers of names of methods that rules judge in classes which override them. */
  readonly overridden: ReadonlySet<number>;
  /** Numbers of names of methods that guard a screen's touches. */
  readonly touchGuards: ReadonlySet<number>;
  /** Numbers of method names that are called through subclasses, with the framework class that declares them. */
  readonly inherited: ReadonlyMap<number, string>;
}

/** Class and member as one number; both are literals of the table. */
export const memberKey = (owner: number, name: number): number => owner * 65_536 + name;

/** Names differ at their ends: packages begin alike. */
const hashedLetters = 12;

/** Hash of a text's length and last bytes, `bytes[start, end)`, of 30 bits, which take no memory of their own. */
export function hashOfEnd(bytes: Uint8Array, start: number, end: number): number {
  let hash = end - start;
  for (let at = Math.max(start, end - hashedLetters); at < end; at++)
    hash = (Math.imul(hash, 31) + bytes[at]!) & 0x3fff_ffff;
  return hash;
}

const callRules: readonly CallRule[] = [
  ...cryptographyRules,
  ...storageRules,
  ...secretRules,
  ...communicationRules,
  ...webViewRules,
  ...deputyRules,
  ...deviceRules,
];

/** Methods that apps call on a class of their own or a library's, and where the framework or a library declares them. */
const inheritedMethods: Readonly<Record<string, string>> = {
  registerReceiver: 'Landroid/content/Context;',
  unregisterReceiver: 'Landroid/content/Context;',
  abortBroadcast: 'Landroid/content/BroadcastReceiver;',
  getWritableDatabase: 'Lnet/sqlcipher/database/SQLiteOpenHelper;',
  getReadableDatabase: 'Lnet/sqlcipher/database/SQLiteOpenHelper;',
  performGlobalAction: 'Landroid/accessibilityservice/AccessibilityService;',
  dispatchGesture: 'Landroid/accessibilityservice/AccessibilityService;',
  ...Object.fromEntries(
    ['addJavascriptInterface', 'loadUrl', 'loadData', 'loadDataWithBaseURL', 'evaluateJavascript', 'postUrl'].map(
      (name) => [name, 'Landroid/webkit/WebView;'],
    ),
  ),
  ...Object.fromEntries(
    ['Landroid/app/Activity;', 'Landroid/content/Context;'].flatMap((owner) =>
      callRules.flatMap(({ calls, beside }) =>
        `${calls[owner] ?? ''} ${beside?.methods[owner] ?? ''}`
          .split(' ')
          .filter(Boolean)
          .map((name) => [name, owner]),
      ),
    ),
  ),
};

let table: CodeTable | null = null;

/** The table, built on first use. All of its texts are ASCII. */
export function codeTable(): CodeTable {
  table ??= build();
  return table;
}

function build(): CodeTable {
  const literals = new Map<string, number>();
  const literalsByHash = new Map<number, string[]>();
  const literal = (text: string): number => {
    let id = literals.get(text);
    if (id === undefined) {
      id = literals.size + 1;
      literals.set(text, id);
      const bytes = Buffer.from(text, 'latin1');
      const hash = hashOfEnd(bytes, 0, bytes.length);
      const sharing = literalsByHash.get(hash);
      if (sharing === undefined) literalsByHash.set(hash, [text]);
      else sharing.push(text);
    }
    return id;
  };
  const methods = new Map<number, CodeTarget>();
  const fields = new Map<number, CodeTarget>();
  const fieldNames = new Map<number, CodeTarget>();
  const strings = new Map<number, CodeTarget>();
  const stringParts = new Map<string, CodeTarget>();
  const target = <Key>(map: Map<Key, CodeTarget>, key: Key): CodeTarget => {
    let known = map.get(key);
    if (known === undefined) {
      known = { functionalities: [], rules: [], calls: [], beside: [], permissions: [] };
      map.set(key, known);
    }
    return known;
  };
  const addMembers = (
    map: Map<number, CodeTarget>,
    members: Readonly<Record<string, string>> | undefined,
    add: (target: CodeTarget) => void,
  ): void => {
    for (const [owner, names] of Object.entries(members ?? {})) {
      for (const name of names.split(' ')) add(target(map, memberKey(literal(owner), literal(name))));
    }
  };
  const addRow = (row: FunctionalityRow | CodeRule | GuardedRow, add: (target: CodeTarget) => void): void => {
    addMembers(methods, row.methods, add);
    addMembers(fields, row.fields, add);
    for (const text of row.strings ?? []) add(target(strings, literal(text)));
  };
  const functionalities = resourceFile<Record<FunctionalityName, FunctionalityRow>>('functionalities.json');
  for (const [name, row] of Object.entries(functionalities) as [FunctionalityName, FunctionalityRow][]) {
    addRow(row, (found) => found.functionalities.push(name));
    for (const part of row.stringParts ?? []) target(stringParts, part).functionalities.push(name);
  }
  for (const [name, row] of Object.entries(resourceFile<Record<string, GuardedRow>>('permission-interfaces.json')))
    if (isNotable(name)) addRow(row, (found) => found.permissions.push(name));
  for (const rule of codeRules) addRow(rule, (found) => found.rules.push(rule));
  for (const rule of callRules) {
    addMembers(methods, rule.calls, (found) => found.calls.push(rule));
    addMembers(methods, rule.beside?.methods, (found) => found.beside.push(rule));
    for (const name of rule.beside?.fields?.split(' ') ?? []) target(fieldNames, literal(name)).beside.push(rule);
  }
  const inherited = new Map(Object.entries(inheritedMethods).map(([name, owner]) => [literal(name), owner]));
  for (const owner of inherited.values()) literal(owner);
  const overridden = new Set(Array.from(judgedMethods, literal));
  const guards = new Set(touchGuards.map(literal));
  const besideSecrets = callRules.filter(({ beside }) => beside?.secretText);
  return {
    literals,
    literalsByHash,
    methods,
    fields,
    fieldNames,
    strings,
    stringParts,
    secretRules: besideSecrets,
    overridden,
    touchGuards: guards,
    inherited,
  };
}
