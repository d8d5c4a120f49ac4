// Which code uses what a permission guards: calls, addresses of providers, intents. Knows no manifest.
import { readFileSync } from 'node:fs';
import type { CodePlace, PermissionUses } from '../../contract/engine/exploration.ts';
import { superclassChain } from '../code/class-hierarchy.ts';
import { scanCode } from '../formats/dex/code-scan.ts';
import type { Dex } from '../formats/dex/dex.ts';
import type { ClassTree } from './class-tree.ts';
import { placeOf } from './code-references.ts';
import type { OpenedApp } from './opened-app.ts';

/** By class descriptor, names separated by blanks. */
type Members = Record<string, string>;
type Interfaces = Record<string, { methods?: Members; fields?: Members; strings?: string[] }>;

/** Places that are shown of each permission. */
const maxUses = 200;

interface Table {
  /** Permissions by `Lclass;->name`. */
  readonly methods: ReadonlyMap<string, readonly string[]>;
  readonly fields: ReadonlyMap<string, readonly string[]>;
  readonly strings: ReadonlyMap<string, readonly string[]>;
  readonly methodNames: ReadonlySet<string>;
}

let table: Table | undefined;

/** The table of `resources/permission-interfaces.json`, turned round. */
function permissionTable(): Table {
  if (table !== undefined) return table;
  const path = new URL('../../../resources/permission-interfaces.json', import.meta.url);
  const interfaces = JSON.parse(readFileSync(path, 'utf8')) as Interfaces;
  const methods = new Map<string, string[]>();
  const fields = new Map<string, string[]>();
  const strings = new Map<string, string[]>();
  const methodNames = new Set<string>();
  const add = (to: Map<string, string[]>, key: string, permission: string) => {
    const list = to.get(key);
    if (list === undefined) to.set(key, [permission]);
    else list.push(permission);
  };
  for (const [permission, guarded] of Object.entries(interfaces)) {
    for (const [owner, names] of Object.entries(guarded.methods ?? {})) {
      for (const name of names.split(' ')) {
        add(methods, `${owner}->${name}`, permission);
        methodNames.add(name);
      }
    }
    for (const [owner, names] of Object.entries(guarded.fields ?? {})) {
      for (const name of names.split(' ')) add(fields, `${owner}->${name}`, permission);
    }
    for (const text of guarded.strings ?? []) add(strings, text, permission);
  }
  table = { methods, fields, strings, methodNames };
  return table;
}

const known = new WeakMap<OpenedApp, PermissionUses>();

/** Uses of every permission that the table knows, most used first. */
export function permissionUsesOf(app: OpenedApp): PermissionUses {
  const made = known.get(app);
  if (made !== undefined) return made;
  const found = new Map<string, { count: number; uses: CodePlace[] }>();
  for (const dex of app.dexes) collect(app, dex, found);
  const permissions = [...found].map(([name, { count, uses }]) => ({ name, count, uses }));
  permissions.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
  const uses = { permissions };
  known.set(app, uses);
  return uses;
}

function collect(app: OpenedApp, dex: Dex, found: Map<string, { count: number; uses: CodePlace[] }>): void {
  const { methods, fields, strings, methodNames } = permissionTable();
  const marked = {
    string: new Map<number, readonly string[]>(),
    field: new Map<number, readonly string[]>(),
    method: new Map<number, readonly string[]>(),
    type: new Map<number, readonly string[]>(),
  };
  for (let index = 0; index < dex.methodCount; index++) {
    const name = dex.methodName(index);
    if (!methodNames.has(name)) continue;
    const permissions = lookUp(app.tree, dex.methodClass(index), name, methods);
    if (permissions !== undefined) marked.method.set(index, permissions);
  }
  for (let index = 0; index < dex.fieldCount; index++) {
    const permissions = fields.get(`${dex.fieldClass(index)}->${dex.fieldName(index)}`);
    if (permissions !== undefined) marked.field.set(index, permissions);
  }
  const { strings: used } = app.uses.of(dex);
  for (let index = 0; index < dex.stringCount; index++) {
    const permissions = used[index] === 0 ? undefined : strings.get(dex.string(index));
    if (permissions !== undefined) marked.string.set(index, permissions);
  }
  const marks = (count: number, of: ReadonlyMap<number, unknown>) => {
    const bytes = new Uint8Array(count);
    for (const index of of.keys()) bytes[index] = 1;
    return bytes;
  };
  const interest = {
    methods: marks(dex.methodCount, marked.method),
    fields: marks(dex.fieldCount, marked.field),
    strings: marks(dex.stringCount, marked.string),
  };
  scanCode(dex, interest, (_class, methodIndex, _code, at, opcode, index) => {
    const place = placeOf(app.tree, dex, { methodIndex, at, opcode, index });
    for (const permission of marked[place.kind].get(index) ?? []) {
      const use = found.get(permission) ?? { count: 0, uses: [] };
      use.count++;
      if (use.uses.length < maxUses) use.uses.push(place);
      found.set(permission, use);
    }
  });
}

/** A method called on the app's own class may be one that it inherits from the framework's. */
function lookUp(
  tree: ClassTree,
  owner: string,
  name: string,
  methods: ReadonlyMap<string, readonly string[]>,
): readonly string[] | undefined {
  for (const above of superclassChain(owner, (descriptor) => tree.placesOf(descriptor)[0])) {
    const permissions = methods.get(`${above.name}->${name}`);
    if (permissions !== undefined) return permissions;
  }
  return undefined;
}
