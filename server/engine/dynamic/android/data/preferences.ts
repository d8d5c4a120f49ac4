// Model of SharedPreferences: values by key with their taint, written as the XML file that Android writes.

import type { HeapObject, Taint, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { virtualFiles } from '../../machine/virtual-files.ts';
import { recorderOf } from '../../report/recorder.ts';
import { callApp, post } from '../components/activity-life.ts';
import { appOf } from '../components/app.ts';
import { type BundleState, boxed } from '../components/bundle.ts';
import { elementsOf, giveBack, type Kept, keep, keptTaint, mapOf, plain, type Reference } from '../model-parts.ts';

interface PreferencesState {
  readonly name: string;
  /** Opened so that other apps may read or write it. */
  isShared: boolean;
  readonly values: BundleState;
  readonly listeners: HeapObject[];
}

interface EditorState {
  readonly preferences: HeapObject;
  readonly changes: Map<string, Kept | null>;
  isCleared: boolean;
}

const stateOf = (preferences: HeapObject): PreferencesState => preferences.native as PreferencesState;

/** MODE_WORLD_READABLE and MODE_WORLD_WRITEABLE. */
const sharingModes = 0x3;

/** The preferences of a name; the same object each time. @param mode as `Context.getSharedPreferences` takes it */
export function preferencesOf(machine: Machine, name: string, mode = 0): HeapObject {
  const all = machine.state('android.preferences', () => new Map<string, HeapObject>());
  let preferences = all.get(name);
  if (preferences === undefined) {
    preferences = machine.allocate('Landroid/app/SharedPreferencesImpl;');
    preferences.native = { name, isShared: false, values: new Map(), listeners: [] } satisfies PreferencesState;
    all.set(name, preferences);
  }
  if ((mode & sharingModes) !== 0) stateOf(preferences).isShared = true;
  return preferences;
}

const escaped = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const tags: Readonly<Record<string, string>> = { Z: 'boolean', I: 'int', J: 'long', F: 'float' };

function entryXml(machine: Machine, name: string, kept: Kept): string {
  const tag = tags[kept.kind];
  if (tag !== undefined) {
    const value = kept.kind === 'Z' ? (kept.value === 0 ? 'false' : 'true') : String(kept.value);
    return `    <${tag} name="${escaped(name)}" value="${value}" />\n`;
  }
  const value = kept.value as Reference;
  if (value !== null && machine.isInstance(value, 'Ljava/util/Set;')) {
    const members = elementsOf(machine, value).map(
      (member) => `        <string>${escaped(plain(machine, member))}</string>\n`,
    );
    return `    <set name="${escaped(name)}">\n${members.join('')}    </set>\n`;
  }
  return `    <string name="${escaped(name)}">${escaped(plain(machine, value))}</string>\n`;
}

function writeFile(machine: Machine, { name, isShared, values }: PreferencesState): void {
  const files = virtualFiles(machine);
  const folder = `${appOf(machine).dataFolder}/shared_prefs`;
  files.addDirectory(folder);
  const path = `${folder}/${name.replaceAll('/', '_')}.xml`;
  const handle = files.open(machine, path, 'w');
  if (typeof handle === 'string') return;
  let taint: Taint = 0;
  let inner = '';
  for (const [key, kept] of values) {
    inner += entryXml(machine, key, kept);
    taint = machine.union(taint, keptTaint(machine, kept));
  }
  const xml = `<?xml version='1.0' encoding='utf-8' standalone='yes' ?>\n<map>\n${inner}</map>\n`;
  handle.write(machine, Buffer.from(xml), taint);
  if (isShared) recorderOf(machine).leak('preferences', 'SharedPreferences.Editor.commit', path, taint);
}

function apply(machine: Machine, editor: HeapObject): undefined {
  const { preferences, changes, isCleared } = editor.native as EditorState;
  const state = stateOf(preferences);
  const changed: string[] = [];
  if (isCleared) {
    changed.push(...state.values.keys());
    state.values.clear();
  }
  for (const [key, kept] of changes) {
    const before = state.values.get(key);
    if (kept === null) state.values.delete(key);
    else state.values.set(key, kept);
    if (before?.value !== kept?.value) changed.push(key);
  }
  changes.clear();
  writeFile(machine, state);
  for (const listener of [...state.listeners]) {
    for (const key of changed) {
      post(machine, 0, listener.cls.name, () => {
        if (!state.listeners.includes(listener)) return;
        machine.call(
          listener,
          'onSharedPreferenceChanged(Landroid/content/SharedPreferences;Ljava/lang/String;)V',
          preferences,
          machine.string(key),
        );
      });
    }
  }
}

const kinds = { Boolean: 'Z', Int: 'I', Long: 'J', Float: 'F' } as const;
const editorType = 'Landroid/content/SharedPreferences$Editor;';

const put =
  (kind: string): NativeMethod =>
  (machine, me, key: Reference, value: Value) => {
    const kept = keep(machine, kind, value, 2);
    (me.native as EditorState).changes.set(plain(machine, key), kept.value === null ? null : kept);
    return me;
  };

const editorMethods: NativeMethods = {
  ...Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [`put${name}(Ljava/lang/String;${kind})${editorType}`, put(kind)]),
  ),
  [`putString(Ljava/lang/String;Ljava/lang/String;)${editorType}`]: put('L'),
  [`putStringSet(Ljava/lang/String;Ljava/util/Set;)${editorType}`]: put('L'),
  [`remove(Ljava/lang/String;)${editorType}`]: (machine, me, key: Reference) => {
    (me.native as EditorState).changes.set(plain(machine, key), null);
    return me;
  },
  [`clear()${editorType}`]: (_machine, me) => {
    (me.native as EditorState).isCleared = true;
    return me;
  },
  'commit()Z': (machine, me) => {
    apply(machine, me);
    return 1;
  },
  'apply()V': (machine, me) => apply(machine, me),
};

const get =
  (kind: string): NativeMethod =>
  (machine, me, key: Reference, otherwise: Value) => {
    const kept = stateOf(me).values.get(plain(machine, key));
    if (kept !== undefined && kept.kind !== kind) {
      throw machine.exception(
        'Ljava/lang/ClassCastException;',
        `the preference ${plain(machine, key)} has another type`,
      );
    }
    return giveBack(machine, kept, kind, otherwise);
  };

const listenerType = 'Landroid/content/SharedPreferences$OnSharedPreferenceChangeListener;';

const preferencesMethods: NativeMethods = {
  ...Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [`get${name}(Ljava/lang/String;${kind})${kind}`, get(kind)]),
  ),
  'getString(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;': get('L'),
  'getStringSet(Ljava/lang/String;Ljava/util/Set;)Ljava/util/Set;': get('L'),
  'contains(Ljava/lang/String;)Z': (machine, me, key: Reference) => stateOf(me).values.has(plain(machine, key)),
  'getAll()Ljava/util/Map;': (machine, me) =>
    mapOf(
      machine,
      [...stateOf(me).values].map(([key, kept]) => [machine.string(key), boxed(machine, kept)] as const),
    ),
  [`edit()${editorType}`]: (machine, me) => {
    const editor = machine.allocate('Landroid/app/SharedPreferencesImpl$EditorImpl;');
    editor.native = { preferences: me, changes: new Map(), isCleared: false } satisfies EditorState;
    return editor;
  },
  [`registerOnSharedPreferenceChangeListener(${listenerType})V`]: (_machine, me, listener: Reference) => {
    if (listener !== null && !stateOf(me).listeners.includes(listener)) stateOf(me).listeners.push(listener);
  },
  [`unregisterOnSharedPreferenceChangeListener(${listenerType})V`]: (_machine, me, listener: Reference) => {
    const { listeners } = stateOf(me);
    const at = listener === null ? -1 : listeners.indexOf(listener);
    if (at >= 0) listeners.splice(at, 1);
  },
};

/** What a person would change on a settings screen: each value of the app's default preferences once. */
export function touchPreferences(machine: Machine): void {
  const all = machine.state('android.preferences', () => new Map<string, HeapObject>());
  for (const preferences of all.values()) {
    const state = stateOf(preferences);
    for (const listener of [...state.listeners]) {
      for (const key of state.values.keys()) {
        callApp(machine, listener.cls.name, () =>
          machine.call(
            listener,
            'onSharedPreferenceChanged(Landroid/content/SharedPreferences;Ljava/lang/String;)V',
            preferences,
            machine.string(key),
          ),
        );
      }
    }
  }
}

export const preferencesModels: Models = {
  'Landroid/content/SharedPreferences;': { isInterface: true, abstractMethods: Object.keys(preferencesMethods) },
  [editorType]: { isInterface: true, abstractMethods: Object.keys(editorMethods) },
  [listenerType]: {
    isInterface: true,
    abstractMethods: ['onSharedPreferenceChanged(Landroid/content/SharedPreferences;Ljava/lang/String;)V'],
  },
  'Landroid/app/SharedPreferencesImpl;': {
    implements: ['Landroid/content/SharedPreferences;'],
    methods: preferencesMethods,
  },
  'Landroid/app/SharedPreferencesImpl$EditorImpl;': { implements: [editorType], methods: editorMethods },
};
